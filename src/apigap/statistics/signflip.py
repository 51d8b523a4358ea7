"""The sign-flip test: were gains and losses of whole clusters equally likely, how extreme is what was seen?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from apigap.statistics.clusters import Counts, Floats

_MOST_TOTALS = 1_000_000
_BLOCK = 4_000_000
_MANY_PAIRS = 2000
_SAME = 1e-9
_DIGITS = 11  # totals are rounded to so many after every cluster size; a hundred roundings are less than _SAME


@dataclass(frozen=True)
class SignFlip:
    """A two-sided p-value; `exact` where all sign flips were counted rather than drawn."""

    p_value: float
    exact: bool


def sign_flip(sums: Floats, rng: np.random.Generator, draws: int) -> SignFlip:
    """The share of all 2^K sign flips of cluster sums whose total is at least as far from 0 as the one seen.

    Flips of clusters with the same size of sum are counted together by a binomial, so that the test is exact for
    any number of clusters while few different totals exist: always where sums are whole numbers. Where there are
    too many totals, flips are drawn, and the p-value is (1 + hits) / (1 + draws) (Phipson & Smyth 2010).
    """
    sizes, counts = np.unique(np.abs(sums[np.abs(sums) > _SAME]), return_counts=True)
    seen = abs(float(np.sort(sums).sum())) - _SAME
    p_value = _all(sizes, counts.astype(np.int64), seen)
    if p_value is not None:
        return SignFlip(p_value, exact=True)
    return SignFlip((1 + _hits(np.repeat(sizes, counts), seen, rng, draws)) / (1 + draws), exact=False)


def _all(sizes: Floats, counts: Counts, seen: float) -> float | None:
    """The exact share; None where the totals are too many to be held."""
    totals, chances = np.zeros(1), np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        if len(totals) * (count + 1) > _MOST_TOTALS:
            return None
        steps = (2 * np.arange(count + 1, dtype=np.float64) - count) * size
        totals, place = np.unique(np.add.outer(totals, steps).round(_DIGITS).ravel(), return_inverse=True)
        chances = np.bincount(place.ravel(), weights=np.multiply.outer(chances, _binomial(count)).ravel())
    return min(1.0, float(chances[np.abs(totals) >= seen].sum()))


@lru_cache(maxsize=256)
def _binomial(count: int) -> Floats:
    """The chance of 0 to `count` heads of a fair coin, each the float next to the true one."""
    ways, all_ways = 1, 2**count
    chances = np.empty(count + 1)
    for heads in range(count // 2 + 1):
        chances[heads] = chances[count - heads] = ways / all_ways
        ways = ways * (count - heads) // (heads + 1)
    chances.setflags(write=False)
    return chances


def _hits(sizes: Floats, seen: float, rng: np.random.Generator, draws: int) -> int:
    hits, block, whole = 0, max(1, _BLOCK // len(sizes)), float(sizes.sum())
    for start in range(0, draws, block):
        plus = rng.integers(0, 2, size=(min(block, draws - start), len(sizes)), dtype=np.int8)
        hits += int(np.count_nonzero(np.abs(2 * (plus @ sizes) - whole) >= seen))
    return hits


def mcnemar(only_a: int, only_b: int) -> float:
    """Exact two-sided McNemar p-value from the pairs that only one side passes (McNemar 1947; binomial).

    It takes pairs as independent, so with several tasks per API it is too small; for reference only. Whole numbers give
    it where pairs are few, scipy's binomial to about ten digits where they are many.
    """
    from scipy.special import bdtr  # pyright: ignore[reportMissingTypeStubs]

    pairs = only_a + only_b
    if pairs > _MANY_PAIRS:
        return min(1.0, 2 * float(bdtr(min(only_a, only_b), pairs, 0.5)))
    term, tail = 1, 0
    for heads in range(min(only_a, only_b) + 1):
        tail += term
        term = term * (pairs - heads) // (heads + 1)
    return min(1.0, 2 * tail / 2**pairs)
