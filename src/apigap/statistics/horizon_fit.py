"""The falling curve of a knowledge horizon, fitted to many weightings of the same APIs at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apigap.statistics.clusters import Floats

_LIBRARY_SPREAD = 1.0
"""Standard deviation of the libraries' effects, in logits, as a prior: wide enough for what is seen, and finite."""
_SLOPE_SPREAD = 8.0
"""Of the slope, in logits per year, around 0: it matters only where a step without any overlap fits best."""
_ROUNDS, _STEEPEST, _EDGE = 30, 40.0, 0.01


@dataclass(frozen=True)
class Points:
    """One entry per API: years since the first date, mean score, number of items, number of its library."""

    years: Floats
    scores: Floats
    items: Floats
    library: NDArray[np.intp]

    @property
    def libraries(self) -> int:
        """The number of libraries."""
        return int(self.library.max()) + 1


@dataclass(frozen=True)
class Curves:
    """One curve per weighting: level(t) = floor + (ceiling - floor) / (1 + exp(slope * (t - midpoint))).

    All have the shape (draws,); `midpoint` is in years since the first date, infinite where the slope is not positive.
    """

    midpoint: Floats
    slope: Floats
    ceiling: Floats
    floor: Floats


def fit_curves(points: Points, weights: Floats, copies: Floats, ceiling: Floats, floor: Floats) -> Curves:
    """Fit a curve for each row of `weights`, shape (draws, APIs): how often each API counts.

    `copies`, shape (draws, libraries), is how often each library counts. The quasi-likelihood of shares (Papke &
    Wooldridge 1996) by Fisher scoring, with an effect per library on the logit scale.
    """
    high, low = np.minimum(ceiling, 1 - _EDGE)[:, None], np.maximum(floor, _EDGE)[:, None]
    middle = float(points.years.mean())
    columns = np.zeros((len(points.years), 2 + points.libraries))
    columns[:, 0], columns[:, 1] = 1.0, -(points.years - middle)
    columns[np.arange(len(points.years)), 2 + points.library] = 1.0
    products = (columns[:, :, None] * columns[:, None, :]).reshape(len(columns), -1)
    penalty = np.concatenate(
        [np.full((len(weights), 1), 1e-6), np.full((len(weights), 1), _SLOPE_SPREAD**-2), np.maximum(copies, 1e-3)],
        axis=1,
    )
    penalty[:, 2:] /= _LIBRARY_SPREAD**2
    found, counts = np.zeros((len(weights), columns.shape[1])), weights * points.items
    width = columns.shape[1]
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(found @ columns.T, -30, 30)))
        level = low + (high - low) * chance
        tilt = (high - low) * chance * (1 - chance)
        spread = level * (1 - level)
        gradient = (counts * (points.scores - level) * tilt / spread) @ columns - penalty * found
        curvature = ((counts * tilt**2 / spread) @ products).reshape(-1, width, width)
        curvature[:, np.arange(width), np.arange(width)] += penalty
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        found = found + np.clip(step, -1.5, 1.5)
        found[:, 1] = np.clip(found[:, 1], -_STEEPEST, _STEEPEST)
        if float(np.abs(step).max()) < 1e-6:
            break
    return _curves(found, middle, high.ravel(), low.ravel())


def _curves(found: Floats, middle: float, high: Floats, low: Floats) -> Curves:
    """The midpoint where nothing falls: beyond the end that the level speaks for."""
    intercept, slope = found[:, 0], found[:, 1]
    beyond = np.where(intercept > 0, np.inf, -np.inf)
    falls = slope > 1e-6
    midpoint = np.where(falls, middle + intercept / np.where(falls, slope, 1.0), beyond)
    return Curves(midpoint, slope, high, low)
