"""The figures of a cell's verdicts: rates with their intervals, over all tasks and over parts of them."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from apigap.evaluation.item import BenchmarkTask
from apigap.models.spending.cell_cost import COLUMNS, CellCost, cost_of, cost_rows
from apigap.records.base import Record
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


class Table(NamedTuple):
    """A table of figures as text, for people."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def cost_table(what: str, costs: Iterable[tuple[str, CellCost | None]]) -> list[Table]:
    """What answers took, a row per `what`; no table where nothing is known of it."""
    rows = cost_rows(costs)
    return [Table("What the answers took", (what, *COLUMNS), rows)] if rows else []


class Summary(Record):
    """The figures of a run's results; a benchmark's own summary derives from it. `cost` is what the answers took."""

    cost: CellCost | None = None

    def tables(self) -> list[Table]:
        """The figures for people."""
        return []

    def notes(self) -> list[str]:
        """Further notes, a line each."""
        return []


class PassRates(Summary):
    """pass@1 with its interval clustered by API, pass@k, outcomes and labels.

    Samples without a verdict (`infra`, `cut`) do not count, so `n_judged` tasks may be fewer than `n_tasks`; what
    pass@1 would be were the former fails stands beside it, and `no_verdict` counts them by reason. `cut` counts the
    answers that were ended before they were whole, by what ended them; `pass_at_1_bounds` is pass@1 were they fails and
    were they passes, None where none was cut. Suspect ones count as not passed.
    pass@k is null where no task has k judged samples; `pass_at_k_undefined` says how many tasks have fewer.
    """

    n_tasks: int
    n_judged: int
    n_apis: int
    pass_at_1: float | None
    interval: tuple[float, float] | None
    pass_at_1_infra_as_fail: float | None
    no_verdict: dict[str, int]
    pass_at_k: dict[str, float | None]
    pass_at_k_undefined: dict[str, int]
    outcomes: dict[str, int]
    labels: dict[str, int]
    evaluators: tuple[str, ...]
    cut: dict[str, int] = {}
    pass_at_1_bounds: tuple[float, float] | None = None

    def notes(self) -> list[str]:
        """pass@1 in words, and what it would be with failures of the machine as fails."""
        passed = "-" if self.pass_at_1 is None else f"{self.pass_at_1:.1%}"
        lines = [f"pass@1 {passed} over {self.n_tasks} tasks; outcomes {self.outcomes}"]
        if self.no_verdict:
            lines.append(f"with those without a verdict (infra) as failed: {self.pass_at_1_infra_as_fail or 0.0:.1%}")
        if self.cut and self.pass_at_1_bounds:
            lines.append(cut_note(self.cut, self.pass_at_1_bounds))
        return lines


class PartRates(Record):
    """pass@1 over a part of the tasks."""

    n_tasks: int
    pass_at_1: float | None
    interval: tuple[float, float] | None
    outcomes: dict[str, int]


class CellSummary(PassRates):
    """The rates of one cell, their mean over libraries, and the same rates per difficulty, library and change.

    `stopped` counts the predictions that the model did not end itself, by what ended them.
    """

    macro_by_library: float | None
    n_libraries: int
    stopped: dict[str, int]
    by: dict[str, dict[str, PartRates]]


def summarise(results: Sequence[Result], tasks: Iterable[BenchmarkTask]) -> PassRates:
    """The rates of results; see `PassRates`."""
    counts = _counts(results, tasks)
    estimate = estimate_cell(counts)
    means = {k: mean_over_tasks(counts.judged, counts.passed, counts.apis, k) for k in KS}
    with_infra_failed = mean_over_tasks(counts.samples - counts.cut, counts.passed, counts.apis, 1)
    return PassRates(
        n_tasks=len(counts.tasks),
        n_judged=estimate.tasks,
        n_apis=len(set(counts.apis)),
        pass_at_1=estimate.interval.estimate,
        interval=(estimate.interval.low, estimate.interval.high) if estimate.tasks else None,
        pass_at_1_infra_as_fail=with_infra_failed.interval.estimate,
        no_verdict=no_verdict(results),
        pass_at_k={str(k): mean.interval.estimate for k, mean in means.items()},
        pass_at_k_undefined={str(k): mean.undefined for k, mean in means.items()},
        outcomes=counted(result.outcome for result in results),
        labels=counted(result.label for result in results if result.label),
        evaluators=tuple(sorted({result.evaluator for result in results})),
        cut=cut_by(results),
        pass_at_1_bounds=_bounds_of_cut(counts),
    )


def cut_by(results: Iterable[Result]) -> dict[str, int]:
    """The number of answers that were ended before they were whole, by what ended them."""
    return counted(str(result.detail.get("ended")) for result in results if result.outcome == "cut")


def cut_note(cut: Mapping[str, int], bounds: Sequence[float]) -> str:
    """The answers that were cut, in words: by what, what pass@1 could be for it, and what to do."""
    low, high = bounds
    by = ", ".join(f"{count} {reason}" for reason, count in cut.items())
    remedy = "; give answers more tokens with --set generation.max_tokens=N" if "length" in cut else ""
    return (
        f"{sum(cut.values())} answers were cut before they were whole ({by}) and count nowhere: "
        f"pass@1 is {low:.1%} had they failed, {high:.1%} had they passed{remedy}"
    )


def _bounds_of_cut(counts: TaskCounts) -> tuple[float, float] | None:
    told = counts.samples - counts.infra
    if not counts.cut.any():
        return None
    low, high = (
        mean_over_tasks(told, passed, counts.apis, 1).interval.estimate
        for passed in (counts.passed, counts.passed + counts.cut)
    )
    return low or 0.0, high or 0.0


def number(value: float | None, factor: float = 1, digits: int = 2) -> str:
    """A figure in a table, times `factor`; a dash where there is none."""
    return "-" if value is None else f"{factor * value:.{digits}f}"


def counted(words: Iterable[str]) -> dict[str, int]:
    """The frequency of each word."""
    return dict(sorted(Counter(words).items()))


def count_words(counts: Mapping[str, int]) -> str:
    """Counts as words: `length: 1, context: 2`."""
    return ", ".join(f"{name}: {count}" for name, count in counts.items())


def mean_of(values: Iterable[float]) -> float | None:
    """The mean, summed exactly; None of nothing."""
    given = tuple(values)
    return math.fsum(given) / len(given) if given else None


def no_verdict(results: Iterable[Result]) -> dict[str, int]:
    """The number of samples without a verdict, by the reason that the machine gave."""
    reasons = Counter(_reason(result) for result in results if result.outcome == "infra")
    return dict(sorted(reasons.items()))


def _reason(result: Result) -> str:
    lines = str(result.detail.get("reason") or "the sandbox failed").strip().splitlines()
    return lines[0][:_LONGEST] if lines else "the sandbox failed"


def summarise_cell(
    results: Sequence[Result],
    tasks: Sequence[Task],
    predictions: Iterable[Prediction] = (),
    cost: CellCost | None = None,
) -> CellSummary:
    """The rates of a cell; see `CellSummary`."""
    given = tuple(predictions)
    by = {name: _parts(results, tasks, part) for name, part in PARTS.items()}
    rates = [row.pass_at_1 for row in by["library"].values() if row.pass_at_1 is not None]
    found = CellSummary(
        **dict(summarise(results, tasks)),
        macro_by_library=sum(rates) / len(rates) if rates else None,
        n_libraries=len(rates),
        stopped=stopped(given),
        by=by,
    )
    return found.model_copy(update={"cost": cost or (cost_of(given) if given else None)})


def stopped(predictions: Iterable[Prediction]) -> dict[str, int]:
    """The number of answers by what ended them, without the model: `length`, `context` (no room in its window), ..."""
    extras = [prediction.model_extra or {} for prediction in predictions]
    reasons = Counter(reason for extra in extras for reason in extra.get("stop_reasons") or () if reason != "stop")
    return dict(sorted(reasons.items()))


def _parts(results: Sequence[Result], tasks: Sequence[Task], part: Callable[[Task], str]) -> dict[str, PartRates]:
    of = {task.task_id: part(task) for task in tasks}
    found: dict[str, PartRates] = {}
    for name in sorted({of[result.task_id] for result in results}):
        own = [result for result in results if of[result.task_id] == name]
        estimate = estimate_cell(_counts(own, tasks))
        found[name] = PartRates(
            n_tasks=estimate.tasks,
            pass_at_1=estimate.interval.estimate,
            interval=(estimate.interval.low, estimate.interval.high) if estimate.tasks else None,
            outcomes=counted(result.outcome for result in own),
        )
    return found


def _counts(results: Sequence[Result], tasks: Iterable[BenchmarkTask]) -> TaskCounts:
    apis = {task.task_id: task.api_name for task in tasks}
    return count_by_task(
        [result.task_id for result in results],
        [apis[result.task_id] for result in results],
        [result.outcome for result in results],
    )
