"""Paired comparison of two runs on the same tasks, aware that tasks of one API go together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Clusters, cluster_index
from apigap.statistics.intervals import as_rates
from apigap.statistics.signflip import sign_flip


@dataclass(frozen=True)
class PairedDifference:
    """The gain of `b` over `a`, in -1..1, with a cluster bootstrap interval and a sign-flip p-value.

    `discordant` counts the clusters whose difference is not 0; `exact` says that all their sign flips were
    counted rather than drawn. `detectable` is the minimum detectable effect (`minimum_detectable`).
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
    detectable: float | None


def paired_difference(
    a: ArrayLike,
    b: ArrayLike,
    clusters: Sequence[str],
    seed: int = 0,
    draws: int = 10_000,
    level: float = 0.95,
    smoothed: bool = True,
) -> PairedDifference:
    """Mean of `b` - `a` over tasks; row i of both is the same task, `clusters[i]` its API.

    The interval is the percentile bootstrap over whole clusters, smoothed by one cluster of all gains and one of
    all losses (`Clusters.smoothed`); it always holds the difference. The p-value flips the signs of whole clusters
    (`sign_flip`). Both depend on `seed` and on the set of rows, never on their order. Give `smoothed=False` for scores
    such as ROUGE-L: no cluster of them gains or loses everything, as one of right and wrong answers can.

    Raises:
        UsageError: when nothing is given, lengths differ, a rate lies outside 0..1 or draws < 1.
    """
    gains = as_rates(b, clusters) - as_rates(a, clusters)
    if len(gains) == 0:
        raise UsageError("there is no task that both runs have a verdict on; score the same tasks in both")
    if draws < 1:
        raise UsageError(f"{draws} draws cannot make an interval; 10000 is usual")
    grouped = Clusters.of(gains, cluster_index(clusters))
    rng = np.random.default_rng(seed)
    drawn = (grouped.smoothed() if smoothed else grouped).kinds
    low, high = np.quantile(drawn.bootstrap(rng, draws), [(1 - level) / 2, (1 + level) / 2])
    flips = sign_flip(grouped.sums, rng, draws)
    return PairedDifference(
        difference=grouped.mean,
        low=min(float(low), grouped.mean),
        high=max(float(high), grouped.mean),
        level=level,
        p_value=flips.p_value,
        n=len(gains),
        clusters=len(grouped),
        discordant=int(np.count_nonzero(grouped.sums)),
        exact=flips.exact,
        detectable=minimum_detectable(grouped, 1 - level, smoothed=smoothed),
    )


def minimum_detectable(
    clusters: Clusters, alpha: float = 0.05, power: float = 0.8, smoothed: bool = True
) -> float | None:
    """The true difference that a comparison with this noise and these clusters finds with chance `power`.

    (z(1 - alpha/2) + z(power)) standard errors (Miller 2024, arXiv:2411.00640, section 5), and at least the share
    of as many clusters as must differ, all in one direction, before a sign-flip p-value can reach `alpha`: 6 for
    0.05. Scores that are not `smoothed` (see `paired_difference`) can differ by less than a whole cluster. None where
    there are fewer clusters than that: no difference could be found.
    """
    needed = math.ceil(1 - math.log2(alpha))
    if len(clusters) < needed:
        return None
    z = NormalDist().inv_cdf
    error = (z(1 - alpha / 2) + z(power)) * (clusters.smoothed() if smoothed else clusters).standard_error
    return min(1.0, max(error, needed / len(clusters)) if smoothed else error)
