"""What `operator.methodcaller("name", ...)` calls, which it looks up and calls in C, so that no event tells of it."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import operator
import types
from typing import Any

from ..values.names import type_mro, type_namespace

_BOUND = (types.MethodDescriptorType, types.ClassMethodDescriptorType, types.WrapperDescriptorType)
_MOST = 100
_reduce: Any = operator.methodcaller.__reduce__
_variables: Any = vars(types.ModuleType)["__dict__"].__get__


def is_method_caller(function: Any) -> bool:
    """Check for an exact `operator.methodcaller`."""
    return type(function) is operator.methodcaller


def method_name(caller: Any) -> str:
    """The name of the method that a method caller asks for."""
    maker, arguments = _reduce(caller)
    return (arguments if maker is operator.methodcaller else maker.args)[0]  # a partial, where there are keywords


def method_of(caller: Any, holder: Any) -> Any:
    """The method of `holder` that would be called, bound where it is made in C; None where there is none.

    Nothing of the holder is run: what it makes up when it is asked is not found.
    """
    name = method_name(caller)
    if issubclass(type(holder), types.ModuleType):
        return _variables(holder).get(name)
    kind: Any = holder if issubclass(type(holder), type) else type(holder)
    found: Any = next((type_namespace(base)[name] for base in type_mro(kind) if name in type_namespace(base)), None)
    if type(found) is staticmethod:
        return found.__func__
    if type(found) in _BOUND:
        return found.__get__(None if kind is holder else holder, kind)
    return found


def holders(values: list[Any]) -> list[Any]:
    """What a method caller may be called with: the values, and the items of those that are lists or tuples."""
    items = [item for value in values if type(value) in (list, tuple) for item in value[:_MOST]]
    return [*items, *values]
