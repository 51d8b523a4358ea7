"""What a call in the released form can hold: single values, and lists of numbers and truth values.

The released evaluator ends a value at the first quote, and texts within a list or a mapping are written with quotes.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from apigap.apibank_generator.records import Value, ValueType

MAPPING = "a mapping"


class Dropped(NamedTuple):
    """A parameter that no call can give, and `why`, in words that go on from its name."""

    name: str
    required: bool
    why: str


Given = Value | Dropped


def given(value: Value, unsayable: str) -> Given:
    """The parameter; dropped where `unsayable` says what it is that no call in the released form can hold."""
    if not unsayable:
        return value
    return Dropped(value.name, value.required, f"{unsayable}, which a call in the released form cannot hold")


def renamed(one: Given, name: str) -> Given:
    """The same under another name."""
    return one._replace(name=name) if isinstance(one, Dropped) else one.model_copy(update={"name": name})


def as_list_of(kind: ValueType, unsayable: str = "") -> str:
    """What a list of such items is where no call can hold it; empty where one can."""
    if kind == "list":
        return unsayable
    if kind == "dict":
        return "a list of mappings"
    return "" if kind in ("int", "float", "bool") else "a list of texts"


_MOST = 6
_TYPES: Mapping[Any, ValueType] = {
    bool: "bool", int: "int", float: "float", list: "list", dict: "dict", date: "date", datetime: "datetime",
}  # fmt: skip


def type_of(values: Iterable[Any]) -> ValueType | None:
    """The type of all `values`; a text where they are of several types, None where there is none but null."""
    kinds: set[ValueType] = {_type_of(value) for value in values if value is not None}
    if kinds == {"int", "float"}:
        return "float"
    return "str" if len(kinds) > 1 else next(iter(kinds), None)


def _type_of(value: Any) -> ValueType:
    for kind, name in _TYPES.items():
        if type(value) is kind:
            return name
    return "str"


def one_of(values: Iterable[Any]) -> str:
    """`one of a, b`; empty where there is none but null."""
    told = [value for value in values if value is not None]
    return f"one of {listed(told)}" if told else ""


def listed(names: Sequence[Any]) -> str:
    """The first six, and how many there are where there are more."""
    told = ", ".join(str(name) for name in names[:_MOST])
    return f"{told}, ... ({len(names)} in all)" if len(names) > _MOST else told


def described(words: str, inside: str) -> str:
    """A description with what is inside of a value: `Of the text: one of en, it`."""
    return f"{words.rstrip('.')}: {inside}" if words and inside else words or inside
