"""Frames that were handed the target: `np.apply_along_axis(target, 0, x)`, `frame.agg("name")`, `vectorize(target)(x)`.

Whoever hands a library, or a function of the context, the target to call has called it, as far as knowing the API goes.
So has who hands it a generator of the target, which begins to run only where it is looped over.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import functools
import types
from collections.abc import Iterable
from typing import Any

from ..values.names import instance_dict
from .c_call_tracer import innermost
from .method_callers import is_method_caller, method_name
from .own_call import names_itself
from .target import Target

_RUNNING: dict[Any, Any] = {
    types.GeneratorType: types.GeneratorType.__dict__["gi_code"].__get__,
    types.AsyncGeneratorType: types.AsyncGeneratorType.__dict__["ag_code"].__get__,
    types.CoroutineType: types.CoroutineType.__dict__["cr_code"].__get__,
}
_MOST = 100
_DEEPEST = 3


def is_held(frame: types.FrameType, target: Target, calls: types.FrameType) -> bool:
    """Tell whether a variable of the frame is the target, holds it, or is a text with its last name.

    Where the frame that `calls` the target names it in its own words, it had no need of that.
    """
    leaf = target.name.rpartition(".")[2]
    return not names_itself(calls, leaf) and _any(frame.f_locals.values(), target, leaf, 0)


def _any(values: Iterable[Any], target: Target, leaf: str, depth: int) -> bool:
    return any(_is(value, target, leaf, depth) for value in list(values)[:_MOST])


def _is(value: Any, target: Target, leaf: str, depth: int) -> bool:
    kind: Any = type(value)
    if value is target.value or (kind is str and value == leaf):
        return True
    if kind in _RUNNING:  # what its function gave when it was called
        return _RUNNING[kind](value) in (*target.codes, *target.wrappers)
    if kind is functools.partial:
        return _is(innermost(value), target, leaf, depth)
    if is_method_caller(value):
        return method_name(value) == target.name.rpartition(".")[2]
    if kind is types.MethodType:
        value = value.__func__
        kind = type(value)
    if kind is types.FunctionType:
        return any(value.__code__ is code for code in (*target.codes, *target.wrappers))
    if target.builtin is not None and kind is type(target.builtin):
        return target.is_builtin(value)
    if depth >= _DEEPEST or issubclass(kind, (type, types.ModuleType)):
        return False
    if kind in (list, tuple, set, frozenset):
        return _any(value, target, leaf, depth + 1)
    if kind is dict:
        return _any(value.values(), target, leaf, depth + 1)
    state = instance_dict(value)
    return state is not None and _any(state.values(), target, leaf, _DEEPEST)
