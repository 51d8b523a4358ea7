"""A part of a value: what remains belongs to what it belonged to, and fits where it fitted.

Atoms of two universes cannot be added up, and places have to be within an array. So an answer stops with a copy or with
other numbers where it goes on with some of what it would have got.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import copy
from typing import Any

from ..values.names import type_mro, type_namespace

_TEXTS = (str, bytes, bytearray, memoryview)


def altered_part(value: Any, step: int, depth: int = 0) -> Any:
    """`value` without its first items, how many `step` decides, or with such parts in the place of what it holds."""
    try:
        return _part(value, step, depth)
    except Exception:  # a library's own types may refuse anything
        return value


def cut_state(instance: Any, step: int, depth: int = 0) -> None:
    """Leave out the first items of what an instance keeps in its own namespace."""
    state = getattr(instance, "__dict__", None)
    if type(state) is dict:
        state.update({name: altered_part(held, step, depth + 1) for name, held in state.items()})


def _part(value: Any, step: int, depth: int) -> Any:
    kind: Any = type(value)
    if isinstance(value, (*_TEXTS, type)) or depth > 1:
        return value
    if hasattr(kind, "_make"):
        return kind._make(altered_part(held, step, depth + 1) for held in value)
    if isinstance(value, dict):
        other = copy.copy(value)
        dict.update(other, {key: altered_part(held, step, depth + 1) for key, held in dict.items(value)})
        return other
    if _is_sequence(kind):
        count = len(value)
        rest = getattr(value, "iloc", value)[1 + step % (count - 1) :] if count > 1 else value
        return rest if type(rest) is kind else value
    if depth or type(getattr(value, "__dict__", None)) is not dict:
        return value
    other = copy.copy(value)
    cut_state(other, step, depth)
    return other


def _is_sequence(kind: type) -> bool:
    names = {name for base in type_mro(kind) for name in type_namespace(base)}
    return {"__len__", "__getitem__"} <= names
