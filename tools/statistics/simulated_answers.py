"""Answers of simulated models whose gap and cure are known: libraries differ, and items of one API go together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, expit, logit, ndtr

from apigap.statistics.differences import Answers, Group

Floats = NDArray[np.float64]
Side = tuple[Group, str]


@dataclass(frozen=True)
class Design:
    """The number of matched pairs of each library, and at most of an API's items and of the APIs of a piece of news."""

    name: str
    pairs: tuple[int, ...]
    most_items: int = 3
    most_members: int = 1


@dataclass(frozen=True)
class Truth:
    """The mean pass rate of each side, and how much libraries differ by themselves in it (on the logit scale).

    `inside` is the correlation of items of one API. `continuous` makes scores such as F1 in place of 0 and 1.
    """

    rates: dict[Side, float]
    apart: float = 0.5
    inside: float = 0.4
    continuous: bool = False


SHARED = 0.8
"""The standard deviation of what a library adds to all sides, on the logit scale."""
_MATCH, _SAME_API, _SAME_NEWS = 0.2, 0.6, 0.9


def draw(design: Design, truth: Truth, rng: np.random.Generator) -> tuple[Answers, dict[Side, float]]:
    """One data set, and each side's true mean over the pieces of news of these libraries."""
    library = np.repeat(np.arange(len(design.pairs)), design.pairs)
    family = _families(library, design.most_members, rng)
    shared = rng.normal(0, SHARED, len(design.pairs))
    of_pair = rng.normal(size=len(library))
    groups = sorted({group for group, _ in truth.rates})
    apart = {group: rng.normal(0, truth.apart, len(design.pairs)) if truth.apart else 0.0 for group in groups}
    of_api = {group: rng.normal(size=len(library)) for group in groups}
    if design.most_members > 1 and "new" in of_api:
        of_api["new"] = np.sqrt(_SAME_NEWS) * of_api["new"][family] + np.sqrt(1 - _SAME_NEWS) * of_api["new"]
    items = {group: rng.integers(1, design.most_items + 1, len(library)) for group in groups}
    rows: list[tuple[NDArray[np.intp], Side, Floats]] = []
    means: dict[Side, float] = {}
    for (group, condition), rate in sorted(truth.rates.items()):
        mean = expit(logit(rate) + shared + apart[group])[library]
        own = np.sqrt(_SAME_API) * of_api[group] + np.sqrt(1 - _SAME_API) * rng.normal(size=len(library))
        chance = _beta(mean, truth.inside, np.sqrt(_MATCH) * of_pair + np.sqrt(1 - _MATCH) * own)
        pair = np.repeat(np.arange(len(library)), items[group])
        rows.append((pair, (group, condition), _scores(chance[pair], truth.continuous, rng)))
        means[group, condition] = float(mean[np.unique(family)].mean())
    return _answers(rows, library, family), means


def _families(library: NDArray[np.intp], most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The first pair of each pair's family: of those of one library in turn 1 to `most`, each number as often."""
    if most == 1:
        return np.arange(len(library))
    found = np.zeros(len(library), dtype=np.intp)
    start = 0
    while start < len(library):
        end = min(start + int(rng.integers(1, most + 1)), int(np.searchsorted(library, library[start], side="right")))
        found[start:end] = start
        start = end
    return found


def _beta(mean: Floats, inside: float, normal: Floats) -> Floats:
    """Chances from a beta distribution with this mean and correlation, in the ranks of `normal`."""
    scale = 1 / inside - 1
    return betaincinv(mean * scale, (1 - mean) * scale, ndtr(normal))


def _scores(chance: Floats, continuous: bool, rng: np.random.Generator) -> Floats:
    if continuous:
        kept = np.clip(chance, 1e-6, 1 - 1e-6)
        return rng.beta(2 * kept, 2 * (1 - kept))
    return (rng.random(len(chance)) < chance).astype(np.float64)


def _answers(
    rows: Sequence[tuple[NDArray[np.intp], Side, Floats]], library: NDArray[np.intp], family: NDArray[np.intp]
) -> Answers:
    pairs = np.concatenate([pair for pair, _, _ in rows])
    groups: list[Group] = [group for pair, (group, _), _ in rows for _ in range(len(pair))]
    names = [f"pair{pair}" for pair in pairs.tolist()]
    return Answers(
        libraries=[f"library{number}" for number in library[pairs].tolist()],
        apis=[f"{group}{name}" for group, name in zip(groups, names, strict=True)],
        matches=names,
        groups=groups,
        conditions=[condition for pair, (_, condition), _ in rows for _ in range(len(pair))],
        scores=np.concatenate([scores for _, _, scores in rows]),
        families=[f"pair{first}" for first in family[pairs].tolist()],
    )
