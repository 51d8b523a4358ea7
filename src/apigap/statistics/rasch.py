"""One scale for models and items: a Rasch fit (1PL) of right and wrong answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from apigap.records.errors import UsageError
from apigap.statistics.clusters import Floats
from apigap.statistics.rasch_fit import ItemFit, item_fit
from apigap.statistics.rasch_likelihood import Marginal, maximise

FEWEST_PERSONS, FEWEST_ITEMS = 4, 20
"""With fewer the spread of difficulties cannot be told from chance: see "One scale" in docs/statistics-measured.md."""
_SHORT = 0.3  # of an answer, by which a perfect score is taken to fall short (Wright & Stone 1979)


@dataclass(frozen=True)
class Ability:
    """The ability of a person (a model, or a model in a condition) on the logit scale, with its 95 % interval.

    0 is the mean difficulty of the items. A person who answers all items alike is `extreme`: `low` or `high` is None
    there, the other bound exact, `estimate` that of 0.3 of an answer less, and `error` is None.
    """

    person: str
    estimate: float
    error: float | None
    low: float | None
    high: float | None
    answered: int
    score: float
    extreme: bool


@dataclass(frozen=True)
class Difficulty:
    """The difficulty of an item on the same scale: its posterior mean and standard deviation, and how it fits."""

    item: str
    estimate: float
    error: float
    answered: int
    fit: ItemFit | None


@dataclass(frozen=True)
class RaschScale:
    """Abilities and difficulties, in the order given; `spread` is the standard deviation of the difficulties.

    Empty where `reason` says why. `misfits` are items that abler persons fail and weaker ones pass more often than
    the model allows, worst first.
    """

    abilities: tuple[Ability, ...]
    difficulties: tuple[Difficulty, ...]
    spread: float | None
    reason: str | None

    @property
    def misfits(self) -> tuple[Difficulty, ...]:
        """Items to look at, by falling outfit."""
        odd = [one for one in self.difficulties if one.fit is not None and one.fit.odd]
        return tuple(sorted(odd, key=lambda one: (-one.fit.outfit if one.fit else 0.0, one.item)))


def rasch(answers: ArrayLike, persons: Sequence[str], items: Sequence[str], level: float = 0.95) -> RaschScale:
    """Fit P(pass) = 1 / (1 + exp(difficulty - ability)) (Rasch 1960) to `answers`, shape (persons, items).

    Values lie in 0..1, NaN where an item was not asked of a person. Persons are few and items many, so abilities are
    estimated as they are and difficulties are integrated over a normal distribution (marginal maximum likelihood,
    Bock & Aitkin 1981, doi:10.1007/BF02293801, with the parts of persons and items changed over): joint estimates
    would be biased, by a factor near persons / (persons - 1) (Andersen 1973). Items that all or none pass stay in.

    Raises:
        UsageError: where the shape is not that of the names, a name is given twice or a value lies outside 0..1.
    """
    table = _checked(answers, persons, items)
    asked = ~np.isnan(table)
    scores, counts = np.nansum(table, axis=1), asked.sum(axis=1)
    told = (scores > 0) & (scores < counts)
    kept = asked[told].any(axis=0)
    reason = _too_little(int(told.sum()), int(kept.sum()), len(persons))
    if reason:
        return RaschScale((), (), None, reason)
    fitted = maximise(table[told])
    means, deviations = fitted.difficulties()
    fits = item_fit(table[told], fitted.abilities, means)
    difficulties = tuple(
        Difficulty(item, float(means[column]), float(deviations[column]), int(asked[:, column].sum()), fits[column])
        for column, item in enumerate(items)
    )
    return RaschScale(_abilities(fitted, persons, scores, asked, level), difficulties, fitted.spread, None)


def _abilities(
    fitted: Marginal, persons: Sequence[str], scores: Floats, asked: NDArray[np.bool_], level: float
) -> tuple[Ability, ...]:
    """Those of all persons who were asked anything; the fit holds the persons who are not extreme, in their order."""
    estimates, errors = iter(fitted.abilities.tolist()), iter(fitted.errors().tolist())
    margin = NormalDist().inv_cdf((1 + level) / 2)
    found: list[Ability] = []
    for person, score, mine in zip(persons, scores.tolist(), asked, strict=True):
        answered = int(mine.sum())
        if 0 < score < answered:
            value, error = next(estimates), next(errors)
            bounds = value - margin * error, value + margin * error
            found.append(Ability(person, value, error, *bounds, answered, score, extreme=False))
        elif answered:
            found.append(_extreme(person, fitted, mine, perfect=score > 0, level=level))
    return tuple(found)


def _extreme(person: str, fitted: Marginal, asked: NDArray[np.bool_], perfect: bool, level: float) -> Ability:
    """A perfect score says only how able the person is at least; none passed, at most."""
    count = int(asked.sum())
    wanted = count - _SHORT if perfect else _SHORT
    estimate = _root(lambda ability: float(fitted.chances(ability)[asked].sum()) - wanted)
    tail = np.log((1 - level) / 2)

    def log_chance(ability: float) -> float:
        chances = fitted.chances(ability)[asked]
        return float(np.log(chances if perfect else 1 - chances).sum())

    bound = _root(lambda ability: (log_chance(ability) - tail) * (1 if perfect else -1))
    low, high = (bound, None) if perfect else (None, bound)
    return Ability(person, estimate, None, low, high, count, float(count if perfect else 0), extreme=True)


def _root(rising: Callable[[float], float]) -> float:
    """The root of a rising function of an ability, by bisection."""
    below, above = -30.0, 30.0
    for _ in range(60):
        middle = (below + above) / 2
        below, above = (below, middle) if rising(middle) > 0 else (middle, above)
    return (below + above) / 2


def _too_little(persons: int, items: int, given: int) -> str | None:
    if persons < FEWEST_PERSONS:
        return (
            f"{persons} of {given} models (or conditions) pass some items and fail some; "
            f"a common scale needs {FEWEST_PERSONS}"
        )
    return f"{items} items are too few for a common scale; it needs {FEWEST_ITEMS}" if items < FEWEST_ITEMS else None


def _checked(answers: ArrayLike, persons: Sequence[str], items: Sequence[str]) -> Floats:
    table = np.asarray(answers, dtype=np.float64)
    if table.shape != (len(persons), len(items)):
        raise UsageError(
            f"answers of shape {table.shape} are not those of {len(persons)} persons and {len(items)} items"
        )
    for names in (persons, items):
        if len(set(names)) < len(names):
            raise UsageError(f"{max(names, key=list(names).count)} is there twice; give each person and item one name")
    outside = table[~((table >= 0) & (table <= 1)) & ~np.isnan(table)]
    if len(outside):
        raise UsageError(f"{outside[0]} is not a score between 0 and 1; NaN says that an item was not asked")
    return table
