"""Warnings that the context has made errors stay errors: an answer must not need what warns that it is going away.

An answer could put other filters before those of the context, or another function in the place of the one that warns.
From here on what it puts before them comes after them, and that function stays. What libraries do to silence warnings
of their own is their affair.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownLambdaType=false
import re
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from .frames import Owners, is_standard_library
from .sealed_classes import sealed
from .watch.opaque_call import opaque

_MAIN, _NAMELESS = "__main__", "<string>"
_ACTION, _MODULE = 0, 3
_FIXED = ("warn", "warn_explicit", "__class__")
_CHANGES = (
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort",
    "__delitem__", "__iadd__", "__imul__", "__setitem__",
)  # fmt: skip
_HERE = (lambda: 0).__code__.co_filename
_getframe = sys._getframe  # pyright: ignore[reportPrivateUsage]
_put: Any = types.ModuleType.__setattr__
_module: Any = warnings


def keep_errors(owners: Owners) -> None:
    """Keep in force what the context has made of warnings, as far as it has made them errors.

    The machinery of warnings reads `warnings.filters`, which is a property from here on: what is put into the module's
    dictionary under that name filters nothing.
    """
    errors = [place for place, item in enumerate(_module.filters) if item[_ACTION] == "error"]
    if not errors:
        return
    own = _own_module(owners)
    first = [_for_answer(item, own) for item in _module.filters[: errors[-1] + 1]]
    kind = _filters_with(first, lambda: not _is_of_library(owners))
    held = [kind(first + _module.filters[len(first) :])]

    def put_filters(module: Any, value: Any) -> None:
        if type(value) is not kind:
            value = kind(value)
            if not _is_of_library(owners):
                value.settle(held[0].front())
        held[0] = value
        module.__dict__["filters"] = value

    def put(module: Any, name: str, value: Any) -> None:
        if name not in _FIXED or _is_of_library(owners):
            _put(module, name, value)

    _module.__dict__["filters"] = held[0]
    space = {
        "__setattr__": opaque(put),
        "filters": property(opaque(lambda module: held[0]), opaque(put_filters)),
        "__module__": "builtins",
    }
    _module.__class__ = sealed(type("module", (types.ModuleType,), space))


def _is_of_library(owners: Owners) -> bool:
    """Tell whether a library does what is just done: the nearest frame beyond the standard library is its."""
    frame: types.FrameType | None = _getframe(1)
    while frame is not None and (is_standard_library(frame.f_code) or frame.f_code.co_filename == _HERE):
        frame = frame.f_back
    return frame is not None and owners.of(frame.f_code) == "library" and not frame.f_code.co_filename.startswith("<")


def _for_answer(item: Any, own: Any) -> Any:
    """A filter of the context; one of its own module is one of the answer's."""
    pattern = item[_MODULE]
    is_main = pattern == _MAIN or (isinstance(pattern, re.Pattern) and pattern.pattern == _MAIN)
    return (*item[:_MODULE], own, *item[_MODULE + 1 :]) if is_main else item


def _own_module(owners: Owners) -> Any:
    """A matcher in the place of a filter's pattern: of the name of the answer's module, also one of its own choice.

    Libraries that hand filters on to their threads read the pattern's text, so it has that too. Nothing of the
    machinery can be reached from it.
    """

    class Pattern:
        __slots__ = ()
        pattern, flags = _MAIN, re.compile(_MAIN).flags
        match = staticmethod(opaque(lambda name: _is_of_answer(name, owners)))
        __reduce__ = opaque(lambda self: (re.compile, (_MAIN,)))

    return sealed(Pattern)()


def _is_of_answer(name: str, owners: Owners) -> bool:
    """Tell whether a warning of the module `name` is one of the answer's own calls.

    A module without a name of its own is called `<string>` by the machinery of warnings. What the standard library
    does is done for whoever called it.
    """
    if name == _MAIN:
        return True
    frame: types.FrameType | None = _getframe(1)
    while frame is not None:
        own = frame.f_globals.get("__name__")
        if name == (own if isinstance(own, str) else _NAMELESS) and _calls_for_answer(frame, owners):
            return True
        frame = frame.f_back
    return False


def _calls_for_answer(at: types.FrameType, owners: Owners) -> bool:
    """Tell whether the answer does what a frame does: its own, that of a text which it runs, or what these called.

    In a thread in which there is nothing but the standard library, it is whoever put the call there: the answer.
    """
    frame: types.FrameType | None = at
    while frame is not None and is_standard_library(frame.f_code):
        frame = frame.f_back
    return frame is None or owners.of(frame.f_code) == "candidate" or _is_text(frame)


def _is_text(frame: types.FrameType) -> bool:
    """Tell whether a frame runs a text that no module has made for itself, as libraries make methods."""
    code, space = frame.f_code, frame.f_globals
    module = sys.modules.get(space.get("__name__", ""))
    is_generated = getattr(module, "__dict__", None) is space and code.co_name != "<module>"
    return code.co_filename.startswith("<") and not is_generated


def _filters_with(first: list[Any], is_of_answer: Callable[[], bool]) -> type[Any]:
    """The class of lists of filters in which what the answer puts in comes after `first`, and those stay."""

    def front(filters: Any) -> list[Any]:
        """All down to the last of `first`."""
        places = [place for place, item in enumerate(filters) if _is_in(item, first)]
        return list(filters)[: places[-1] + 1] if places else first

    def settle(filters: Any, before: list[Any]) -> None:
        """Have `before` before all else again."""
        list.__setitem__(filters, slice(None), before + [item for item in filters if not _is_in(item, before)])

    def settling(change: Callable[..., Any]) -> Any:
        def method(filters: Any, *args: Any, **kwargs: Any) -> Any:
            before = front(filters)
            result = change(filters, *args, **kwargs)
            if is_of_answer():
                settle(filters, before)
            return result

        return method

    def part(filters: Any, key: Any) -> Any:
        found = list.__getitem__(filters, key)
        return kind(found) if key == slice(None) else found

    methods: dict[str, Any] = {name: settling(getattr(list, name)) for name in _CHANGES}
    methods.update(__getitem__=part, __reduce__=lambda filters: (list, (list(filters),)), front=front, settle=settle)
    space = {name: opaque(method) for name, method in methods.items()}  # which bind as functions do
    kind = sealed(type("Filters", (list,), {**space, "__slots__": ()}))
    return kind


def _is_in(item: Any, items: list[Any]) -> bool:
    return any(item is one for one in items)
