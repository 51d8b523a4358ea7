"""Anytime curves of agents, and the area below them; intervals are a bootstrap over APIs."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from apigap.agent.anytime import AgentRecord, Point
from apigap.analysis.agents.rows import AgentAreaRow, AgentCurveRow
from apigap.analysis.compare import SEED
from apigap.analysis.study import StudyCell
from apigap.statistics.clusters import Clusters, cluster_index

Floats = NDArray[np.float64]
AXES = ("calls", "tokens", "seconds", "dollars")
_PLACES = 24
_LEVEL = (0.025, 0.975)


def judged(records: Sequence[AgentRecord]) -> list[AgentRecord]:
    """The samples of which every code has a verdict: one that the machine left open says nothing."""
    return [one for one in records if all(point.outcome not in ("infra", "cut") for point in one.points)]


def places(records: Sequence[AgentRecord], axis: str) -> Floats:
    """The places of a curve: whole numbers of calls, elsewhere even steps up to the most that was used."""
    most = max((float(getattr(one, axis)) for one in records), default=0.0)
    if axis == "calls":
        return np.arange(0.0, most + 1)
    return np.linspace(0.0, most, _PLACES + 1) if most else np.zeros(0)


def passes(one: AgentRecord, axis: str, at: Floats) -> Floats:
    """1 where the code that counted at a place passed, else 0; also 0 before there was any code."""
    spent = np.array([getattr(point, axis) for point in one.points], dtype=np.float64)
    passed = np.array([0.0, *(float(_passed(point)) for point in one.points)])
    return passed[np.searchsorted(spent, at + 1e-9, side="right")]


def curve_rows(
    cell: StudyCell, records: Sequence[AgentRecord], axis: str, at: Floats, draws: int
) -> Iterator[AgentCurveRow]:
    """A row per place."""
    values, apis = _by_task(records, lambda one: passes(one, axis, at))
    for number, place in enumerate(at.tolist()):
        mean, low, high = _mean(values[:, number], apis, draws)
        yield AgentCurveRow(cell.experiment, cell.name, cell.title, axis, place, mean, low, high)


def area_row(cell: StudyCell, records: Sequence[AgentRecord], axis: str, at: Floats, draws: int) -> AgentAreaRow:
    """The mean of a cell's curve over the places."""
    values, apis = _by_task(records, lambda one: np.array([_area(passes(one, axis, at), at)]))
    mean, low, high = _mean(values[:, 0], apis, draws)
    return AgentAreaRow(
        cell.experiment, cell.name, cell.title, axis, float(at[-1]), mean, low, high,
        samples=len(records), tasks=len(values), apis=len(set(apis)),
    )  # fmt: skip


def _area(values: Floats, at: Floats) -> float:
    """The mean of a function that is constant from each place to the next."""
    return float((values[:-1] * np.diff(at)).sum() / (at[-1] - at[0]))


def _passed(point: Point) -> bool:
    return point.outcome == "pass"


def _by_task(records: Sequence[AgentRecord], value: Callable[[AgentRecord], Floats]) -> tuple[Floats, list[str]]:
    """A row per task, the mean over its samples, and the task's API."""
    rows: dict[str, list[Floats]] = {}
    apis = {one.task_id: one.about for one in records}
    for one in records:
        rows.setdefault(one.task_id, []).append(value(one))
    ordered = sorted(rows)
    return np.array([np.mean(rows[task], axis=0) for task in ordered]), [apis[task] for task in ordered]


def _mean(values: Floats, apis: Sequence[str], draws: int) -> tuple[float, float, float]:
    """The mean over tasks with its interval: two clusters that disagree are added, so that it is never too sure."""
    grouped = Clusters.of(2 * values - 1, cluster_index(apis)).smoothed()
    drawn = (grouped.kinds.bootstrap(np.random.default_rng(SEED), draws) + 1) / 2
    low, high = np.quantile(drawn, _LEVEL)
    return float(np.mean(values)), float(max(0.0, low)), float(min(1.0, high))
