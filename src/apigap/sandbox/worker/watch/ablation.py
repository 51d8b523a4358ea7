"""Switching the target off for one run: an answer that really goes through it then shows other values.

Python functions are switched off in place, by another code object, so every alias, partial, bound method and registry
that holds them is reached; a class by its constructors; what is made in C by another value under its name in every
module. Nobody is told that nothing could be switched off: the reference is run in the same way, and what does not
change its values is no evidence against an answer either.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import inspect
import sys
import types
from typing import Any

from ..values.names import is_static, type_namespace
from .altered import ONLY_DATA, alter_state, altered, altered_one
from .altered_calls import alter_state_with_calls, altered_with_calls
from .altering import Altering, step_of
from .opaque_call import forwarding, opaque
from .target import Target

_STAND_IN = "place of the stand-in"
_CHANGES: dict[str, Any] = {
    "alter one": (altered_one, alter_state),
    "alter calls": (altered_with_calls, alter_state_with_calls),
}


class SwitchedOff(Exception):
    """Raised by the target while it is switched off."""


def switch_off(target: Target, how: str, salt: int) -> None:
    """Make the target raise `SwitchedOff` (`raise`), do nothing and return None (`nothing`), or do its work and give
    another value than it should (`alter`), which depends on `salt`; with `alter data` only the numbers and texts of an
    object are others, and what it refers to is the same, with `alter one` only one of plain data, with `alter first`
    only the first result is altered, and with `alter calls` also what the functions in a result give."""
    _Switch(how, salt).switch(target)


class _Switch:
    """One way to switch off."""

    def __init__(self, how: str, salt: int) -> None:
        self.how = how
        self.salt = salt
        self.alters = how.startswith("alter")
        self.depth = ONLY_DATA if how == "alter data" else 0
        self.change, self.alter_state = _CHANGES.get(how, (altered, alter_state))
        if how == "alter first":
            self.change, self.alter_state = _OnlyFirst(self.change), _OnlyFirst(self.alter_state)

    def switch(self, target: Target) -> None:
        if target.cls is not None:
            self._class(target.cls)
            return
        leaf = target.name.rpartition(".")[2]
        if target.owner is not None and leaf not in type_namespace(target.owner):
            # An inherited method is shared with other classes: only this one gets another.
            with contextlib.suppress(TypeError, AttributeError):
                setattr(target.owner, leaf, self._like(target.value))
            return
        for function in target.functions:
            self._function(function)
        if not target.functions:
            _in_modules(target.value, self._stub(target.value))

    def _class(self, cls: type) -> None:
        if is_static(cls):
            _in_modules(cls, self._stub(cls))
            return
        with contextlib.suppress(TypeError, AttributeError):
            if self.alters:
                cls.__init__ = forwarding(self._altering_init(cls.__init__), "__init__")
                return
            cls.__init__ = self._stub(None)
            if self.how == "raise":
                cls.__new__ = staticmethod(self._stub(None))
                setattr(cls, "__init_subclass__", classmethod(self._stub(None)))  # noqa: B010  (pyright knows no better)
            elif "__new__" in type_namespace(cls):
                cls.__new__ = staticmethod(forwarding(_bare))

    def _like(self, value: Any) -> Any:
        if isinstance(value, property):
            return property(self._stub(value.fget))
        for kind in (staticmethod, classmethod):
            if isinstance(value, kind):
                return kind(self._stub(value.__func__))
        return self._stub(value)

    def _altering_init(self, original: Any) -> Any:
        def construct(instance: Any, *args: Any, **kwargs: Any) -> None:
            original(instance, *args, **kwargs)
            self.alter_state(instance, step_of(self.salt, args, kwargs), self.depth)

        return construct

    def _stub(self, original: Any) -> Any:
        """A function that does what a switched off one does; one that alters calls `original`."""
        return forwarding(self._stand_in(original))

    def _stand_in(self, original: Any) -> Any:
        if self.alters:
            return Altering(original, self.salt, self.depth, self.change)
        return _raise if self.how == "raise" else _do_nothing

    def _function(self, function: types.FunctionType) -> None:
        """Give a function other code, which is a coroutine or generator where the old one was."""
        old = function.__code__
        original = types.FunctionType(
            old, function.__globals__, function.__name__, function.__defaults__, function.__closure__
        )
        original.__kwdefaults__ = function.__kwdefaults__
        stand_in = opaque(self._stand_in(original))
        code = _compiled(len(old.co_freevars), old.co_flags, alters=self.alters)
        consts = tuple(stand_in if const == _STAND_IN else const for const in code.co_consts)
        function.__code__ = code.replace(
            co_consts=consts, co_filename=old.co_filename, co_name=old.co_name, co_firstlineno=old.co_firstlineno
        )


class _OnlyFirst:
    """A change that is made once: after that things stay as they are."""

    def __init__(self, change: Any) -> None:
        self.change = change

    def __call__(self, value: Any, step: int, depth: int = 0) -> Any:
        change, self.change = self.change, None
        return value if change is None else change(value, step, depth)


def _bare(cls: type, *args: Any, **kwargs: Any) -> Any:
    """An instance without any state."""
    return object.__new__(cls)


def _raise(*args: Any, **kwargs: Any) -> None:
    raise SwitchedOff


def _do_nothing(*args: Any, **kwargs: Any) -> None:
    return None


def _compiled(cells: int, flags: int, alters: bool) -> types.CodeType:
    """Code with as many free variables as the old one has: Python takes no other in its place."""
    names = [f"c{number}" for number in range(cells)]
    is_async = flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
    lines = [
        "def outer():",
        f"    {' = '.join(names)} = None" if names else "    pass",
        f"    {'async ' if is_async else ''}def stub(*args, **kwargs):",
        f"        {', '.join(names) or 'pass'}",
        f"        call = {_STAND_IN!r}",
        *(f"        {line}" for line in _body(flags, alters)),
        "    return stub",
    ]
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<switched off>", "exec"), space)  # the text is made here
    return space["outer"]().__code__


def _body(flags: int, alters: bool) -> list[str]:
    """The stand-in's result as a caller of each kind of function gets it."""
    if flags & inspect.CO_ASYNC_GENERATOR:
        return (
            ["async for value in call(*args, **kwargs):", "    yield value"]
            if alters
            else ["call()", "return", "yield"]
        )
    if flags & inspect.CO_GENERATOR:
        return ["yield from call(*args, **kwargs)"] if alters else ["call()", "return", "yield"]
    if flags & inspect.CO_COROUTINE and alters:
        return ["return await call(*args, **kwargs)"]
    return ["return call(*args, **kwargs)"]


def _in_modules(value: Any, stub: Any) -> None:
    """Put `stub` in the place of `value` under every name of every module."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if type(names) is dict:
            for name in [name for name, held in names.items() if held is value]:
                names[name] = stub
