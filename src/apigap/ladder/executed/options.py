"""The choice of three wrong values to go with a right one, so that nothing but the values tells which is which.

How long the right one is among the four, how like the others, and how much of it stands in the code is drawn. So
whoever takes the longest, the one most like the rest, or what was read before is at chance, as far as what was executed
allows.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from apigap.ladder.executed.plain import kind_of, value_of
from apigap.records.base import content_hash

WRONG = 3
_POOL = 14


@dataclass(frozen=True)
class Executed:
    """A value as a literal, and the whole program that gave it; see `WrongProgram` for `telling` and `change`."""

    text: str
    program: str
    telling: bool = False
    change: bool = False


@dataclass(frozen=True)
class Chosen:
    """Three wrong values; `strain` is how far the right one is from its drawn places, 0 where it is at both."""

    wrong: tuple[Executed, ...]
    strain: int


def choose(right: Executed, others: Sequence[Executed], seed: str, *, show_change: bool) -> Chosen | None:
    """Three of `others`, distinct as texts and as values; None where there are no three that fit.

    All four are of one kind, or each kind has two of them. One is `telling` where there is any such, and one shows the
    `change` where that is wanted.
    """
    pool = _distinct(right, others)
    if show_change and not any(one.change for one in pool):
        return None
    wanted = [int(content_hash([seed, what]), 16) % (WRONG + 1) for what in ("length", "likeness", "reading")]
    best: tuple[tuple[int, int, int], tuple[Executed, ...]] | None = None
    for place, row in enumerate(_rows(right, pool, show_change)):
        strain = sum(_distance(drawn, *places) for drawn, places in zip(wanted, _places(right, row), strict=True))
        key = (strain, -sum(one.telling for one in row), place)
        if best is None or key < best[0]:
            best = (key, row)
    return Chosen(best[1], best[0][0]) if best else None


def _distinct(right: Executed, others: Sequence[Executed]) -> list[Executed]:
    """The first of each value; where texts differ and values do not (1, True, 1.0), the first of them."""
    kept: list[Executed] = []
    values = [value_of(right.text)]
    for one in others:
        value = value_of(one.text)
        if not any(value == other for other in values):
            values.append(value)
            kept.append(one)
    same = [one for one in kept if kind_of(one.text) == kind_of(right.text)]
    rest = [one for one in kept if one not in same] if len(same) < WRONG else []
    return [*same[:_POOL], *rest[:_POOL]]


def _rows(right: Executed, pool: Sequence[Executed], show_change: bool) -> Iterator[tuple[Executed, ...]]:
    any_telling = any(one.telling for one in pool)
    for row in combinations(pool, WRONG):
        kinds = [kind_of(one.text) for one in (right, *row)]
        alike = len(set(kinds)) == 1 or all(kinds.count(kind) == 2 for kind in kinds)
        tells = not any_telling or any(one.telling for one in row)
        if alike and tells and (not show_change or any(one.change for one in row)):
            yield row


def _places(right: Executed, row: Sequence[Executed]) -> tuple[tuple[int, int], ...]:
    """The first and last place that the right one can have by length, by the words that it shares with the rest, and by
    the share of its words that its code has.
    """
    words = [_words(one.text) for one in (right, *row)]
    like = [sum(len(own & other) for other in words) - len(own) for own in words]
    code = _words(right.program)
    read = [len(own & code) / max(len(own), 1) for own in words]
    return _range([len(right.text), *(len(one.text) for one in row)]), _range(like), _range(read)


def _range(values: Sequence[float]) -> tuple[int, int]:
    """The places of the first value among all, from the smallest: those that are equal can stand either way."""
    first, *rest = values
    return sum(value < first for value in rest), sum(value <= first for value in rest)


def _distance(drawn: int, low: int, high: int) -> int:
    return max(low - drawn, drawn - high, 0)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w.]+", text))
