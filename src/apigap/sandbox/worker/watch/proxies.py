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

from ..values.names import type_mro, type_namespace
from .target import Target

_MOST_BETWEEN = 10
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
        if is_layer(above, target) or _is_proxy(above, target):
            found = above
        above = above.f_back
    return found


def is_layer(frame: types.FrameType, target: Target) -> bool:
    """Tell whether the frame is of a decorator around the target, and not around another function that it decorates.

    One that compiles itself at its first call has other code than when the target was found.
    """
    code = frame.f_code
    if code not in target.wrappers and not any(layer.__code__ is code for layer in target.layers):
        return False
    if target.cls is not None and code.co_argcount:
        kind = type(frame.f_locals.get(code.co_varnames[0]))
        made_by = next((n["__init__"] for n in map(type_namespace, type_mro(kind)) if "__init__" in n), None)
        return _runs(frame, made_by)
    return any(_runs(frame, layer) for layer in target.layers)


def _is_proxy(frame: types.FrameType, target: Target) -> bool:
    """Tell whether the frame runs a function of the target's name that says (`__wrapped__`) what it stands for."""
    code = frame.f_code
    leaf = target.name.rpartition(".")[2]
    named: list[Any] = [frame.f_globals.get(leaf)]
    if code.co_argcount:
        first = frame.f_locals.get(code.co_varnames[0])
        named += [type_namespace(cls).get(leaf) for cls in type_mro(type(first))]
    return any(_runs(frame, raw) and _leads_to(raw, target) for raw in named)


def _runs(frame: types.FrameType, function: Any) -> bool:
    """Tell whether the frame is of this function; those of one decorator share their code, but not what it holds.

    What it holds is in its closure, or in defaults of its keywords that are functions.
    """
    if type(function) is not types.FunctionType or function.__code__ is not frame.f_code:
        return False
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))  # noqa: B905  (Python 3.9 has no strict)
    held = {name: value for name, value in (function.__kwdefaults__ or {}).items() if type(value) is types.FunctionType}
    if any(frame.f_locals.get(name, value) is not value for name, value in held.items()):
        return False
    return all(name in frame.f_locals and _content(cell) is frame.f_locals[name] for name, cell in cells.items())


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None


def _leads_to(function: Any, target: Target) -> bool:
    for _ in range(_MOST_WRAPPED):
        function = getattr(function, "__wrapped__", None)
        if type(function) is not types.FunctionType:
            return False
        if function.__code__ in target.codes:
            return True
    return False
