"""Calls that are written as JSON: objects with name and arguments, messages of providers, objects keyed by the name."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from apigap.benchmarks.calls.check import Call
from apigap.benchmarks.native_calls import ARGUMENTS, arguments_of, is_conversation, native_items
from apigap.records.parsing.json_shapes import is_list, is_object

_NAMES = ("name", "function", "function_name", "tool", "tool_name")
_LISTS = ("calls", "tool_calls", "function_calls")
Item = Call | None
"""A call, or None for something that was to be one and cannot be read."""


def items_of(value: Any, offered: Collection[str]) -> list[Item] | None:
    """The calls of one JSON value in their order, none where it lists none; None where it is no list of calls."""
    if is_list(value) and not is_conversation(value):
        if not value:
            return []
        found = [_item(inner, offered) for inner in value]
        return [item for several in found for item in several or [None]] if any(f is not None for f in found) else None
    if is_list(value):
        return [_read(item, offered) for message in value for item in native_items(message) or []]
    return _item(value, offered)


def _item(value: Any, offered: Collection[str]) -> list[Item] | None:
    """The calls of an object; None where it is none that has any."""
    if not is_object(value):
        return None
    native = native_items(value)
    if native is not None:
        return [_read(item, offered) for item in native]
    listed = next((value[key] for key in _LISTS if is_list(value.get(key))), None)
    if listed is not None:
        return [_read(item, offered) for item in listed]
    return [_read(value, offered)] if _is_call(value, offered) else None


def _is_call(value: Mapping[str, Any], offered: Collection[str]) -> bool:
    """True for an object that was to be a call: by its keys, or by the name of a function that is offered."""
    if is_object(value.get("function")):
        return True
    named = next((value[key] for key in _NAMES if isinstance(value.get(key), str)), None)
    if named is not None:
        return named in offered or any(key in value for key in ARGUMENTS)
    return len(value) == 1 and all(key in offered or _by_name(inner) for key, inner in value.items())


def _by_name(value: Any) -> bool:
    """True for the value of `{"name": {arguments}}`, where the arguments may be JSON within JSON."""
    return isinstance(value, str) and is_object(arguments_of(value))


def _read(item: Any, offered: Collection[str]) -> Item:
    if not is_object(item):
        return None
    inner = item.get("function")
    if is_object(inner):
        return _read(inner, offered)
    name = next((item[key] for key in _NAMES if isinstance(item.get(key), str)), None)
    if name is None:
        ((name, told),) = item.items() if len(item) == 1 else ((None, None),)
    else:
        told = next((item[key] for key in ARGUMENTS if key in item), None)
    arguments = arguments_of(told)
    empty = arguments is None or (isinstance(arguments, str) and not arguments.strip())
    given: Any = {} if empty else arguments
    if not isinstance(name, str) or not is_object(given) or _is_schema(item, given):
        return None
    return Call(name, given)


def _is_schema(item: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    """True where a function is described, as it was in the prompt, and not called."""
    return "parameters" in item and is_object(given.get("properties"))


def prose_of(value: Any) -> Iterator[str]:
    """The texts of a provider's message or of a whole response, beside its calls."""
    for key in ("message", "content", "text", "choices", "output", "parts"):
        inner = value.get(key) if is_object(value) else None
        if isinstance(inner, str):
            yield inner
        elif is_object(inner):
            yield from prose_of(inner)
        elif is_list(inner):
            for part in inner:
                yield from prose_of(part)
