"""What a call in the released form can hold: single values, and lists of numbers and truth values.

The released evaluator ends a value at the first quote, and texts within a list or a mapping are written with quotes.
"""

from typing import NamedTuple

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
