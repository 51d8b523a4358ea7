"""The rules by which BFCL judges an argument, written anew from what its project documents and does.

They differ from ours (`values`, `schema`): texts are compared without spaces and `,./-_*^`, in lower case, single
quotes as double ones; `3.0` is no integer; an enumeration is no bound; an argument that has no accepted value may not
be given, not even with its default. An accepted value of another type than the declared one is taken for a variable's
name, and values of its type are allowed. `""` among the accepted values says that an argument may be left out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from apigap.benchmarks.calls.bfcl.languages import Language, read_value
from apigap.benchmarks.calls.check import Rules
from apigap.benchmarks.calls.finding import Finding, shown
from apigap.benchmarks.calls.schema import Schema
from apigap.records.parsing.json_shapes import is_list, is_object

_TYPES: Mapping[str, type] = {
    "string": str, "integer": int, "float": float, "number": float, "boolean": bool, "array": list, "tuple": list,
    "dict": dict, "object": dict, "any": str, "byte": int, "short": int, "long": int, "double": float, "char": str,
    "Array": list, "ArrayList": list, "HashMap": dict, "Hashtable": dict, "Queue": list, "Stack": list, "Set": list,
    "String": str, "Boolean": bool, "Bigint": int,
}  # fmt: skip
"""The declared types of all languages."""
JSON_TYPES: Mapping[type, str] = {
    str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"
}  # fmt: skip
_IGNORED = re.compile(r"[ ,./\-_*^]")
LEFT_OUT = ""


def standard(text: Any) -> Any:
    """A text as BFCL compares it; anything else stays."""
    return _IGNORED.sub("", text).lower().replace("'", '"') if isinstance(text, str) else text


def declared(schema: Any) -> type | None:
    """The Python type of a declared one; None where none is declared that is known."""
    kind = schema.get("type") if is_object(schema) else None
    return _TYPES.get(kind) if isinstance(kind, str) else None


def may_be_left_out(accepted: Any) -> bool:
    """True where the accepted values have the mark of an argument that may be left out."""
    return is_list(accepted) and LEFT_OUT in accepted


def argument(language: Language | Literal["python"]) -> Callable[[str, Any, Any, Any, Schema], list[Finding]]:
    """The judge of one argument of a function in this language."""

    def judge(name: str, value: Any, accepted: Any, schema: Any, root: Schema) -> list[Finding]:
        del root
        known: Mapping[str, Any] = schema if is_object(schema) else {}
        allowed: list[Any] = accepted if is_list(accepted) else [accepted]
        if language == "python":
            value = float(value) if declared(known) is float and type(value) is int else value
        elif not isinstance(value, str):
            return [_wrong_type(name, value, f"a text, as {language} writes the value")]
        else:
            value = read_value(value, str(known.get("type")), _inner_name(known), language)
        return _judged(name, value, allowed, known)

    return judge


def _judged(name: str, value: Any, accepted: Sequence[Any], schema: Mapping[str, Any]) -> list[Finding]:
    kind = declared(schema)
    told = _first_type(accepted)
    if kind is None or type(value) is kind:
        if kind is list and not _items_fit(value, accepted, schema):
            return [_wrong_type(name, value, "a list of another type")]
        variable = kind is not None and told is not None and told is not kind
    elif told is not None and type(value) is told:
        variable = True
    else:
        return [_wrong_type(name, value, str(schema.get("type")))]
    fine = value in accepted if variable else _accepted(value, accepted, schema)
    return [] if fine else [Finding("wrong value", name, f"{name} is {shown(value)}, accepted is {shown(accepted)}")]


def _first_type(accepted: Iterable[Any]) -> Any:
    """The type of the first accepted value; None where there is none."""
    return next((type(one) for one in accepted if one != LEFT_OUT), None)  # pyright: ignore


def _wrong_type(name: str, value: Any, told: str) -> Finding:
    return Finding("wrong type", name, f"{name} must be {told}, not {shown(value)}")


def _inner_name(schema: Mapping[str, Any]) -> str | None:
    items = schema.get("items")
    kind = items.get("type") if is_object(items) else None
    return kind if isinstance(kind, str) else None


def _items_fit(value: list[Any], accepted: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    """True if a list's items have the declared type, or that of an accepted list's own items."""
    inner = declared(schema.get("items"))
    if inner is None:
        return True
    return any(not is_list(one) or all(type(item) in (inner, _first_type(one)) for item in value) for one in accepted)


def _accepted(value: Any, accepted: Sequence[Any], schema: Mapping[str, Any]) -> bool:
    if isinstance(value, str):
        return standard(value) in [standard(one) for one in accepted if isinstance(one, str)]
    if is_object(value):
        return any(_object_fits(value, one) for one in accepted if is_object(one))
    if is_list(value) and declared(schema.get("items")) is dict:
        return any(_objects_fit(value, one) for one in accepted if is_list(one))
    if is_list(value):
        return [standard(item) for item in value] in [_standard_list(one) for one in accepted]
    return value in accepted


def _standard_list(accepted: Any) -> list[Any]:
    """An accepted list; the mark of an argument that may be left out stands for an empty one."""
    return [standard(item) for item in accepted] if is_list(accepted) else []


def _object_fits(value: Mapping[str, Any], accepted: Mapping[str, Any]) -> bool:
    """True if each key has one of the values that are accepted for it, and none is missing that may not be."""
    if any(key not in value and not may_be_left_out(one) for key, one in accepted.items()):
        return False
    return all(
        key in accepted and is_list(accepted[key]) and standard(inner) in [standard(one) for one in accepted[key]]
        for key, inner in value.items()
    )


def _objects_fit(value: Sequence[Any], accepted: Sequence[Any]) -> bool:
    return len(value) == len(accepted) and all(
        is_object(one) and is_object(two) and _object_fits(one, two) for one, two in zip(value, accepted, strict=True)
    )


def _never(value: Any, schema: Any, root: Schema) -> bool:
    """False: what has no accepted value may not be given."""
    del value, schema, root
    return False


BFCL: Mapping[Literal["bfcl python", "bfcl java", "bfcl javascript"], Rules] = {
    "bfcl python": Rules(argument("python"), may_be_left_out, _never),
    "bfcl java": Rules(argument("java"), may_be_left_out, _never),
    "bfcl javascript": Rules(argument("javascript"), may_be_left_out, _never),
}
