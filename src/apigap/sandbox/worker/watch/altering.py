"""A call whose result is altered: by how much depends on a secret of the run and on what the call was given.

So an answer that learns from one call how results are altered does not know it for another, and an answer that hands
the target the task's data gets what the reference gets from it. An immutable value that shows nothing of what it holds,
like a date of a library in C, is altered by what it is made of: it is what the target gives for another argument.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import inspect
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from ..values.names import type_module
from .altered import altered

_SHARED = (bool, int, float, str, bytes, tuple, type(None))  # the same object may mean nothing
_MOST = 1_000
_DEEPEST = 4
_WIDTH = 89
_SHORTEST = 10
_ADDRESS = re.compile(
    rb"\b(?:0x[0-9a-f]{9,16}|\d{13,16})\b"
)  # of an object, another in each run (`module.Class:9482...`)
_SPREAD, _PRIME = 2_654_435_761, 2**61 - 1  # so that neighbouring sums get steps far apart


def step_of(salt: int, args: Any, kwargs: Any) -> int:
    """By how much the result of a call is altered, 1 to 89.

    The numbers and texts among the arguments decide, in any order and by whatever name and container they come:
    `f([1, 2])` and `f(x=array([2, 1]))` are altered alike.
    """
    found = sum(_weights((*args, *(value for name, value in kwargs.items() if name != "out"))))
    return 1 + ((salt ^ found) * _SPREAD % _PRIME) % _WIDTH


def _weights(values: Any, depth: int = 0) -> Iterator[int]:
    for value in list(values)[:_MOST]:
        kind = type(value)
        if kind is int or kind is float:
            yield hash(value) % 1_000_003 if value == value else 1  # nan has another hash each time
        elif kind is str or kind is bytes:
            data = value.encode("utf-8", "surrogatepass") if kind is str else value
            yield zlib.crc32(_ADDRESS.sub(b"", data) if len(data) > _SHORTEST else data)
        elif depth < _DEEPEST:
            yield from _weights(_parts(kind, value), depth + 1)


def _parts(kind: type, value: Any) -> Any:
    """The contents of a container of the language, an array or a table; nothing of any other object."""
    if kind in (list, tuple, set, frozenset):
        return value
    if kind is dict:
        return (*value, *value.values())
    numpy = sys.modules.get("numpy")
    try:
        if type_module(kind).partition(".")[0] == "polars":  # which stops the program where numpy is not installed
            return value.head(_MOST).to_dict(as_series=False).values() if hasattr(value, "rows") else value.to_list()
        if numpy is not None and isinstance(value, numpy.generic):
            return (value.item(),)
        array = value if numpy is not None and isinstance(value, numpy.ndarray) else value.to_numpy()
        held = array.ravel()[:_MOST].tolist()
        return held if type(held) is list else ()  # what has every attribute that is asked for is no table
    except Exception:
        return ()


def _is_sealed_value(value: Any) -> bool:
    """Tell whether this is an immutable value, like a date, in whose place no other can be made of what it shows."""
    kind = type(value)
    is_value = kind.__eq__ is not object.__eq__ and kind.__hash__ is not None
    return is_value and kind not in _SHARED and not callable(value) and not hasattr(value, "__dict__")


class Altering:
    """Calls the original and alters what it gives, but not what altering itself asks of it."""

    def __init__(self, original: Any, salt: int, depth: int = 0, change: Callable[..., Any] = altered) -> None:
        self.original = original
        self.salt = salt
        self.change = change
        self.depth = depth
        self.busy = False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The original's result, altered; in place where the caller has handed over the array to write to."""
        step = step_of(self.salt, args, kwargs)
        value = self.original(*args, **kwargs)
        if inspect.iscoroutine(value):
            return self._awaited(value, step)
        if inspect.isgenerator(value):
            return (self._other(one, step) for one in value)
        if inspect.isasyncgen(value):
            return self._each(value, step)
        if type(value) not in _SHARED and any(value is given for given in (*args, *kwargs.values())):
            return self._in_place(value, step)
        outs = kwargs.get("out")
        if type(outs) is tuple or (value is None and args):
            for changed in outs or args[:1]:
                self._in_place(changed, step)
            return value
        other = self._other(value, step)
        if other is value and self.change is altered and not self.depth and _is_sealed_value(value):
            return self._of_other_arguments(value, step, args, kwargs)
        return other

    def _of_other_arguments(self, value: Any, step: int, args: Any, kwargs: Any) -> Any:
        """A value of the same class that the original gives where one argument is another; else the value itself."""
        for place, given in [*enumerate(args), *kwargs.items()]:
            other = self._other(given, step)
            if other is given:
                continue
            changed = tuple(other if number == place else one for number, one in enumerate(args))
            named = {name: other if name == place else one for name, one in kwargs.items()}
            found = self._given(changed, named)
            if type(found) is type(value) and found != value:
                return found
        return value

    def _given(self, args: Any, kwargs: Any) -> Any:
        """The original's result; None where it does not accept the arguments, which says nothing."""
        try:
            return self.original(*args, **kwargs)
        except Exception:
            return None

    async def _awaited(self, value: Any, step: int) -> Any:
        return self._other(await value, step)

    async def _each(self, values: Any, step: int) -> Any:
        async for value in values:
            yield self._other(value, step)

    def _in_place(self, value: Any, step: int) -> Any:
        """The value itself with other contents, where it is an array, a column or a list.

        Any other is an object that was given and comes back to be used on (`graph.add(x).add(y)`): it stays as it is.
        """
        other = self._other(value, step)
        if other is value:
            return value
        if type(value) is list:
            value[:] = other
            return value
        for module, kind in (("numpy", "ndarray"), ("pandas", "Series")):
            if isinstance(value, getattr(sys.modules.get(module), kind, ())) and other.shape == value.shape:
                value[...] = other
        return value

    def _other(self, value: Any, step: int) -> Any:
        if self.busy:
            return value
        self.busy = True
        try:
            return self.change(value, step, self.depth)
        finally:
            self.busy = False
