"""Separation of two groups of controls by a score (AUC), and the score's posterior for others."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError

Floats = NDArray[np.float64]
_MOST_STEPS, _SMALL, _RIDGE = 50, 1e-9, 1e-9


@dataclass(frozen=True)
class Auc:
    """P(a positive scores above a negative), ties counting half; None, with 0..1, where a group is empty."""

    estimate: float | None
    low: float
    high: float


def auc_interval(positive: ArrayLike, negative: ArrayLike, level: float = 0.95) -> Auc:
    """The Mann-Whitney AUC with a score-type interval.

    Newcombe (2006, method 5): the values whose own Hanley-McNeil standard error reaches the estimate. Unlike
    DeLong's it has a width where the groups are told apart completely.
    """
    high, low = np.asarray(positive, dtype=np.float64), np.asarray(negative, dtype=np.float64)
    m, n = len(high), len(low)
    if not m or not n:
        return Auc(None, 0.0, 1.0)
    above_below = np.sign(high[:, None] - low[None, :])
    estimate = float((1 + above_below.mean()) / 2)
    z, mean = NormalDist().inv_cdf((1 + level) / 2), (m + n) / 2

    def distance(value: float, sign: int) -> float:
        spread = 1 + (mean - 1) * ((1 - value) / (2 - value) + value / (1 + value))
        return sign * (value - estimate) - z * math.sqrt(max(0.0, value * (1 - value) * spread / (m * n)))

    # at the estimate the distance is negative (or 0 at the edge), at the far edge positive
    below = 0.0 if estimate == 0 else _root(lambda value: distance(value, -1), 0.0, estimate)
    above = 1.0 if estimate == 1 else _root(lambda value: distance(value, 1), estimate, 1.0)
    return Auc(estimate, below, above)


def posterior(known: ArrayLike, unknown: ArrayLike, scores: ArrayLike) -> Floats:
    """P(unknown) of each score under even prior odds, by a logistic curve through the two groups (Platt 1999).

    Platt's targets, (n + 1) / (n + 2) and 1 / (n + 2), keep it from 0 and 1 where the groups do not overlap; both
    groups weigh the same. It never falls with falling score: a curve of the wrong direction becomes 1/2.
    """
    known = np.asarray(known, dtype=np.float64)
    unknown = np.asarray(unknown, dtype=np.float64)
    if not len(known) or not len(unknown):
        raise UsageError("a group of controls is empty; there is nothing to compare with")
    x = np.concatenate([known, unknown])
    target = np.concatenate(
        [np.full(len(known), 1 / (len(known) + 2)), np.full(len(unknown), (len(unknown) + 1) / (len(unknown) + 2))]
    )
    weight = np.concatenate([np.full(len(known), 0.5 / len(known)), np.full(len(unknown), 0.5 / len(unknown))])

    intercept, slope = _curve(x, target, weight)
    if slope > 0:
        return np.full(np.shape(scores), 0.5)
    return _chance(intercept + slope * np.asarray(scores, dtype=np.float64))


def posterior_intervals(
    known: ArrayLike, unknown: ArrayLike, scores: ArrayLike, seed: int = 0, draws: int = 500, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Percentile bootstrap of `posterior`: both groups of controls are drawn again, each by itself."""
    rng = np.random.default_rng(seed)
    first, second = (np.sort(np.asarray(group, dtype=np.float64)) for group in (known, unknown))
    drawn: list[Floats] = []
    for _ in range(draws):
        drawn.append(posterior(rng.choice(first, len(first)), rng.choice(second, len(second)), scores))
    tail = (1 - level) / 2
    low, high = np.quantile(np.array(drawn), [tail, 1 - tail], axis=0)
    return low, high


def _root(function: Callable[[float], float], below: float, above: float) -> float:
    """The root of `function` between two points, by bisection."""
    sign = function(above) > 0
    for _ in range(60):
        middle = (below + above) / 2
        if (function(middle) > 0) == sign:
            above = middle
        else:
            below = middle
    return (below + above) / 2


def _curve(x: Floats, target: Floats, weight: Floats) -> Floats:
    """Intercept and slope of the logistic curve, by Newton's method with halved steps; the loss is convex."""
    columns = np.stack([np.ones(len(x)), x], axis=1)

    def loss(line: Floats) -> float:
        logit = columns @ line
        return float((weight * (np.logaddexp(0, logit) - target * logit)).sum())

    line = np.zeros(2)
    for _ in range(_MOST_STEPS):
        chance = _chance(columns @ line)
        gradient = columns.T @ (weight * (chance - target))
        curvature = (columns.T * (weight * chance * (1 - chance))) @ columns + _RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        while loss(line - step) > loss(line) and float(np.abs(step).max()) > _SMALL:
            step = step / 2
        line = line - step
        if float(np.abs(step).max()) <= _SMALL:
            break
    return line


def _chance(logit: Floats) -> Floats:
    return 1 / (1 + np.exp(-logit))
