"""API selection: predictions of any source scored and summed up, and the scorer's own calibration."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.toolllm.adapter import ToolLlm, evaluator, weak_answers
from apigap.benchmarks.toolllm.baselines import BASELINES, mean_expected
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.trees import recorded_query, tree_text
from apigap.records.errors import CorruptRecord
from apigap.records.json_shapes import is_object
from apigap.records.manifest import Stage, file_hash
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, read_bytes, write_records
from apigap.statistics import clustered_wilson


@dataclass(frozen=True)
class Answers:
    """Predictions for known queries. `strangers` counts recorded runs that answer none of them."""

    predictions: tuple[Prediction, ...]
    strangers: int


def score_toolllm(queries: Sequence[Path], predictions: Path, out: Path, answered_only: bool = False) -> dict[str, Any]:
    """Score a predictions file and write a result per sample to `out`; returns the summary.

    Queries without an answer count as choosing nothing, unless `answered_only`.

    Raises:
        CorruptRecord: when a file does not hold what it must, see `load_queries` and `read_answers`.
    """
    rows = ToolLlm.load(*queries)
    answers = read_answers(predictions, rows)
    made_from = {
        "queries": [file_hash(path) for path in queries],
        "predictions": file_hash(predictions),
        "evaluator": evaluator(),
    }
    results = score_answers(rows, answers.predictions)
    stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "score toolllm", made_from)
    write_records(out, results)
    stage.finish({"samples": len(results)})
    return {**summarise_selection(rows, results, answered_only), "strangers": answers.strangers}


def score_answers(queries: Sequence[Query], predictions: Sequence[Prediction]) -> list[Result]:
    """A result per sample, in the order of the predictions."""
    by_id = {query.task_id: query for query in queries}
    return [
        ToolLlm.score(by_id[p.task_id], ToolLlm.parse(text, by_id[p.task_id]), number)
        for p in predictions
        for number, text in enumerate(p.samples)
    ]


def read_answers(path: Path, queries: Sequence[Query]) -> Answers:
    """The predictions of a JSONL file, or the recorded runs of a ToolBench answer file.

    Recorded runs are matched by id and text, since other splits use the same ids for other queries; those that match
    no query are counted.

    Raises:
        CorruptRecord: for a file of neither kind, a prediction of an unknown query, or two of one query.
    """
    recorded = _recorded(path)
    if recorded is not None:
        texts = {query.task_id: query.question for query in queries}
        ours = {key: run for key, run in recorded.items() if texts.get(key) == recorded_query(run)}
        predictions = [Prediction(task_id=key, samples=(tree_text(run),)) for key, run in ours.items()]
        return Answers(tuple(predictions), len(recorded) - len(ours))
    predictions = load_records(path, Prediction)
    known = {query.task_id for query in queries}
    for task_id, count in Counter(prediction.task_id for prediction in predictions).items():
        if task_id not in known:
            raise CorruptRecord(f"{path} answers query {task_id}, which is in none of the query files")
        if count > 1:
            raise CorruptRecord(f"{path} answers query {task_id} {count} times; keep one line with all its samples")
    return Answers(tuple(predictions), 0)


def _recorded(path: Path) -> dict[str, Any] | None:
    """The runs of a ToolBench answer file by query id; None where the file is something else."""
    try:
        value: Any = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        return None
    if not is_object(value) or "task_id" in value or not all(is_object(run) for run in value.values()):
        return None
    return value


def summarise_selection(queries: Sequence[Query], results: Sequence[Result], answered_only: bool) -> dict[str, Any]:
    """Figures per set, over all, and over the rows where choosing everything is wrong; baselines beside them."""
    by_query: dict[str, list[Result]] = {}
    for result in results:
        by_query.setdefault(result.task_id, []).append(result)
    missing = [query.task_id for query in queries if query.task_id not in by_query]
    counted = [query for query in queries if query.task_id in by_query] if answered_only else list(queries)
    groups = {name: [q for q in counted if q.set_name == name] for name in dict.fromkeys(q.set_name for q in counted)}
    groups |= {"all": counted, "all, not trivial": [query for query in counted if not query.is_trivial]}
    return {
        "evaluator": evaluator(),
        "missing": missing,
        "missing_count_as_wrong": not answered_only,
        "groups": {name: _figures(rows, by_query) for name, rows in groups.items() if rows},
    }


def _figures(queries: Sequence[Query], results: dict[str, list[Result]]) -> dict[str, Any]:
    given = [results.get(query.task_id, []) for query in queries]
    samples = [result for several in given for result in several]
    precise = [result.detail["precision"] for result in samples if result.detail["precision"] is not None]
    predicted = sum(result.detail["predicted"] for result in samples)
    expected = sum(len(query.expected) * max(1, len(several)) for query, several in zip(queries, given, strict=True))
    hits = sum(result.detail["hits"] for result in samples)
    tools = [query.tools for query in queries]

    def rate(field: str) -> dict[str, float | None]:
        return _interval([_mean([float(r.detail[field]) for r in several]) or 0.0 for several in given], tools)

    return {
        "queries": len(queries),
        "answered": sum(1 for several in given if several),
        "samples": len(samples),
        "recall": rate("recall"),
        "f1": rate("f1"),
        "exact": rate("exact"),
        "resolved": rate("resolved"),
        "precision": _mean(precise),
        "precision_interval": _precision_interval(given, tools),
        "chose_something": len(precise),
        "micro": {"recall": hits / expected, "precision": hits / predicted if predicted else None},
        "modes": dict(sorted(Counter(result.detail["mode"] for result in samples).items())),
        "with_invented": sum(1 for result in samples if result.detail["invented"]),
        "with_ambiguous": sum(1 for result in samples if result.detail["ambiguous"]),
        "labels": dict(sorted(Counter(result.label for result in samples if result.label).items())),
        "baselines": {name: mean_expected(queries, chance)._asdict() for name, chance in BASELINES.items()},
    }


def _precision_interval(given: Sequence[Sequence[Result]], tools: Sequence[str]) -> dict[str, float | None]:
    """Precision per query in the mean, where something was chosen."""
    values = [[r.detail["precision"] for r in several if r.detail["precision"] is not None] for several in given]
    known = [(mean, tool) for several, tool in zip(values, tools, strict=True) if (mean := _mean(several)) is not None]
    return _interval([mean for mean, _ in known], [tool for _, tool in known])


def _interval(values: Sequence[float], clusters: Sequence[str]) -> dict[str, float | None]:
    found = clustered_wilson(values, clusters)
    return {"estimate": found.estimate, "low": found.low, "high": found.high}


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def calibrate_toolllm(queries: Sequence[Path]) -> tuple[list[dict[str, Any]], int]:
    """See `calibrate_queries`; the queries are those of the files."""
    return calibrate_queries(ToolLlm.load(*queries))


def calibrate_queries(queries: Sequence[Query]) -> tuple[list[dict[str, Any]], int]:
    """Score every probe of every query, and weak answers against the labels; what got another score than it must, and
    how many there are.

    Only the labels may count as resolved, and all that is offered where all of it is relevant.
    """
    wrong: list[dict[str, Any]] = []
    count = 0
    for query in queries:
        probes, weak = ToolLlm.probes(query), weak_answers(query)
        count += len(probes) + len(weak)
        for response, expected in probes:
            result = _scored(response, query)
            if result.score != expected or result.passed != result.detail["exact"]:
                wrong.append(_wrong(query, response, expected, result.score))
        for response, resolves in ((ToolLlm.gold(query), True), *((one, False) for one in weak)):
            if _scored(response, query).passed != resolves:
                expected, found = ("resolved", "unresolved") if resolves else ("unresolved", "resolved")
                wrong.append(_wrong(query, response, expected, found))
    return wrong, count


def _scored(response: str, query: Query) -> Result:
    return ToolLlm.score(query, ToolLlm.parse(response, query))


def _wrong(query: Query, response: str, expected: float | str, found: float | str) -> dict[str, Any]:
    return {"task_id": query.task_id, "response": response, "expected": expected, "is": found}
