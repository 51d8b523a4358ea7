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

from .altered import alter_state, altered
from .names import is_static, type_namespace
from .target import Target

_STAND_IN = "place of the stand-in"


class SwitchedOff(Exception):
    """What the target raises while it is switched off."""


def switch_off(target: Target, how: str) -> None:
    """Make the target raise `SwitchedOff` (`raise`), do nothing and return None (`nothing`), or do its work and give
    another value than it should (`alter`)."""
    if target.cls is not None:
        _class(target.cls, how)
        return
    leaf = target.name.rpartition(".")[2]
    if target.owner is not None and leaf not in type_namespace(target.owner):
        # An inherited method is shared with other classes: only this one gets another.
        with contextlib.suppress(TypeError, AttributeError):
            setattr(target.owner, leaf, _like(target.value, how))
        return
    for function in target.functions:
        _function(function, how)
    if not target.functions:
        _in_modules(target.value, _stub(how, target.value))


def _class(cls: type, how: str) -> None:
    if is_static(cls):
        _in_modules(cls, _stub(how, cls))
        return
    with contextlib.suppress(TypeError, AttributeError):
        if how == "alter":
            cls.__init__ = _altering_init(cls.__init__)
            return
        cls.__init__ = _stub(how, None)
        if how == "raise":
            cls.__new__ = staticmethod(_stub(how, None))
            setattr(cls, "__init_subclass__", classmethod(_stub(how, None)))  # noqa: B010  (pyright knows no better)
        elif "__new__" in type_namespace(cls):
            cls.__new__ = staticmethod(_bare)


def _bare(cls: type, *args: Any, **kwargs: Any) -> Any:
    """An instance without any state."""
    return object.__new__(cls)


def _altering_init(original: Any) -> Any:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        original(self, *args, **kwargs)
        alter_state(self)

    return __init__


def _like(value: Any, how: str) -> Any:
    if isinstance(value, property):
        return property(_stub(how, value.fget))
    for kind in (staticmethod, classmethod):
        if isinstance(value, kind):
            return kind(_stub(how, value.__func__))
    return _stub(how, value)


def _stub(how: str, original: Any) -> Any:
    """A function that does what a switched off one does; one that alters calls `original`."""
    stand_in = _STAND_INS[how](original)

    def stub(*args: Any, **kwargs: Any) -> Any:
        return stand_in(*args, **kwargs)

    return stub


def _raising(original: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> None:
        raise SwitchedOff

    return call


def _idle(original: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> None:
        return None

    return call


class _Altering:
    """Calls the original and alters what it gives, but not what altering itself asks of it."""

    def __init__(self, original: Any) -> None:
        self.original = original
        self.busy = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        value = self.original(*args, **kwargs)
        if inspect.iscoroutine(value):
            return self._awaited(value)
        if inspect.isgenerator(value):
            return map(self._other, value)
        return self._each(value) if inspect.isasyncgen(value) else self._other(value)

    async def _awaited(self, value: Any) -> Any:
        return self._other(await value)

    async def _each(self, values: Any) -> Any:
        async for value in values:
            yield self._other(value)

    def _other(self, value: Any) -> Any:
        if self.busy:
            return value
        self.busy = True
        try:
            return altered(value)
        finally:
            self.busy = False


_STAND_INS: dict[str, Any] = {"raise": _raising, "nothing": _idle, "alter": _Altering}


def _function(function: types.FunctionType, how: str) -> None:
    """Give a function other code, which is a coroutine or generator where the old one was."""
    old = function.__code__
    original = types.FunctionType(
        old, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    original.__kwdefaults__ = function.__kwdefaults__
    stand_in = _STAND_INS[how](original)
    code = _compiled(len(old.co_freevars), old.co_flags, how)
    consts = tuple(stand_in if const == _STAND_IN else const for const in code.co_consts)
    function.__code__ = code.replace(co_consts=consts, co_name=old.co_name)


def _compiled(cells: int, flags: int, how: str) -> types.CodeType:
    """Code with as many free variables as the old one has: Python takes no other in its place."""
    names = [f"c{number}" for number in range(cells)]
    is_async = flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
    lines = [
        "def outer():",
        f"    {' = '.join(names)} = None" if names else "    pass",
        f"    {'async ' if is_async else ''}def stub(*args, **kwargs):",
        f"        {', '.join(names) or 'pass'}",
        f"        call = {_STAND_IN!r}",
        *(f"        {line}" for line in _body(flags, alters=how == "alter")),
        "    return stub",
    ]
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<switched off>", "exec"), space)  # the text is made here
    return space["outer"]().__code__


def _body(flags: int, alters: bool) -> list[str]:
    """What the stand-in's result is to a caller of each kind of function."""
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
