"""The context's own functions, classes and modules, put back before anything is observed.

An observation asks the context's functions about what the answer has made; an answer that gives such a function another
body, or shadows a builtin that it calls, would answer itself. What the task's reference redefines is not put back.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import builtins
import contextlib
import types
from collections.abc import Iterable
from typing import Any

from .values.names import type_module, type_namespace

_BUILTINS = frozenset(vars(builtins))
_PARTS = ("__code__", "__defaults__", "__kwdefaults__")
_slots = {name: types.FunctionType.__dict__[name] for name in _PARTS}
_METHODS = (types.FunctionType, staticmethod, classmethod, property)
_set_on_class = type.__setattr__


class Kept:
    """The meaning of `names` in `space` when the context's code had run."""

    def __init__(self, space: dict[str, Any], names: Iterable[str], context: types.CodeType) -> None:
        kinds = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type)
        self.space = space
        self.values = {name: space[name] for name in names if name in space and isinstance(space[name], kinds)}
        self.shadows = (_names_used(context) & _BUILTINS) - set(space)
        self.functions: list[tuple[Any, list[Any]]] = []
        self.methods: list[tuple[type, str, Any]] = []
        for value in self.values.values():
            self._note(value)

    def _note(self, value: Any) -> None:
        if type(value) is types.FunctionType:
            self.functions.append((value, [_slots[name].__get__(value) for name in _PARTS]))
        elif isinstance(value, type) and type_module(value) == "__main__":
            for name, held in list(type_namespace(value).items()):
                if isinstance(held, _METHODS):
                    self.methods.append((value, name, held))
                    self._note(getattr(held, "__func__", getattr(held, "fget", held)))

    def restore(self) -> None:
        """Put back what has been redefined since."""
        for name in self.shadows:
            self.space.pop(name, None)
        for name, value in self.values.items():
            self.space[name] = value
        for function, parts in self.functions:
            for name, held in zip(_PARTS, parts):  # noqa: B905  (Python 3.9 has no strict)
                if _slots[name].__get__(function) is not held:
                    _slots[name].__set__(function, held)
        for cls, name, held in self.methods:
            if type_namespace(cls).get(name) is not held:
                with contextlib.suppress(TypeError, AttributeError):
                    _set_on_class(cls, name, held)


def _names_used(code: types.CodeType) -> set[str]:
    """Every name that a code object, or one inside it, looks up beyond its own."""
    found = set(code.co_names)
    for const in code.co_consts:
        if type(const) is types.CodeType:
            found |= _names_used(const)
    return found
