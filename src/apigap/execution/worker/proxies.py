"""Frames of a library that only hand a call on to the target: its decorators' machinery, and proxies of its name.

`sqlalchemy.Select.fetch` is a generated function that calls a helper that calls the method; `Model.objects.create` is
a method of a manager that calls the query set's. Whoever calls the outermost of these calls the target.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import types
from collections.abc import Callable
from typing import Any

from .names import type_mro, type_namespace
from .target import Target

_MOST_BETWEEN = 4
_MOST_WRAPPED = 10


def outermost(
    frame: types.FrameType, target: Target, is_library: Callable[[types.CodeType], bool]
) -> types.FrameType | None:
    """The frame at or a few above `frame` that stands for the target itself; None where there is none.

    Frames of anything but a library end the search.
    """
    found: types.FrameType | None = None
    above: types.FrameType | None = frame
    for _ in range(_MOST_BETWEEN):
        if above is None or not is_library(above.f_code):
            break
        if above.f_code in target.wrappers or _is_proxy(above, target):
            found = above
        above = above.f_back
    return found


def _is_proxy(frame: types.FrameType, target: Target) -> bool:
    """Whether the frame runs a function of the target's name that says (`__wrapped__`) what it stands for."""
    code = frame.f_code
    leaf = target.name.rpartition(".")[2]
    named: list[Any] = [frame.f_globals.get(leaf)]
    if code.co_argcount:
        first = frame.f_locals.get(code.co_varnames[0])
        named += [type_namespace(cls).get(leaf) for cls in type_mro(type(first))]
    return any(_function_of(raw, code) and _leads_to(raw, target) for raw in named)


def _function_of(raw: Any, code: types.CodeType) -> bool:
    return type(raw) is types.FunctionType and raw.__code__ is code


def _leads_to(function: Any, target: Target) -> bool:
    for _ in range(_MOST_WRAPPED):
        function = getattr(function, "__wrapped__", None)
        if type(function) is not types.FunctionType:
            return False
        if function.__code__ in target.codes:
            return True
    return False
