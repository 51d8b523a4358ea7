"""A study of calls: models asked about queries, and what their answers come to beside the baselines."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.calls.benchmark import Calls, CallsOptions
from apigap.benchmarks.calls.queries import Query
from apigap.benchmarks.calls.summary import summarise_calls
from apigap.benchmarks.calls.verdict import EVALUATOR, verdict
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.predictions import Answers
from apigap.models.generate import Generator
from apigap.records.configuration import load_settings
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records
from apigap.statistics import paired_difference
from tools.kept import drop_prompts
from tools.study import answers_of, kept_answers

MAX_TOKENS = 256
"""About twice the longest right answer; what repeats calls without end is cut here."""


def benchmark_of(data: str) -> Calls:
    """The benchmark of a study."""
    return Calls(CallsOptions(data=Path(data)), load_settings(overrides=[f"generation.max_tokens={MAX_TOKENS}"]))


def ask_model(data: str, folder: Path, asking: Asking, progress: Progress, make: MakeGenerator | None = None) -> Path:
    """Let a model answer into its own folder of the study; a run that was ended goes on."""
    path = answers_of(folder, asking.model)
    predict(benchmark_of(data), path, asking, progress, make or Generator)
    drop_prompts(path)
    return path


def summarise_study(queries: Sequence[Query], folder: Path) -> dict[str, Any]:
    """The figures of every model in `folder` over what it was asked, and gains on what all of them were asked.

    Gains are paired by query, those with calls to make apart from those with none; their intervals and p-values know
    which queries offer the same functions.
    """
    asked = {path.parent.name: load_records(path, Prediction) for path in kept_answers(folder)}
    judged = {name: score_answers(queries, predictions) for name, predictions in asked.items()}
    return {
        "evaluator": EVALUATOR.digest,
        "models": {
            name: summarise_calls(queries, results, Answers(tuple(asked[name])), answered_only=True).model_dump(
                mode="json"
            )
            for name, results in judged.items()
        },
        "gains": _gains(queries, judged),
    }


def score_answers(queries: Sequence[Query], predictions: Sequence[Prediction]) -> list[Result]:
    """A result per sample, in the order of the predictions."""
    by_id = {query.task_id: query for query in queries}
    benchmark = benchmark_of("own")
    return [
        verdict(query, benchmark.parse(text, query), number, ended)
        for one in predictions
        if (query := by_id.get(one.task_id))
        for number, (text, ended) in enumerate(zip(one.samples, one.endings, strict=True))
    ]


def _gains(queries: Sequence[Query], judged: Mapping[str, Sequence[Result]]) -> dict[str, Any]:
    """The gains of each model over the first one."""
    passed = {name: {r.task_id: r.passed for r in results if r.has_verdict} for name, results in judged.items()}
    if len(passed) < 2:
        return {}
    first, *others = passed
    shared = [query for query in queries if all(query.task_id in found for found in passed.values())]
    kinds = {
        "calls": [query for query in shared if query.expects != "nothing"],
        "nothing": [query for query in shared if query.expects == "nothing"],
    }
    return {
        "over": first,
        "queries": {kind: len(own) for kind, own in kinds.items()},
        "models": {
            name: {kind: _gain(own, passed[first], passed[name]) for kind, own in kinds.items() if own}
            for name in others
        },
    }


def _gain(queries: Sequence[Query], before: Mapping[str, bool], after: Mapping[str, bool]) -> dict[str, Any]:
    first, second = ([float(found[query.task_id]) for query in queries] for found in (before, after))
    found = paired_difference(first, second, [query.offered_together for query in queries])
    return {"difference": found.difference, "low": found.low, "high": found.high, "p_value": found.p_value}
