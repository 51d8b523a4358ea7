"""What the verdicts of a cell come to: rates with their intervals, over all tasks and over parts of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from apigap.records.result import Prediction, Result
from apigap.records.task import Task
from apigap.statistics import TaskCounts, count_by_task, estimate_cell, mean_over_tasks

KS = (1, 5, 10)
_LONGEST = 200
PARTS: Mapping[str, Callable[[Task], str]] = {
    "difficulty": lambda task: task.difficulty,
    "library": lambda task: task.library,
    "change": lambda task: task.change,
}


class Named(Protocol):
    """A task of any benchmark, by its id and the API that it is about."""

    @property
    def task_id(self) -> str:
        """The id."""
        ...

    @property
    def api_name(self) -> str:
        """The qualified name."""
        ...


def summarise(results: Sequence[Result], tasks: Iterable[Named]) -> dict[str, Any]:
    """pass@1 with its interval clustered by API, pass@k, outcomes and labels.

    Samples without a verdict (`infra`) do not count, so `n_judged` tasks may be fewer than `n_tasks`; what pass@1 would
    be were they fails stands beside it, and `no_verdict` counts them by reason. Suspect ones count as not passed.
    pass@k is null where no task has k judged samples; `pass_at_k_undefined` says how many tasks have fewer.
    """
    tasks = tuple(tasks)
    counts = _counts(results, tasks)
    estimate = estimate_cell(counts)
    means = {k: mean_over_tasks(counts.judged, counts.passed, counts.apis, k) for k in KS}
    return {
        "n_tasks": len(counts.tasks),
        "n_judged": estimate.tasks,
        "n_apis": len(set(counts.apis)),
        "pass_at_1": estimate.interval.estimate,
        "interval": [estimate.interval.low, estimate.interval.high] if estimate.tasks else None,
        "pass_at_1_infra_as_fail": _with_infra_failed(results, tasks),
        "no_verdict": no_verdict(results),
        "pass_at_k": {str(k): mean.interval.estimate for k, mean in means.items()},
        "pass_at_k_undefined": {str(k): mean.undefined for k, mean in means.items()},
        "outcomes": dict(sorted(Counter(r.outcome for r in results).items())),
        "labels": dict(sorted(Counter(r.label for r in results if r.label).items())),
        "evaluators": sorted({result.evaluator for result in results}),
    }


def no_verdict(results: Iterable[Result]) -> dict[str, int]:
    """How many samples have no verdict, by the reason that the machine gave."""
    reasons = Counter(_reason(result) for result in results if result.outcome == "infra")
    return dict(sorted(reasons.items()))


def _reason(result: Result) -> str:
    lines = str(result.detail.get("reason") or "the sandbox failed").strip().splitlines()
    return lines[0][:_LONGEST] if lines else "the sandbox failed"


def _with_infra_failed(results: Sequence[Result], tasks: Sequence[Named]) -> float | None:
    counts = _counts(results, tasks)
    return mean_over_tasks(counts.samples, counts.passed, counts.apis, 1).interval.estimate


def summarise_cell(
    results: Sequence[Result], tasks: Sequence[Task], predictions: Iterable[Prediction] = ()
) -> dict[str, Any]:
    """`summarise`, the mean over libraries beside it, and the same numbers per difficulty, library and change.

    `stopped` counts the `predictions` that the model did not end itself, by what ended them; `tokens` is what they
    took, null where a prediction does not say.
    """
    given = tuple(predictions)
    by = {name: _parts(results, tasks, part) for name, part in PARTS.items()}
    rates = [row["pass_at_1"] for row in by["library"].values() if row["pass_at_1"] is not None]
    macro = sum(rates) / len(rates) if rates else None
    means = {"macro_by_library": macro, "n_libraries": len(rates)}
    return {**summarise(results, tasks), **means, "stopped": stopped(given), "tokens": tokens(given), "by": by}


def stopped(predictions: Iterable[Prediction]) -> dict[str, int]:
    """How many answers ended in each way but the model's own: `length`, `context` (no room in its window), ..."""
    extras = [prediction.model_extra or {} for prediction in predictions]
    reasons = Counter(reason for extra in extras for reason in extra.get("stop_reasons") or () if reason != "stop")
    return dict(sorted(reasons.items()))


def tokens(predictions: Iterable[Prediction]) -> dict[str, int] | None:
    """All tokens that the models read (`input`) and wrote (`output`); None where a prediction does not say."""
    extras = [prediction.model_extra or {} for prediction in predictions]
    counts = {way: [_counted(extra.get(f"{way}_tokens")) for extra in extras] for way in ("input", "output")}
    if not extras or not all(counts["input"]) or any(found is None for found in counts["output"]):
        return None
    return {way: sum(found or 0 for found in told) for way, told in counts.items()}


def _counted(told: Any) -> int | None:
    """The sum of what a prediction says of its samples; whatever else stands there says nothing."""
    counts = cast("Sequence[Any]", told) if isinstance(told, (list, tuple)) else (None,)
    return sum(counts) if all(type(count) is int for count in counts) else None


def _parts(results: Sequence[Result], tasks: Sequence[Task], part: Callable[[Task], str]) -> dict[str, dict[str, Any]]:
    of = {task.task_id: part(task) for task in tasks}
    found: dict[str, dict[str, Any]] = {}
    for name in sorted({of[result.task_id] for result in results}):
        own = [result for result in results if of[result.task_id] == name]
        estimate = estimate_cell(_counts(own, tasks))
        found[name] = {
            "n_tasks": estimate.tasks,
            "pass_at_1": estimate.interval.estimate,
            "interval": [estimate.interval.low, estimate.interval.high] if estimate.tasks else None,
            "outcomes": dict(sorted(Counter(result.outcome for result in own).items())),
        }
    return found


def _counts(results: Sequence[Result], tasks: Iterable[Named]) -> TaskCounts:
    apis = {task.task_id: task.api_name for task in tasks}
    return count_by_task(
        [result.task_id for result in results],
        [apis[result.task_id] for result in results],
        [result.outcome for result in results],
    )
