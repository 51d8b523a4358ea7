"""Kinds and origins of objects, read without running code of theirs."""

# Whatever a library raises is a fact about it, so everything is caught.
# ruff: noqa: BLE001
from __future__ import annotations

import functools
import inspect
import types
from typing import Any

_CACHED = type(functools.lru_cache(len))


def class_of(value: Any) -> Any:
    """The true class, which no property called `__class__` can hide."""
    return type.__call__(type, value)


def kind_of(value: Any, leaf: str) -> str | None:
    """`class`, `function`, or None for what is a variable, a module or a typing form."""
    kind = class_of(value)
    if issubclass(kind, type):
        return "class"
    if issubclass(kind, types.ModuleType) or kind.__module__ in ("typing", "typing_extensions", "types"):
        return None
    if inspect.isroutine(value) or kind is _CACHED:
        return "function"
    # ufuncs, compiled functions, dispatchers: callables that know their own name
    is_named = callable(value) and getattr(value, "__name__", None) == leaf
    return "function" if is_named and isinstance(getattr(value, "__doc__", None), str) else None


def member_kind(raw: Any, cls: type) -> str | None:
    """The kind of what a class keeps under a public name, or None for data."""
    kind = class_of(raw)
    if issubclass(kind, (property, functools.cached_property)) or kind is types.GetSetDescriptorType:
        return "property"
    if issubclass(kind, classmethod) or kind is types.ClassMethodDescriptorType:
        return "classmethod"
    if issubclass(kind, staticmethod):
        return "staticmethod"
    if issubclass(kind, (type, types.MemberDescriptorType, types.ModuleType)) or not hasattr(kind, "__get__"):
        return None
    if callable(raw) or issubclass(kind, (functools.partialmethod, functools.singledispatchmethod)):
        return "method"
    # a descriptor of the library's own: a method where it binds, a property where it keeps to itself
    if isinstance(raw.__get__(None, cls), (types.FunctionType, types.MethodType)):
        return "method"
    return "property" if inspect.isfunction(inner_of(raw)) else None


def inner_of(raw: Any) -> Any:
    """The function inside a descriptor, or the object itself."""
    if isinstance(raw, types.FunctionType):
        return raw.__dict__.get("__wrapped__") or raw
    for attribute in ("__func__", "fget", "func", "__wrapped__"):
        inner = inspect.getattr_static(raw, attribute, None)
        if inner is not None:
            return getattr(raw, attribute)
    return raw


def home_of(value: Any) -> Any:
    """The module that holds the code; libraries overwrite `__module__`, globals they do not."""
    named = getattr(value, "__module__", None)
    if isinstance(value, type):
        prefix = getattr(value, "__qualname__", "") + "."
        for member in vars(value).values():
            if isinstance(member, types.FunctionType) and member.__qualname__.startswith(prefix):
                found = member.__globals__.get("__name__")
                # methods made by exec (dataclasses, named tuples) live nowhere
                return found if isinstance(found, str) and found.partition(".")[0] == top_of(named) else named
        return named
    function = unwrapped(inner_of(value))
    found = getattr(function, "__globals__", {}).get("__name__")
    return found if isinstance(found, str) and isinstance(named, str) else named


def top_of(module: Any) -> str | None:
    """The first segment of a module's name."""
    return module.partition(".")[0] if isinstance(module, str) else None


def unwrapped(function: Any) -> Any:
    """The function inside decorators that set `__wrapped__`."""
    try:
        return inspect.unwrap(function)
    except BaseException:
        return function


def vars_of(value: Any) -> dict[str, Any]:
    """An object's own attributes, also of one that has none."""
    own: Any = getattr(value, "__dict__", {})
    return own
