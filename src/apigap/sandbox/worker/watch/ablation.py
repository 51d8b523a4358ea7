"""Switching the target off for one run: an answer that really goes through it then shows other values.

Python functions are switched off in place, by another code object, so every alias, partial, bound method and registry
that holds them is reached; a class by its constructors; what is made in C by another value under its name in its
class, also in one that lets nobody change it, or in every module. Nobody is told that nothing could be switched off:
the reference is run in the same way, and what does not change its values is no evidence against an answer either.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import inspect
import sys
import types
from typing import Any

from ..sealed_classes import put_in_class
from ..values.names import is_static, type_namespace
from .altered import ONLY_DATA, alter_state, altered, altered_one
from .altered_deeper import alter_state_deeper, altered_deeper
from .altered_parts import altered_part, cut_state
from .altering import Altering, step_of
from .opaque_call import forwarding, opaque
from .target import Target

_STAND_IN, _CALL = "place of the stand-in", "__stand_in__"
_CHANGES: dict[str, Any] = {
    "alter one": (altered_one, alter_state),
    "alter part": (altered_part, cut_state),
    "alter deeper": (altered_deeper, alter_state_deeper),
}


class SwitchedOff(Exception):
    """Raised by the target while it is switched off."""


def switch_off(target: Target, how: str, salt: int) -> None:
    """Make the target raise `SwitchedOff` (`raise`), do nothing and return None (`nothing`), or do its work and give
    another value than it should (`alter`), which depends on `salt`; with `alter data` only the numbers and texts of an
    object are others, and what it refers to is the same, with `alter one` only one of plain data, with `alter part`
    some of the first items are left out, with `alter first` only the first result is altered, and with `alter deeper`
    also what lies deeper in a result, and what the functions in it give."""
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
        if target.owner is not None and not (target.functions and leaf in type_namespace(target.owner)):
            # An inherited method is shared with other classes: only this one gets another.
            put_in_class(target.owner, leaf, self._like(target.value))
        elif target.functions:
            for function in target.functions:
                self._function(function)
        else:
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
        if isinstance(value, types.ClassMethodDescriptorType):
            return classmethod(self._stub(_unbound(value)))
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
        code = _compiled(old, alters=self.alters)
        consts = tuple(stand_in if const == _STAND_IN else const for const in code.co_consts)
        function.__code__ = code.replace(
            co_consts=consts, co_filename=old.co_filename, co_name=old.co_name, co_firstlineno=old.co_firstlineno
        )


def _unbound(method: types.ClassMethodDescriptorType) -> Any:
    """A function that is given the class first, as the one behind a class method in Python is."""

    def call(cls: type, *args: Any, **kwargs: Any) -> Any:
        return method.__get__(None, cls)(*args, **kwargs)

    return call


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


def _compiled(old: types.CodeType, alters: bool) -> types.CodeType:
    """Code with the parameters of `old`, which decorators read, and as many free variables: Python takes no other."""
    names = [f"c{number}" for number in range(len(old.co_freevars))]
    taken, passed = _parameters(old)
    is_async = old.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR)
    lines = [
        "def outer():",
        f"    {' = '.join(names)} = None" if names else "    pass",
        f"    {'async ' if is_async else ''}def stub({', '.join(taken)}):",
        f"        {', '.join(names) or 'pass'}",
        f"        {_CALL} = {_STAND_IN!r}",
        *(f"        {line}" for line in _body(old.co_flags, alters, ", ".join(passed))),
        "    return stub",
    ]
    space: dict[str, Any] = {}
    exec(compile("\n".join(lines), "<switched off>", "exec"), space)  # the text is made here
    return space["outer"]().__code__


def _parameters(code: types.CodeType) -> tuple[list[str], list[str]]:
    """The parameters of a function as its head has them, without defaults, and as they are passed on.

    All but the first are passed by name where that is possible, as who alters results knows `out` by it.
    """
    names, first, count = code.co_varnames, code.co_posonlyargcount, code.co_argcount
    only = names[count : count + code.co_kwonlyargcount]
    rest = list(names[count + len(only) :])
    others = [f"*{rest.pop(0)}"] if code.co_flags & inspect.CO_VARARGS else []
    more = [f"**{rest[0]}"] if code.co_flags & inspect.CO_VARKEYWORDS else []
    slash, star = ["/"] if first else [], others or (["*"] if only else [])
    taken = [*names[:first], *slash, *names[first:count], *star, *only, *more]
    by_place = count if others else min(count, max(first, 1))
    by_name = (f"{name}={name}" for name in (*names[by_place:count], *only))
    return taken, [*names[:by_place], *others, *by_name, *more]


def _body(flags: int, alters: bool, passed: str) -> list[str]:
    """The stand-in's result as a caller of each kind of function gets it."""
    call = f"{_CALL}({passed})"
    if flags & inspect.CO_ASYNC_GENERATOR:
        return [f"async for value in {call}:", "    yield value"] if alters else [call, "return", "yield"]
    if flags & inspect.CO_GENERATOR:
        return [f"yield from {call}"] if alters else [call, "return", "yield"]
    if flags & inspect.CO_COROUTINE and alters:
        return [f"return await {call}"]
    return [f"return {call}"]


def _in_modules(value: Any, stub: Any) -> None:
    """Put `stub` in the place of `value` under every name of every module."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if type(names) is dict:
            for name in [name for name, held in names.items() if held is value]:
                names[name] = stub
