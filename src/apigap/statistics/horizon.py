"""The knowledge horizon: the date at which what a model knows falls halfway from controls to what nobody knows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from numpy.typing import ArrayLike

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Floats, cluster_index
from apigap.statistics.horizon_fit import Curves, Points, fit_curves
from apigap.statistics.intervals import Interval, as_rates, clustered_wilson

FEWEST_LIBRARIES, FEWEST_APIS = 6, 30
"""With fewer no horizon is stated: see "The horizon" in docs/statistics.md."""
_YEAR = 365.25
_LEAST_RANGE = 0.1


@dataclass(frozen=True)
class DatedScores:
    """Scores of items of one model, one row each, with the date on which the item's API first appeared."""

    libraries: Sequence[str]
    apis: Sequence[str]
    dates: Sequence[date]
    scores: ArrayLike

    def __post_init__(self) -> None:
        counts = {len(self.libraries), len(self.apis), len(self.dates), int(np.size(np.asarray(self.scores)))}
        if len(counts) > 1:
            raise UsageError(f"the columns of dated scores have {sorted(counts)} rows; give one value of each per item")
        as_rates(self.scores, self.libraries)


@dataclass(frozen=True)
class LevelScores:
    """Scores of items whose level is known: controls, or what nobody can know; one row each."""

    libraries: Sequence[str]
    scores: ArrayLike


@dataclass(frozen=True)
class Quarter:
    """The rate of APIs that first appeared in one quarter, such as 2026Q1, with its interval clustered by API."""

    name: str
    rate: Interval
    apis: int
    libraries: int


@dataclass(frozen=True)
class Horizon:
    """The date of the horizon with its 95 % interval, and the curve that it is the midpoint of.

    `estimate` is None where `reason` says why. `low` or `high` is None where that bound lies beyond the dates asked.
    `slope` is in logits per year, falling; `ceiling` and `floor` are the levels of controls and of what is guessed.
    """

    estimate: date | None
    low: date | None
    high: date | None
    level: float
    slope: float | None
    ceiling: float | None
    floor: float | None
    quarters: tuple[Quarter, ...]
    apis: int
    libraries: int
    reason: str | None

    def rate(self, day: date) -> float | None:
        """The fitted rate for an API that first appeared on that day, in a library like the average."""
        if self.estimate is None or self.slope is None or self.ceiling is None or self.floor is None:
            return None
        beyond = float(np.clip(self.slope * (day - self.estimate).days / _YEAR, -30, 30))
        return self.floor + (self.ceiling - self.floor) / (1 + float(np.exp(beyond)))


def horizon(
    new: DatedScores,
    controls: LevelScores,
    unknowable: LevelScores,
    seed: int = 0,
    draws: int = 1000,
    level: float = 0.95,
) -> Horizon:
    """The midpoint of a falling logistic between the levels of controls and of what nobody can know (twins, or chance).

    The interval is an expanded percentile bootstrap (Hesterberg 2015, doi:10.1080/00031305.2015.1089789): whole
    libraries are drawn, and the levels along with them (APIs drawn within them once more made it too wide in
    simulation). A fall is a slope that is positive in all draws but the share that lies beyond one bound.
    """
    quarters = by_quarter(new, level)
    points, names, first = _points(new)
    counts = (len(points.years), len(names))
    empty = (None, None, None, level, None, None, None, quarters, *counts)
    reason = _too_little(*counts, controls, unknowable)
    if reason:
        return Horizon(*empty, reason)
    rng = np.random.default_rng(seed)
    weights, copies = _drawn(points, rng, draws)
    ceiling, floor = _levels(controls, names, copies), _levels(unknowable, names, copies)
    tail = _tail(len(names), level)
    if float(np.quantile(ceiling - floor, tail)) < _LEAST_RANGE:
        told = (
            f"controls score {ceiling[0]:.2f} and what nobody can know {floor[0]:.2f}: too alike for a fall to be seen"
        )
        return Horizon(*empty, told)
    curves = fit_curves(points, weights, copies, ceiling, floor)
    last = first + timedelta(days=round(float(points.years.max()) * _YEAR))
    reason = _no_fall(curves, points, tail, first, last)
    if reason:
        return Horizon(*empty, reason)
    bounds = _bounds(curves.midpoint[1:], tail)
    low, high = (_day(bound, first, last) for bound in bounds)
    estimate = first + timedelta(days=round(float(curves.midpoint[0]) * _YEAR))
    fitted = (float(curves.slope[0]), float(curves.ceiling[0]), float(curves.floor[0]))
    return Horizon(estimate, low, high, level, *fitted, quarters, *counts, None)


def by_quarter(new: DatedScores, level: float = 0.95) -> tuple[Quarter, ...]:
    """The rate of each quarter in which an API first appeared, in the order of time."""
    names = np.array([f"{day.year}Q{(day.month + 2) // 3}" for day in new.dates], dtype=np.str_)
    apis = np.array([f"{library}\0{api}" for library, api in zip(new.libraries, new.apis, strict=True)], dtype=np.str_)
    libraries, scores = np.array(new.libraries, dtype=np.str_), np.asarray(new.scores, dtype=np.float64)
    found: list[Quarter] = []
    for name in sorted(set(names.tolist())):
        chosen = names == name
        mine = apis[chosen].tolist()
        rate = clustered_wilson(scores[chosen], mine, level)
        found.append(Quarter(name, rate, len(set(mine)), len(set(libraries[chosen].tolist()))))
    return tuple(found)


def _points(new: DatedScores) -> tuple[Points, list[str], date]:
    """APIs in the order of their names, the names of libraries, and the first date."""
    keys = list(zip(new.libraries, new.apis, strict=True))
    names = sorted(set(new.libraries))
    rows: dict[tuple[str, str], list[float]] = {}
    days: dict[tuple[str, str], date] = {}
    for key, day, score in zip(keys, new.dates, np.asarray(new.scores, dtype=np.float64).tolist(), strict=True):
        rows.setdefault(key, []).append(score)
        if days.setdefault(key, day) != day:
            raise UsageError(f"{key[1]} of {key[0]} has two dates of first appearance; give the earlier one")
    apis, first = sorted(rows), min(days.values(), default=date.min)
    return (
        Points(
            years=np.array([(days[api] - first).days / _YEAR for api in apis]),
            scores=np.array([float(np.sort(np.array(rows[api])).mean()) for api in apis]),
            items=np.array([float(len(rows[api])) for api in apis]),
            library=cluster_index([library for library, _ in apis]),
        ),
        names,
        first,
    )


def _drawn(points: Points, rng: np.random.Generator, draws: int) -> tuple[Floats, Floats]:
    """The weights of each API and each library; the first row is the data as they are."""
    libraries = points.libraries
    drawn = rng.multinomial(libraries, np.full(libraries, 1 / libraries), size=draws)
    copies = np.vstack([np.ones((1, libraries)), drawn.astype(np.float64)])
    return copies[:, points.library], copies


def _levels(scores: LevelScores, names: Sequence[str], copies: Floats) -> Floats:
    """The mean score in each draw of libraries; that of all where none of the drawn ones was asked."""
    values = as_rates(scores.scores, scores.libraries)
    place = {name: number for number, name in enumerate(names)}
    sums, sizes = np.zeros(len(names)), np.zeros(len(names))
    for library, value in sorted(zip(scores.libraries, values.tolist(), strict=True)):
        if library in place:
            sums[place[library]] += value
            sizes[place[library]] += 1
    counted = copies @ sizes
    whole = sums.sum() / max(sizes.sum(), 1)
    return np.where(counted > 0, (copies @ sums) / np.maximum(counted, 1), whole)


def _too_little(apis: int, libraries: int, controls: LevelScores, unknowable: LevelScores) -> str | None:
    for told, scores in (("control", controls), ("invented name or twin", unknowable)):
        if not len(scores.libraries):
            return f"no {told} was asked, so the level is unknown between which the curve falls"
    if libraries < FEWEST_LIBRARIES:
        return f"{libraries} libraries are too few for a horizon; it needs {FEWEST_LIBRARIES}"
    return f"{apis} dated APIs are too few for a horizon; it needs {FEWEST_APIS}" if apis < FEWEST_APIS else None


def _no_fall(curves: Curves, points: Points, tail: float, first: date, last: date) -> str | None:
    midpoint = float(curves.midpoint[0])
    if float((curves.slope[1:] <= 0).mean()) > tail:
        half = float(curves.ceiling[0] + curves.floor[0]) / 2
        mean = float(np.average(points.scores, weights=points.items))
        where = f"after {last}" if mean > half else f"before {first}"
        return f"scores do not fall with the date (mean {mean:.2f}): the horizon lies {where}, if there is one"
    if midpoint < 0:
        return f"even the oldest APIs are known less than halfway: the horizon lies before {first}"
    if midpoint > float(points.years.max()):
        return f"even the newest APIs are known more than halfway: the horizon lies after {last}"
    return None


def _tail(libraries: int, level: float) -> float:
    """The share of draws beyond one bound: smaller than (1 - level) / 2, as Student's t is further out than z."""
    from scipy.special import ndtr, stdtrit  # pyright: ignore[reportMissingTypeStubs]

    freedom = libraries - 1
    return float(ndtr(-float(stdtrit(freedom, (1 + level) / 2)) * np.sqrt(libraries / freedom)))


def _bounds(midpoints: Floats, tail: float) -> tuple[float, float]:
    """Both quantiles, as draws that were seen: some of them may be infinite."""
    ordered, most = np.sort(midpoints), len(midpoints) - 1
    below = int(np.floor(tail * most))
    return float(ordered[below]), float(ordered[most - below])


def _day(bound: float, first: date, last: date) -> date | None:
    days = bound * _YEAR
    inside = 0 <= days <= (last - first).days
    return first + timedelta(days=round(days)) if inside else None
