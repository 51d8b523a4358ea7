"""The rows by which two states differ.

Old rows, those that a system starts with, are compared as they are. New ones are compared column by column: free texts
by their words, the rest as it was meant. Which new row stands for which is found as a matching, so neither order nor
keys matter.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apigap.benchmarks.apibank.live.state import Row, State
from apigap.benchmarks.apibank.times import DAY, TIME, normal
from apigap.benchmarks.matching import most_pairs
from apigap.records.parsing.json_shapes import is_list, is_object

_SECRET = ("password", "token")
_WORDS = ("content", "meeting_topic", "subject", "location", "hotel_name", "music_name")
"""Free texts: a new one is the same where at least half of the words of both are in common."""
_WORD = re.compile(r"\w+")
_TITLE = re.compile(r"^dr\.? (?=\w)")
_MEASURED = re.compile(r"([\d./]+) ?(?:bpm|mmhg|mg/dl|kg|cm|lbs?|%)")
"""A value with its unit, in health data."""
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?")
"""Numbers that are told apart as such; what begins with a zero is a name."""


@dataclass(frozen=True)
class Difference:
    """A row that is missing from a state, or that it has beyond what it should."""

    table: str
    row: Row
    missing: bool

    def __str__(self) -> str:
        """One line for people, without secrets and bounded."""
        told = ", ".join(f"{name}: {value}" for name, value in self.row.items() if name not in _SECRET)
        return f"{'missing' if self.missing else 'superfluous'} in {self.table}: {told}"[:300]


def differences(goal: State, reached: State, start: State, free: Collection[str] = ()) -> list[Difference]:
    """The rows by which `reached` differs from `goal`.

    `start` has the rows of the start for every table of the two that is a database. `free` names columns in which a new
    row may hold anything.
    """
    return [
        difference
        for table in dict.fromkeys([*goal, *reached])
        for difference in _differing(
            table, _table(goal, table, start), _table(reached, table, start), start.get(table, ()), free
        )
    ]


def _table(state: State, name: str, start: State) -> Sequence[Row]:
    return state[name] if name in state else start.get(name, ())


def _differing(
    table: str, goal: Sequence[Row], reached: Sequence[Row], start: Sequence[Row], free: Collection[str]
) -> Iterator[Difference]:
    known = {_key(row) for row in start}
    (kept, wanted), (left, found) = _sorted_out(goal, known), _sorted_out(reached, known)
    for key in dict.fromkeys([*kept, *left]):
        theirs, ours = kept.get(key, []), left.get(key, [])
        yield from (Difference(table, row, missing=True) for row in theirs[len(ours) :])
        yield from (Difference(table, row, missing=False) for row in ours[len(theirs) :])
    pairs = most_pairs([[same_row(one, other, free) for other in found] for one in wanted])
    yield from (Difference(table, row, missing=True) for number, row in enumerate(wanted) if number not in pairs)
    taken = set(pairs.values())
    yield from (Difference(table, row, missing=False) for number, row in enumerate(found) if number not in taken)


def _sorted_out(rows: Sequence[Row], known: set[str]) -> tuple[Mapping[str, list[Row]], list[Row]]:
    """Old rows by what they hold, and new ones."""
    old: dict[str, list[Row]] = {}
    new: list[Row] = []
    for row in rows:
        key = _key(row)
        if key in known:
            old.setdefault(key, []).append(row)
        else:
            new.append(row)
    return old, new


def _key(row: Row) -> str:
    return repr(sorted(row.items()))


def same_row(one: Row, other: Row, free: Collection[str] = ()) -> bool:
    """True if two new rows mean the same, whatever they hold in the columns `free`."""
    first, second = _columns(one, free), _columns(other, free)
    return first.keys() == second.keys() and all(_same(name, first[name], second[name]) for name in first)


def _columns(row: Row, free: Collection[str]) -> dict[str, Any]:
    """The columns of a row in one spelling: what is measured has names that a model writes itself."""
    named = {re.sub(r"[\s-]+", "_", str(name).strip().lower()): value for name, value in row.items()}
    return {name: value for name, value in named.items() if name not in free}


def _same(column: str, one: Any, other: Any) -> bool:
    if column in _SECRET:
        return bool(one == other)
    if column in _WORDS and isinstance(one, str) and isinstance(other, str):
        return same_words(one, other)
    return bool(meant(one) == meant(other))


def same_words(one: str, other: str) -> bool:
    """True if at least half of the words of both texts are in common; case and punctuation do not count."""
    first, second = set(_WORD.findall(one.casefold())), set(_WORD.findall(other.casefold()))
    return one == other if not first or not second else 2 * len(first & second) >= len(first | second)


def meant(value: Any) -> Any:
    """A value without its spelling: times in one form, numbers as numbers, lists in any order."""
    if is_object(value):
        return "object", tuple(sorted((str(key), repr(meant(inner))) for key, inner in value.items()))
    if is_list(value):
        return "list", tuple(sorted(repr(meant(inner)) for inner in value))
    if isinstance(value, str):
        return _meant_text(" ".join(value.split()).casefold())
    return value if value is None or isinstance(value, bool) else _meant_text(str(value))


def _meant_text(text: str) -> Any:
    for pattern in (TIME, DAY):
        try:
            return normal(text, pattern)
        except ValueError:
            continue
    measured = _MEASURED.fullmatch(text)
    bare = _TITLE.sub("", measured[1] if measured else text)
    return float(bare) if _NUMBER.fullmatch(bare) else bare
