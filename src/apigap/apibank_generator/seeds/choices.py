"""Values that a parameter may have (`enum`, `const`, `Literal`): their type, and how they are told."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from apigap.apibank_generator.records import ValueType

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
