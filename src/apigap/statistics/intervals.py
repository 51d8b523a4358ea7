"""Intervals for pass rates: Wilson, and Wilson on the effective sample size when tasks share an API."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError
from apigap.statistics.clusters import cluster_index

_DESIGN_EFFECT_UNSEEN = 1.5
"""Assumed where all tasks agree, so that no correlation inside clusters can be seen."""


@dataclass(frozen=True)
class Interval:
    """An estimated rate with its interval, all in 0..1.

    `estimate` is None where nothing was measured; then the interval is 0..1. `effective_n` is the number of
    independent observations that the interval stands on.
    """

    estimate: float | None
    low: float
    high: float
    level: float
    effective_n: float


def wilson(successes: float, n: float, level: float = 0.95) -> Interval:
    """Wilson score interval of `successes` out of `n` (Wilson 1927), without continuity correction.

    `n` may be fractional: an effective sample size.

    Raises:
        UsageError: unless 0 <= successes <= n and 0 < level < 1.
    """
    if not 0 < level < 1:
        raise UsageError(f"level {level} is not between 0 and 1; 0.95 is usual")
    if not 0 <= successes <= n:
        raise UsageError(f"{successes} successes of {n} is not possible; count both over the same samples")
    if n == 0:
        return Interval(None, 0.0, 1.0, level, 0.0)
    rate = successes / n
    z = NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / shrink
    margin = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    low = 0.0 if rate == 0 else max(0.0, centre - margin)
    high = 1.0 if rate == 1 else min(1.0, centre + margin)
    return Interval(rate, low, high, level, float(n))


def clustered_wilson(passed: ArrayLike, clusters: Sequence[str], level: float = 0.95) -> Interval:
    """Wilson interval on the effective sample size n / design effect, for tasks that come in clusters.

    `passed` holds one rate in 0..1 per task (a truth value, or the mean over its samples), `clusters` what it
    shares with others (its API). The design effect is the squared ratio of the cluster-robust to the binomial
    standard error, at least 1 and at most that of perfectly correlated clusters. Where all tasks agree no
    correlation can be seen and 1.5 is assumed; a single cluster counts as one observation.

    Raises:
        UsageError: when the lengths differ or a rate lies outside 0..1.
    """
    rates = as_rates(passed, clusters)
    n = len(rates)
    if n == 0:
        return wilson(0, 0, level)
    groups = cluster_index(clusters)
    order = np.lexsort((rates, groups))  # float sums depend on the order of their terms
    rates, groups = rates[order], groups[order]
    effective = max(1.0, n / _design_effect(rates, groups))
    return wilson(float(rates.mean()) * effective, effective, level)


def _design_effect(rates: NDArray[np.float64], groups: NDArray[np.intp]) -> float:
    n, sizes = len(rates), np.bincount(groups)
    worst = float((sizes**2).sum()) / n
    if len(sizes) == 1:
        return worst
    rate = float(rates.mean())
    binomial = rate * (1 - rate) / n
    if binomial == 0:
        return min(_DESIGN_EFFECT_UNSEEN, worst)
    residuals = np.bincount(groups, weights=rates - rate)
    robust = len(sizes) / (len(sizes) - 1) * float((residuals**2).sum()) / n**2
    return max(1.0, min(robust / binomial, worst))


def as_rates(values: ArrayLike, clusters: Sequence[str]) -> NDArray[np.float64]:
    """`values` as floats, checked: as many as `clusters`, each in 0..1."""
    rates = np.asarray(values, dtype=np.float64).ravel()
    if len(rates) != len(clusters):
        raise UsageError(f"{len(rates)} values but {len(clusters)} clusters; give one cluster per value")
    outside = rates[~((rates >= 0) & (rates <= 1))]
    if len(outside):
        raise UsageError(f"{outside[0]} is not a rate between 0 and 1; leave out samples that have no verdict")
    return rates
