"""Paired comparison of two runs on the same tasks, aware that tasks of one API go together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError
from apigap.statistics.intervals import as_rates, cluster_index, wilson

_EXACT_CLUSTERS = 20
_BLOCK_CELLS = 4_000_000


@dataclass(frozen=True)
class PairedDifference:
    """What `b` gains over `a`, in -1..1, with a cluster bootstrap interval and a sign-flip p-value.

    `discordant` counts the clusters whose difference is not 0; `exact` says that all their sign flips were
    enumerated rather than drawn.
    """

    difference: float
    low: float
    high: float
    level: float
    p_value: float
    n: int
    clusters: int
    discordant: int
    exact: bool


def paired_difference(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[str],
    seed: int = 0,
    draws: int = 10_000,
    level: float = 0.95,
) -> PairedDifference:
    """Mean of `b` - `a` over tasks; row i of both is the same task, `clusters[i]` its API.

    The interval is the percentile bootstrap over whole clusters. The p-value flips the sign of whole clusters:
    exact for up to 20 discordant clusters, else (1 + hits) / (1 + draws). Both depend on `seed` and on the set
    of rows, never on their order. Where all clusters agree the bootstrap has no width; the interval then is as
    wide as the Wilson bound of an event that was never seen in that many clusters.

    Raises:
        UsageError: when nothing is given, lengths differ, a rate lies outside 0..1 or draws < 1.
    """
    gains = as_rates(b, clusters) - as_rates(a, clusters)
    if len(gains) == 0:
        raise UsageError("there is no task that both runs have a verdict on; score the same tasks in both")
    if draws < 1:
        raise UsageError(f"{draws} draws cannot make an interval; 10000 is usual")
    sums, sizes = _cluster_sums(gains, cluster_index(clusters))
    rng = np.random.default_rng(seed)
    difference = float(sums.sum()) / len(gains)
    low, high = _bootstrap(sums, sizes, rng, draws, level)
    discordant = sums[np.abs(sums) > 1e-12]
    exact = len(discordant) <= _EXACT_CLUSTERS
    p_value = _flip_all(discordant) if exact else _flip_some(discordant, rng, draws)
    return PairedDifference(difference, low, high, level, p_value, len(gains), len(sizes), len(discordant), exact)


def _cluster_sums(
    gains: NDArray[np.float64], groups: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    # Sorted first: float sums depend on the order of their terms.
    order = np.lexsort((gains, groups))
    sums = np.bincount(groups[order], weights=gains[order]).astype(np.float64)
    return sums, np.bincount(groups).astype(np.float64)


def _bootstrap(
    sums: NDArray[np.float64],
    sizes: NDArray[np.float64],
    rng: np.random.Generator,
    draws: int,
    level: float,
) -> tuple[float, float]:
    count = len(sums)
    means = sums / sizes
    if np.ptp(means) < 1e-12:
        margin = wilson(0, count, level).high
        return max(-1.0, float(means[0]) - margin), min(1.0, float(means[0]) + margin)
    block = max(1, _BLOCK_CELLS // count)
    estimates: list[NDArray[np.float64]] = []
    for start in range(0, draws, block):
        times = rng.multinomial(count, np.full(count, 1 / count), size=min(block, draws - start))
        estimates.append((times @ sums) / (times @ sizes))
    tail = (1 - level) / 2
    low, high = np.quantile(np.concatenate(estimates), [tail, 1 - tail])
    return float(low), float(high)


def _flip_all(sums: NDArray[np.float64]) -> float:
    totals = np.zeros(1)
    for value in sums:
        totals = np.concatenate([totals + value, totals - value])
    return float(np.mean(np.abs(totals) >= abs(float(sums.sum())) - 1e-9))


def _flip_some(sums: NDArray[np.float64], rng: np.random.Generator, draws: int) -> float:
    observed, hits = abs(float(sums.sum())) - 1e-9, 0
    block = max(1, _BLOCK_CELLS // len(sums))
    for start in range(0, draws, block):
        signs = rng.integers(0, 2, size=(min(block, draws - start), len(sums))) * 2 - 1
        hits += int(np.count_nonzero(np.abs(signs @ sums) >= observed))
    return (1 + hits) / (1 + draws)
