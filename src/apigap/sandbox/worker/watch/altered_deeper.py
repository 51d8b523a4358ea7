"""Another value down to what lies deeper in it, and whose functions give other results, too.

A function that was handed over (`relationship(order_by=lambda: Supplier.name)`) waits in the result unread until a
library calls it, and what an answer uses of an object may belong to an object of an object of it: whatever else of the
result is altered may change nothing.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import copy
import functools
import types
from typing import Any

from ..values.names import type_mro, type_namespace
from .altered import alter_state, altered, altered_function

_DEEPEST = 3
_DEEPER = 1.5  # a level, and a half, so that at no level `altered` takes a function for the whole result
_MOST = 1_000
_FUNCTIONS = (types.FunctionType, functools.partial)


def altered_deeper(value: Any, step: int, depth: int = 0) -> Any:
    """`value`, `step` away from itself, a level of objects deeper, with functions in it that give other results."""
    if type(value) in _FUNCTIONS:
        return altered_function(value, step)
    return altered(_held(value, step, 0), step, depth - _DEEPER)


def alter_state_deeper(instance: Any, step: int, depth: int = 0) -> None:
    """Alter what an instance keeps in its own namespace, and what the functions that it holds give."""
    for name, other in _others(_attributes(instance), step, 0).items():
        object.__setattr__(instance, name, other)
    alter_state(instance, step, depth - _DEEPER)


def _held(value: Any, step: int, depth: int) -> Any:
    """A copy with other functions in it, or `value` itself where it holds none or cannot be copied."""
    try:
        return _with_others(value, step, depth)
    except Exception:  # a library's own types may refuse anything
        return value


def _with_others(value: Any, step: int, depth: int) -> Any:
    kind = type(value)
    if kind in _FUNCTIONS:
        return altered_function(value, step) if depth else value
    if depth > _DEEPEST or isinstance(value, (type, types.ModuleType)):
        return value
    make = getattr(kind, "_make", kind if kind in (list, tuple) else None)
    if make is not None:
        others = _others(dict(enumerate(value[:_MOST])), step, depth)
        items = [others.get(place, held) for place, held in enumerate(value)]
        return make(items) if others else value
    others = _others(value if kind is dict else _attributes(value), step, depth)
    if kind is dict:
        return {**value, **others} if others else value
    other = copy.copy(value) if others else value
    for name, held in others.items():
        object.__setattr__(other, name, held)
    return other


def _others(held: dict[Any, Any], step: int, depth: int) -> dict[Any, Any]:
    """Those of the values by name that are others now."""
    some = list(held.items())[:_MOST]
    made = {name: _held(value, step, depth + 1) for name, value in some}
    return {name: made[name] for name, value in some if made[name] is not value}


def _attributes(value: Any) -> dict[str, Any]:
    """What an object keeps in its namespace and in its slots."""
    state = getattr(value, "__dict__", None)
    slots = {
        name: getattr(value, name, None)
        for base in type_mro(type(value))
        for name, held in type_namespace(base).items()
        if type(held) is types.MemberDescriptorType and not name.startswith("__")
    }
    return {**slots, **state} if type(state) is dict else slots
