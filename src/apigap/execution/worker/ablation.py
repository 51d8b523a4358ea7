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

from .names import is_static, type_namespace
from .target import Target

_PLACE = "place of the exception"


class SwitchedOff(Exception):
    """What the target raises while it is switched off."""


def switch_off(target: Target, how: str) -> None:
    """Make the target raise `SwitchedOff` (`raise`) or return None without doing anything (`nothing`)."""
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
        _in_modules(target.value, _stub(how))


def _class(cls: type, how: str) -> None:
    if is_static(cls):
        _in_modules(cls, _stub(how))
        return
    with contextlib.suppress(TypeError, AttributeError):
        cls.__init__ = _stub(how)
        if how == "raise":
            cls.__new__ = staticmethod(_stub(how))
            setattr(cls, "__init_subclass__", classmethod(_stub(how)))  # noqa: B010  (the type checker knows no better)
        elif "__new__" in type_namespace(cls):
            cls.__new__ = staticmethod(_bare)


def _bare(cls: type, *args: Any, **kwargs: Any) -> Any:
    """An instance without any state."""
    return object.__new__(cls)


def _like(value: Any, how: str) -> Any:
    for kind in (staticmethod, classmethod, property):
        if isinstance(value, kind):
            return kind(_stub(how))
    return _stub(how)


def _stub(how: str) -> Any:
    def stub(*args: Any, **kwargs: Any) -> None:
        if how == "raise":
            raise SwitchedOff

    return stub


def _function(function: types.FunctionType, how: str) -> None:
    """Give a function code that raises or does nothing, and is a coroutine or generator where the old one was."""
    old = function.__code__
    code = _compiled(len(old.co_freevars), inspect.CO_ASYNC_GENERATOR & old.co_flags, old.co_flags, how)
    consts = tuple(SwitchedOff if const == _PLACE else const for const in code.co_consts)
    function.__code__ = code.replace(co_consts=consts, co_name=old.co_name)


def _compiled(cells: int, is_async_generator: int, flags: int, how: str) -> types.CodeType:
    """Code with as many free variables as the old one has: Python takes no other in its place."""
    names = [f"c{number}" for number in range(cells)]
    is_async = flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
    yields = is_async_generator or flags & inspect.CO_GENERATOR
    lines = [
        "def outer():",
        f"    {' = '.join(names)} = None" if names else "    pass",
        f"    {'async ' if is_async else ''}def stub(*args, **kwargs):",
        f"        {', '.join(names) or 'pass'}",
        f"        raise {_PLACE!r}" if how == "raise" else "        return",
        *(["        yield"] if yields else []),
        "    return stub",
    ]
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<switched off>", "exec"), space)  # the text is made here
    return space["outer"]().__code__


def _in_modules(value: Any, stub: Any) -> None:
    """Put `stub` in the place of `value` under every name of every module."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if type(names) is dict:
            for name in [name for name, held in names.items() if held is value]:
                names[name] = stub
