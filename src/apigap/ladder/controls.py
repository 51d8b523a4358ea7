"""Matched controls: for every new API one of the same library that has not changed for years, as like it as there is.

One to one and with the least total distance (`scipy.optimize.linear_sum_assignment`); how alike both groups are is
told as standardised mean differences (Austin, 2009, https://doi.org/10.1002/sim.3697, equation 1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from apigap.discovery.selection import quality
from apigap.ladder.apis import named_parameters, shape_of
from apigap.records.base import Record
from apigap.records.candidate import Candidate

LARGE_DIFFERENCE = 0.25
"""A standardised mean difference beyond which a pair of groups is not called balanced."""
_FORBIDDEN = 1e6
COVARIATES = ("parameters", "weight", "docstring", "depth")


class Balance(Record):
    """The means of a covariate in both groups, and their difference in standard deviations.

    `difference` is None where both groups are the same throughout and not as the other: it has no such measure.
    `parameters` counts them, `weight` is `discovery.selection.quality`, `docstring` the logarithm of one more than its
    characters, `depth` the number of dots in the name.
    """

    covariate: str
    new: float
    control: float
    difference: float | None

    @property
    def is_large(self) -> bool:
        """True where the groups differ by more than `LARGE_DIFFERENCE`."""
        return self.difference is None or abs(self.difference) > LARGE_DIFFERENCE


@dataclass(frozen=True)
class Pair:
    """A new API and its control."""

    new: Candidate
    control: Candidate


@dataclass(frozen=True)
class Matching:
    """The pairs in the order of the new APIs, those of these without a control, and the balance of the pairs."""

    pairs: tuple[Pair, ...]
    unmatched: tuple[Candidate, ...]
    balance: tuple[Balance, ...]


def match(new: Sequence[Candidate], pool: Sequence[Candidate]) -> Matching:
    """A control for each of `new`: an API of `pool` of the same shape (function, class, member), used once.

    Where the pool has too few of a shape, those with the greatest distance go without.
    """
    from scipy import optimize  # pyright: ignore[reportMissingTypeStubs]

    ordered = sorted(pool, key=lambda one: one.api_name)
    if not new or not ordered:
        return Matching((), tuple(new), ())
    assign = cast(
        "Callable[..., tuple[NDArray[np.int64], NDArray[np.int64]]]", cast("Any", optimize).linear_sum_assignment
    )
    rows, columns = assign(_distances(new, ordered))
    places = [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]
    chosen = {row: ordered[column] for row, column in places if shape_of(new[row]) == shape_of(ordered[column])}
    pairs = tuple(Pair(one, chosen[place]) for place, one in enumerate(new) if place in chosen)
    unmatched = tuple(one for place, one in enumerate(new) if place not in chosen)
    return Matching(pairs, unmatched, balance_of(pairs))


def balance_of(pairs: Sequence[Pair]) -> tuple[Balance, ...]:
    """The balance of every covariate; nothing where there is no pair."""
    if not pairs:
        return ()
    new, control = (_covariates([getattr(pair, side) for pair in pairs]) for side in ("new", "control"))
    spread = np.sqrt((new.var(axis=0) + control.var(axis=0)) / 2)
    gap = new.mean(axis=0) - control.mean(axis=0)
    difference = np.divide(gap, spread, out=np.where(gap == 0, 0.0, np.nan), where=spread > 0)
    return tuple(
        Balance(
            covariate=name,
            new=round(float(new[:, place].mean()), 4),
            control=round(float(control[:, place].mean()), 4),
            difference=None if np.isnan(difference[place]) else round(float(difference[place]), 4),
        )
        for place, name in enumerate(COVARIATES)
    )


def _distances(new: Sequence[Candidate], pool: Sequence[Candidate]) -> NDArray[np.float64]:
    """The city-block distance of standardised covariates, shape (new, pool); another shape is as good as forbidden."""
    left, right = _covariates(new), _covariates(pool)
    spread = np.vstack((left, right)).std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    distances = np.abs((left[:, None, :] - right[None, :, :]) / scale).sum(axis=2)
    unlike = np.array([[shape_of(a) != shape_of(b) for b in pool] for a in new])
    return distances + _FORBIDDEN * unlike


def _covariates(candidates: Sequence[Candidate]) -> NDArray[np.float64]:
    """The covariates, shape (candidates, 4)."""
    rows = [
        (len(named_parameters(c)), quality(c), np.log1p(len(c.docstring or "")), c.api_name.count("."))
        for c in candidates
    ]
    return np.array(rows, dtype=np.float64)
