"""One cell of an experiment: the pass rate, what it stands on, and how far unjudged samples could move it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from apigap.records.errors import UsageError
from apigap.records.result import Outcome
from apigap.statistics.intervals import Interval, clustered_wilson


@dataclass(frozen=True)
class TaskCounts:
    """Samples per task, tasks in the order of their names; `apis` is the API of each task."""

    tasks: tuple[str, ...]
    apis: tuple[str, ...]
    samples: NDArray[np.int64]
    passed: NDArray[np.int64]
    infra: NDArray[np.int64]
    suspect: NDArray[np.int64]
    cut: NDArray[np.int64]

    @property
    def judged(self) -> NDArray[np.int64]:
        """Samples with a verdict; a suspect one counts as judged and not passed."""
        return self.samples - self.infra - self.cut

    @property
    def failed(self) -> NDArray[np.int64]:
        """Samples that failed."""
        return self.judged - self.passed - self.suspect

    def where(self, chosen: NDArray[np.bool_]) -> "TaskCounts":
        """Those of the tasks, in their order."""
        tasks, apis = (tuple(compress(names, chosen.tolist())) for names in (self.tasks, self.apis))
        numbers = (self.samples, self.passed, self.infra, self.suspect, self.cut)
        return TaskCounts(tasks, apis, *(column[chosen] for column in numbers))


@dataclass(frozen=True)
class CellEstimate:
    """pass@1 of a cell: the mean over tasks of the share of judged samples that pass.

    `interval` is Wilson's on the effective sample size; `tasks` and `apis` count what it stands on, the tasks with a
    judged sample. `lowest` is the rate were every infra, cut and suspect sample a fail, `highest` were each a pass;
    None where there is no sample at all.
    """

    interval: Interval
    tasks: int
    apis: int
    samples: int
    passed: int
    failed: int
    suspect: int
    infra: int
    cut: int
    lowest: float | None
    highest: float | None

    @property
    def design_effect(self) -> float | None:
        """The number of tasks that are worth one independent task; None where nothing was judged."""
        return self.tasks / self.interval.effective_n if self.tasks else None


def count_by_task(tasks: Sequence[str], apis: Sequence[str], outcomes: Sequence[Outcome]) -> TaskCounts:
    """Rows of samples, in any order, as counts per task.

    Raises:
        UsageError: when the lengths differ.
    """
    if not len(tasks) == len(apis) == len(outcomes):
        raise UsageError(f"{len(tasks)} tasks, {len(apis)} APIs, {len(outcomes)} outcomes; give one of each per sample")
    names = sorted(set(tasks))
    number = {name: position for position, name in enumerate(names)}
    place = np.array([number[task] for task in tasks], dtype=np.intp)
    found = np.asarray(outcomes, dtype=np.str_)
    api_of = dict(zip(tasks, apis, strict=True))

    def count(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        return np.bincount(place[chosen], minlength=len(names)).astype(np.int64)

    return TaskCounts(
        tasks=tuple(names),
        apis=tuple(api_of[name] for name in names),
        samples=count(np.ones(len(place), dtype=np.bool_)),
        passed=count(found == "pass"),
        infra=count(found == "infra"),
        suspect=count(found == "suspect"),
        cut=count(found == "cut"),
    )


def estimate_cell(counts: TaskCounts, level: float = 0.95) -> CellEstimate:
    """The estimate of a cell from its counts per task."""
    judged = counts.judged > 0
    rates = counts.passed[judged] / counts.judged[judged]
    apis = [api for api, known in zip(counts.apis, judged.tolist(), strict=True) if known]
    unsure = counts.samples - counts.failed
    any_task = len(counts.tasks) > 0
    columns = (counts.passed, counts.failed, counts.suspect, counts.infra, counts.cut)
    passed, failed, suspect, infra, cut = (int(column.sum()) for column in columns)
    samples = int(counts.samples.sum())
    return CellEstimate(
        interval=clustered_wilson(rates, apis, level),
        tasks=len(apis),
        apis=len(set(apis)),
        samples=samples,
        passed=passed,
        failed=failed,
        suspect=suspect,
        infra=infra,
        cut=cut,
        lowest=float((counts.passed / counts.samples).mean()) if any_task else None,
        highest=float((unsure / counts.samples).mean()) if any_task else None,
    )
