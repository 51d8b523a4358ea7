"""Values that a call in the released form can hold: single values, and lists of numbers and truth values.

The released evaluator ends a value at the first quote, and texts within a list or a mapping are written with quotes.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from apigap.apibank_generator.records import Value, ValueType

MAPPING = "a mapping"


class UncallableParameter(NamedTuple):
    """A parameter that no call can give, and `why`, in words that go on from its name."""

    name: str
    required: bool
    why: str


CallParameter = Value | UncallableParameter


def call_parameter(value: Value, unsupported: str) -> CallParameter:
    """The parameter; uncallable where `unsupported` names a kind of value that no call can hold."""
    if not unsupported:
        return value
    why = f"{unsupported}, which a call in the released form cannot hold"
    return UncallableParameter(value.name, value.required, why)


def as_list_of(kind: ValueType, unsupported: str = "") -> str:
    """The name of a list of such items where no call can hold it; empty where one can."""
    if kind == "list":
        return unsupported
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


def choices_text(values: Iterable[Any]) -> str:
    """`one of a, b`; empty where there is none but null."""
    choices = [value for value in values if value is not None]
    return f"one of {listed(choices)}" if choices else ""


def listed(names: Sequence[Any]) -> str:
    """The first six, and how many there are where there are more."""
    first = ", ".join(str(name) for name in names[:_MOST])
    return f"{first}, ... ({len(names)} in all)" if len(names) > _MOST else first


def with_contents(words: str, inside: str) -> str:
    """A description with the contents of a value: `Of the text: one of en, it`."""
    return f"{words.rstrip('.')}: {inside}" if words and inside else words or inside
