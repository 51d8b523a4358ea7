"""Reading an object through the slots of its base classes, past anything that its own class overrides."""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import types
from collections.abc import Callable
from typing import Any

_mro = type.__dict__["__mro__"].__get__
_flags = type.__dict__["__flags__"].__get__
_module = type.__dict__["__module__"].__get__
_qualname = type.__dict__["__qualname__"].__get__
_namespace = type.__dict__["__dict__"].__get__
_HEAP_TYPE = 1 << 9
_NO_VALUES = ("__weakref", "__vectorcalloffset__", "__dictoffset__")  # places in memory, of classes made in C

_real = complex.__dict__["real"].__get__
_imag = complex.__dict__["imag"].__get__


def _parts(value: Any) -> tuple[float, float]:
    return _real(value), _imag(value)


replaced: dict[type, dict[str, Any]] = {}
"""First values of names in the namespaces of classes made in C, where others took their place."""

base_values: dict[type, Callable[[Any], Any]] = {
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    complex: _parts,
}
"""The exact builtin value inside an instance of a subclass."""


def type_mro(cls: type) -> tuple[type, ...]:
    """The method resolution order, whatever the metaclass says."""
    return _mro(cls)


def type_namespace(cls: type) -> Any:
    """The class's own namespace (a mapping proxy), whatever the metaclass says."""
    return _namespace(cls)


def first_namespace(cls: type) -> Any:
    """The class's own namespace as it was at first, where something in it has been `replaced`."""
    return {**_namespace(cls), **replaced[cls]} if cls in replaced else _namespace(cls)


def is_static(cls: type) -> bool:
    """Tell whether the class is compiled in: Python code cannot make such a class, so its name can be believed."""
    return not _flags(cls) & _HEAP_TYPE


def type_module(cls: type) -> str:
    """The module that the class says it comes from; `?` when that is not a string."""
    try:
        module = _module(cls)
    except AttributeError:
        return "?"
    return module if type(module) is str else "?"


def type_name(cls: type) -> str:
    """`module.qualified_name` of a class, builtins without their module."""
    module, name = type_module(cls), str.__str__(_qualname(cls))
    return name if module == "builtins" else f"{module}.{own_name(module, name)}"


def own_name(module: str, name: str) -> str:
    """A qualified name; in the program's own module without the functions that it was made in.

    Whether an answer wraps its lines in a function of its own says nothing of what it made.
    """
    return name.rpartition("<locals>.")[2] if module == "__main__" else name


def instance_dict(value: Any) -> Any:
    """The instance's own dictionary, or None; a property named `__dict__` is not asked."""
    for cls in _mro(type(value)):
        found = _namespace(cls).get("__dict__")
        if type(found) is types.GetSetDescriptorType:
            try:
                state = found.__get__(value)
            except Exception:
                return None
            return state if type(state) is dict else None
    return None


def slot_values(value: Any) -> list[tuple[str, Any]]:
    """The values held in `__slots__` of any class in the order of resolution."""
    pairs: list[tuple[str, Any]] = []
    for cls in _mro(type(value)):
        if is_static(cls):
            continue
        for name, member in _namespace(cls).items():
            if type(member) is types.MemberDescriptorType and type(name) is str and not name.startswith(_NO_VALUES):
                with contextlib.suppress(Exception):  # a slot that was never filled
                    pairs.append((name, member.__get__(value)))
    return pairs
