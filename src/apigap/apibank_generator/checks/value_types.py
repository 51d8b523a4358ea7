"""Types of parameters and outputs: the names that models and documents give them, and a test of values."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from apigap.apibank_generator.records import VALUE_TYPES, ValueType

_NAMES: Mapping[str, ValueType] = {
    **{name: name for name in VALUE_TYPES},
    "string": "str", "text": "str", "integer": "int", "number": "float", "double": "float", "decimal": "float",
    "boolean": "bool", "array": "list", "tuple": "list", "set": "list", "frozenset": "list", "sequence": "list",
    "collection": "list", "iterable": "list", "iterator": "list", "object": "dict", "mapping": "dict",
    "date-time": "datetime", "timestamp": "datetime",
}  # fmt: skip
_OPTIONAL = re.compile(r"(?:\w+\.)*+optional\[(.*)\]", re.DOTALL)
_INNER = re.compile(r"\s*[\[(<].*$", re.DOTALL)
_ZONE = r"(?:Z|[+-]\d{2}:\d{2})?"
_FORMS: Mapping[ValueType, re.Pattern[str]] = {
    "date": re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII),
    "time": re.compile(rf"\d{{2}}:\d{{2}}:\d{{2}}(?:\.\d+)?{_ZONE}", re.ASCII),
    "datetime": re.compile(rf"\d{{4}}-\d{{2}}-\d{{2}}[T ]\d{{2}}:\d{{2}}:\d{{2}}(?:\.\d+)?{_ZONE}", re.ASCII),
}
"""YYYY-MM-DD and HH:MM:SS, as agent 4 is told; a fraction of a second and a time zone may follow, as in RFC 3339.

Python's own readers take `20240101`, `2024-W01-1` and `12` too.
"""


def value_type(name: str) -> ValueType | None:
    """The type that `name` means (`string`, `typing.List[str]`, `None | int`); None where it is not known."""
    text = "|".join(part for part in name.lower().split("|") if part.strip() != "none").strip()
    optional = _OPTIONAL.fullmatch(text)
    return _NAMES.get(_INNER.sub("", optional[1].strip() if optional else text).rpartition(".")[2])


def is_of_type(value: Any, kind: ValueType) -> bool:
    """True for a JSON value of the type; a whole number is a float too, and a bool is no number."""
    if kind == "bool":
        return isinstance(value, bool)
    if kind in ("int", "float"):
        return isinstance(value, int if kind == "int" else int | float) and not isinstance(value, bool)
    if kind in ("list", "dict"):
        return isinstance(value, list if kind == "list" else dict)
    return isinstance(value, str) and (kind == "str" or _is_time(value, kind))


def is_nothing(value: Any, kind: ValueType) -> bool:
    """True for what stands in a result where there is no value: null, and of what is written as text an empty one."""
    return value is None or (value == "" and (kind == "str" or kind in _FORMS))


def _is_time(text: str, kind: ValueType) -> bool:
    reader: Any = {"date": date, "time": time, "datetime": datetime}[kind]
    try:
        reader.fromisoformat(text)
    except ValueError:
        return False
    return _FORMS[kind].fullmatch(text) is not None
