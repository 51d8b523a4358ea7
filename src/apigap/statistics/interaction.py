"""Interaction: the difference of two runs by kind of task, such as more for changed APIs than for new ones."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Clusters, Floats, Kinds, cluster_index
from apigap.statistics.intervals import as_rates


@dataclass(frozen=True)
class Interaction:
    """The gain among the `one` kind minus the gain among the others, in -2..2, with interval and p-value."""

    difference: float
    low: float
    high: float
    level: float
    p_value: float
    clusters: tuple[int, int]


def interaction(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[str],
    one: Sequence[bool],
    seed: int = 0,
    draws: int = 10_000,
    level: float = 0.95,
) -> Interaction | None:
    """The extra gain of `b` over `a` on tasks of the `one` kind; None where a kind has fewer than two clusters.

    The interval is a percentile bootstrap over clusters, each kind by itself, smoothed like that of
    `paired_difference`. The p-value deals the kinds out anew among the clusters and looks at the difference in
    standard errors, so that it holds where the kinds differ in spread too (Chung & Romano 2013,
    doi:10.1214/13-AOS1090): (1 + hits) / (1 + draws).

    Raises:
        UsageError: when lengths differ, a rate lies outside 0..1, or a cluster has tasks of both kinds.
    """
    gains = as_rates(b, clusters) - as_rates(a, clusters)
    groups, kind = cluster_index(clusters), np.asarray(one, dtype=np.bool_)
    if len(kind) != len(gains):
        raise UsageError(f"{len(gains)} tasks but {len(kind)} kinds; give one kind per task")
    if len(gains) == 0:
        return None
    grouped = Clusters.of(gains, groups)
    share = Clusters.of(kind.astype(np.float64), groups).sums / grouped.sizes
    if bool(((share > 0) & (share < 1)).any()):
        name = sorted(set(clusters))[int(np.argmax((share > 0) & (share < 1)))]
        raise UsageError(f"{name} has tasks of both kinds, so no kind can be dealt to it; leave its tasks out")
    first, second = grouped.select(share == 1), grouped.select(share == 0)
    if min(len(first), len(second)) < 2:
        return None
    return _tested(grouped, first, second, np.random.default_rng(seed), draws, level)


def _tested(
    grouped: Clusters, first: Clusters, second: Clusters, rng: np.random.Generator, draws: int, level: float
) -> Interaction:
    difference = first.mean - second.mean
    drawn = first.smoothed().kinds.bootstrap(rng, draws) - second.smoothed().kinds.bootstrap(rng, draws)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Interaction(
        difference=difference,
        low=min(float(low), difference),
        high=max(float(high), difference),
        level=level,
        p_value=_dealt(grouped.kinds, first.kinds, rng, draws),
        clusters=(len(first), len(second)),
    )


def _dealt(every: Kinds, first: Kinds, rng: np.random.Generator, draws: int) -> float:
    seen = np.array([_count(every, first)])
    dealt = rng.multivariate_hypergeometric(every.counts, int(first.counts.sum()), size=draws, method="marginals")
    hits = np.count_nonzero(np.abs(_studentised(every, dealt)) >= abs(_studentised(every, seen)[0]) - 1e-9)
    return (1 + int(hits)) / (1 + draws)


def _count(every: Kinds, some: Kinds) -> NDArray[np.int64]:
    """The number of clusters in `some` of each of the kinds in `every`."""
    place = {pair: number for number, pair in enumerate(zip(every.sums.tolist(), every.sizes.tolist(), strict=True))}
    counts = np.zeros(len(every.counts), dtype=np.int64)
    for total, size, count in zip(some.sums.tolist(), some.sizes.tolist(), some.counts.tolist(), strict=True):
        counts[place[total, size]] = count
    return counts


def _studentised(every: Kinds, taken: NDArray[np.int64]) -> Floats:
    """The difference of means over its standard error, for each row of how many clusters of each kind were taken."""
    mean_taken, squared_taken = _mean_and_error(every, taken)
    mean_left, squared_left = _mean_and_error(every, every.counts - taken)
    difference, error = mean_taken - mean_left, np.sqrt(squared_taken + squared_left)
    # Without spread in both groups any difference is beyond all others, and none is none.
    return np.divide(difference, error, out=np.sign(difference.round(9)) * 1e12, where=error > 1e-12)


def _mean_and_error(every: Kinds, times: NDArray[np.int64]) -> tuple[Floats, Floats]:
    tasks, count = times @ every.sizes, times.sum(axis=1)
    mean = (times @ every.sums) / tasks
    squares = (
        times @ every.sums**2 - 2 * mean * (times @ (every.sums * every.sizes)) + mean**2 * (times @ every.sizes**2)
    )
    return mean, count / (count - 1) * np.maximum(squares, 0) / tasks**2
