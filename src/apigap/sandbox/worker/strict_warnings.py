"""Warnings that the context has made errors stay errors: an answer must not need what warns that it is going away.

An answer could put other filters before those of the context, or another function in the place of the one that warns.
From here on what it puts before them comes after them, and that function stays. What libraries do to silence warnings
of their own is their affair.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from .frames import Owners, is_standard_library
from .watch.opaque_call import opaque

_MAIN = "__main__"
_ACTION, _MODULE = 0, 3
_FIXED = ("warn", "warn_explicit")
_CHANGES = (
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort",
    "__delitem__", "__iadd__", "__imul__", "__setitem__",
)  # fmt: skip
_HERE = (lambda: 0).__code__.co_filename
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_put: Any = types.ModuleType.__setattr__
_module: Any = warnings


def keep_errors(owners: Owners) -> None:
    """Keep in force what the context has made of warnings, as far as it has made them errors."""
    errors = [place for place, item in enumerate(_module.filters) if item[_ACTION] == "error"]
    if not errors:
        return
    own = _OwnModule(owners)
    first = [_for_answer(item, own) for item in _module.filters[: errors[-1] + 1]]
    kind = _filters_with(first, lambda: not _is_of_library(owners))

    def put(module: Any, name: str, value: Any) -> None:
        if name in _FIXED and not _is_of_library(owners):
            return
        if name == "filters" and type(value) is not kind:
            value = kind(value)
            if not _is_of_library(owners):
                value.settle(module.filters.front())
        _put(module, name, value)

    _module.filters = kind(first + _module.filters[len(first) :])
    _module.__class__ = type("module", (types.ModuleType,), {"__setattr__": opaque(put), "__module__": "builtins"})


def _is_of_library(owners: Owners) -> bool:
    """Tell whether a library does what is just done: the nearest frame beyond the standard library is its."""
    frame: types.FrameType | None = _getframe(1)
    while frame is not None and (is_standard_library(frame.f_code) or frame.f_code.co_filename == _HERE):
        frame = frame.f_back
    return frame is not None and owners.of(frame.f_code) == "library" and not frame.f_code.co_filename.startswith("<")


def _for_answer(item: Any, own: _OwnModule) -> Any:
    """A filter of the context; one of its own module is one of the answer's."""
    pattern = item[_MODULE]
    is_main = pattern == _MAIN or (isinstance(pattern, re.Pattern) and pattern.pattern == _MAIN)
    return (*item[:_MODULE], own, *item[_MODULE + 1 :]) if is_main else item


class _OwnModule:
    """Matches, as a filter's pattern does, the name of the answer's module, also one that it has given to itself.

    Libraries that hand filters on to their threads read the pattern's text, so it has that too.
    """

    pattern, flags = _MAIN, re.compile(_MAIN).flags

    def __init__(self, owners: Owners) -> None:
        self.owners = owners

    def match(self, name: str) -> bool:
        """Tell whether a warning of the module `name` is one of the answer's own calls."""
        if name == _MAIN:
            return True
        frame: types.FrameType | None = _getframe(1)
        while frame is not None:
            if self.owners.of(frame.f_code) == "candidate" and frame.f_globals.get("__name__") == name:
                return True
            frame = frame.f_back
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        """Reach another process as the pattern that the context has written."""
        return re.compile, (_MAIN,)


def _filters_with(first: list[Any], is_of_answer: Callable[[], bool]) -> type[Any]:
    """The class of lists of filters in which what the answer puts in comes after `first`, and those stay."""

    class Filters(list[Any]):
        def __getitem__(self, key: Any) -> Any:
            found = super().__getitem__(key)
            return Filters(found) if key == slice(None) else found

        def __reduce__(self) -> tuple[Any, ...]:
            return list, (list(self),)

        def front(self) -> list[Any]:
            """All down to the last of `first`."""
            places = [place for place, item in enumerate(self) if _is_in(item, first)]
            return list(self)[: places[-1] + 1] if places else first

        def settle(self, front: list[Any]) -> None:
            """Have `front` before all else again."""
            list.__setitem__(self, slice(None), front + [item for item in self if not _is_in(item, front)])

    def settling(change: Callable[..., Any]) -> Any:
        def method(self: Filters, *args: Any, **kwargs: Any) -> Any:
            front = self.front()
            result = change(self, *args, **kwargs)
            if is_of_answer():
                self.settle(front)
            return result

        return method

    for name in _CHANGES:
        setattr(Filters, name, settling(getattr(list, name)))
    return Filters


def _is_in(item: Any, items: list[Any]) -> bool:
    return any(item is one for one in items)
