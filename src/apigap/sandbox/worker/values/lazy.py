"""Generators and other lazy iterators: what they give says more than that they are lazy."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import itertools
import types
from typing import Any

MOST = 1_000
_NAMED = (map, filter, zip, enumerate, reversed, *(v for v in vars(itertools).values() if isinstance(v, type)))
_LAZY = {id(cls) for cls in (*_NAMED, types.GeneratorType, *(type(iter(v)) for v in ([], (), {}, set(), "", range(0))))}
_islice, _list = itertools.islice, list


class Unrolled:
    """The type of a lazy iterator and its first items; `more` where it has, or may have, others."""

    def __init__(self, cls: type, items: list[Any], more: bool) -> None:
        self.cls = cls
        self.items = items
        self.more = more


def unrolled(value: Any) -> Any:
    """The items of the observed `value`, where it is a lazy iterator of the language's own; else itself.

    It is the answer's code that runs here, as part of the observation: its calls count, and what it raises.
    """
    cls = type(value)
    if id(cls) not in _LAZY:
        return value
    items = _list(_islice(value, MOST))
    return Unrolled(cls, items, more=len(items) == MOST)
