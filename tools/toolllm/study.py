"""A study of API selection: models asked about query files, and what their answers come to beside the baselines."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.toolllm.baselines import BASELINES
from apigap.benchmarks.toolllm.benchmark import ToolLlm, ToolLlmOptions
from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.selection import select
from apigap.benchmarks.toolllm.summary import summarise_selection
from apigap.benchmarks.toolllm.verdict import EVALUATOR, verdict
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking, predict
from apigap.models.generate import Generator
from apigap.records.configuration import load_settings
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records
from apigap.statistics import paired_difference
from tools.kept import drop_prompts
from tools.study import answers_of, kept_answers

MAX_TOKENS = 256
"""About twice the longest right answer of the visible sets; what repeats names without end is cut here."""

Answered = Mapping[str, Result]


def ask_model(
    queries: Sequence[Path], folder: Path, asking: Asking, progress: Progress, make: MakeGenerator | None = None
) -> Path:
    """Let a model answer into its own folder of the study; a run that was ended goes on."""
    path = answers_of(folder, asking.model)
    settings = load_settings(overrides=[f"generation.max_tokens={MAX_TOKENS}"])
    benchmark = ToolLlm(ToolLlmOptions(queries=tuple(queries)), settings)
    predict(benchmark, path, asking, progress, make or Generator)
    drop_prompts(path)
    return path


def summarise_study(queries: Sequence[Query], folder: Path) -> dict[str, Any]:
    """The figures of every model in `folder` over what it was asked, and of all of them over what every one was asked.

    Gains are paired by query, with intervals and p-values that know which queries offer the same tools.
    """
    asked = {path.parent.name: load_records(path, Prediction) for path in kept_answers(folder)}
    answered = {name: _answered(queries, predictions) for name, predictions in asked.items()}
    shared = [query for query in queries if all(query.task_id in found for found in answered.values())]
    return {
        "evaluator": EVALUATOR.digest,
        "models": {name: _model(queries, found, asked[name]) for name, found in answered.items()},
        "same_queries": _compared(shared, answered) if len(answered) > 1 and shared else None,
    }


def score_answers(queries: Sequence[Query], predictions: Sequence[Prediction]) -> list[Result]:
    """A result per sample, in the order of the predictions."""
    by_id = {query.task_id: query for query in queries}
    return [
        verdict(by_id[p.task_id], select(text, by_id[p.task_id]), number)
        for p in predictions
        for number, text in enumerate(p.samples)
    ]


def _answered(queries: Sequence[Query], predictions: Sequence[Prediction]) -> Answered:
    return {result.task_id: result for result in score_answers(queries, predictions)}


def _model(queries: Sequence[Query], found: Answered, predictions: Sequence[Prediction]) -> dict[str, Any]:
    own = [query for query in queries if query.task_id in found]
    stops = [reason for one in predictions for reason in (one.model_extra or {}).get("stop_reasons", ())]
    return {
        "groups": _groups(own, found),
        "gains": {
            name: _difference([BASELINES[name](query).exact for query in own], _values(own, found, "resolved"), own)
            for name in ("random", "everything")
        },
        "chose_everything": sum(query.offered <= set(found[query.task_id].detail["chosen"]) for query in own),
        "cut_off": sum(reason != "stop" for reason in stops),
    }


def _compared(queries: Sequence[Query], answered: Mapping[str, Answered]) -> dict[str, Any]:
    """All models on the same queries; gains are those over the first of them."""
    first, before = next(iter(answered.items()))
    return {
        "queries": len(queries),
        "over": first,
        "groups": {name: _groups(queries, found)["all"] for name, found in answered.items()},
        "gains": {
            name: {
                field: _difference(_values(queries, before, field), _values(queries, found, field), queries)
                for field in ("recall", "f1", "resolved")
            }
            for name, found in answered.items()
            if name != first
        },
    }


def _groups(queries: Sequence[Query], found: Answered) -> dict[str, Any]:
    rows = [found[query.task_id] for query in queries]
    return summarise_selection(queries, rows, answered_only=True).model_dump(mode="json")["groups"]


def _values(queries: Sequence[Query], found: Answered, field: str) -> list[float]:
    return [float(found[query.task_id].detail[field]) for query in queries]


def _difference(before: Sequence[float], after: Sequence[float], queries: Sequence[Query]) -> dict[str, Any]:
    found = paired_difference(before, after, [query.tools for query in queries])
    return {"difference": found.difference, "low": found.low, "high": found.high, "p_value": found.p_value}
