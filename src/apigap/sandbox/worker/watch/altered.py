"""Another value of the same type: what the target gives while its results are altered.

What cannot be altered comes back as it is. Nobody is told: the reference runs with altered results as well, and where
its values stay the same, it is no evidence against an answer that its values do, too.
"""

from __future__ import annotations

# Values under test have no static type.
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownMemberType=false
import contextlib
import copy
import datetime
import decimal
import enum
import fractions
import functools
import importlib
import inspect
import math
import pathlib
import sys
import types
from collections.abc import Iterator
from typing import Any

from ..values.names import type_module, type_mro

_DEEPEST, _DEEPEST_OBJECT = 5, 3
ONLY_DATA = _DEEPEST_OBJECT  # the depth to begin at to alter an object's numbers and texts, but no object in it
_DEEPEST_PLAIN = 12
_MOST = 1_000
_STRIDE = 7_919  # so that steps near each other choose places far apart
_DAY = datetime.timedelta(days=1)


def altered(value: Any, step: int, depth: float = 0) -> Any:
    """Another value of the type of `value`, `step` (1 or more) away from it, or `value` itself."""
    if depth > _DEEPEST:
        return value
    try:
        return _altered(value, step, depth)
    except Exception:  # a library's own types may refuse anything
        return value


def altered_one(value: Any, step: int, depth: float = 0) -> Any:
    """`value` with one of its numbers and texts altered, which `step` chooses; whole where it has no such place."""
    places = list(_places(value, 0))[:_MOST]
    if not places:
        return altered(value, step, depth)
    return _put(value, places[step * _STRIDE % len(places)], step)


def _places(value: Any, depth: int) -> Iterator[tuple[Any, ...]]:
    """The ways to the numbers and texts in lists, tuples, dictionaries and arrays."""
    kind = type(value)
    if _is_array(value):
        yield from ((place,) for place in range(min(value.size, _MOST)))
        return
    if kind not in (list, tuple, dict) or depth > _DEEPEST_PLAIN:
        return
    for key, held in value.items() if kind is dict else enumerate(value):
        if type(held) in (int, float, str):
            yield (key,)
        else:
            yield from ((key, *rest) for rest in _places(held, depth + 1))


def _put(value: Any, way: tuple[Any, ...], step: int) -> Any:
    key, rest = way[0], way[1:]
    if _is_array(value):
        return _with_another(value, key, step)
    other = _put(value[key], rest, step) if rest else altered(value[key], step)
    items = dict(value) if type(value) is dict else list(value)
    items[key] = other
    return tuple(items) if type(value) is tuple else items


def _is_array(value: Any) -> bool:
    """Check for an array of numpy with numbers in it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray and value.dtype.kind in "iuf" and value.size > 0


def _with_another(array: Any, place: int, step: int) -> Any:
    """The array with one number replaced by another of its own: what is an index stays one. Else by one `step` away."""
    other = array.copy()
    flat = other.reshape(-1)
    others = flat[flat != flat[place]]
    flat[place] = others[step % len(others)] if len(others) else flat[place] + flat.dtype.type(step)
    return other


def alter_state(instance: Any, step: int, depth: float = 0) -> None:
    """Alter what an instance keeps in its own namespace; the state it is in (an enumeration) only where that is all."""
    state = getattr(instance, "__dict__", None)
    if type(state) is not dict:
        return
    some = list(state.items())[:_MOST]
    for name, held in [(n, held) for n, held in some if not isinstance(held, enum.Enum)] or some:
        state[name] = altered(held, step, depth + 1)


def _altered(value: Any, step: int, depth: float) -> Any:
    kind = type(value)
    if kind is bool:
        return not value
    if kind is float:
        return value + step if math.isfinite(value) and value + step != value else float(step - 1)
    if kind is str:
        return _text(value, step)
    if kind in (bytes, bytearray):
        return kind(_text(value.decode("latin-1"), step).encode("latin-1"))
    if kind in _ADDED:
        return value + step * _ADDED[kind]
    if isinstance(value, enum.Enum):
        others: list[Any] = [member for member in type(value) if member is not value]
        return others[(step - 1) % len(others)] if others else value
    if isinstance(value, pathlib.PurePath):
        return value / f"altered{step}"
    if kind in (list, tuple, set, frozenset, dict) or hasattr(kind, "_make"):
        return _container(value, step, depth)
    for base in type_mro(kind):
        top = type_module(base).partition(".")[0]
        if top in _TABLES and top in sys.modules:
            return _TABLES[top](value, step, depth)
        if base in (str, int, float):
            return kind(altered(base(value), step))
        if base in (tuple, list, dict):
            return _subclass(value, base, step, depth)
    if not depth and kind in (types.FunctionType, functools.partial):
        return altered_function(value, step)
    if isinstance(value, type) or inspect.isroutine(value) or not hasattr(value, "__dict__") or depth > _DEEPEST_OBJECT:
        return value
    other = copy.copy(value)
    alter_state(other, step, depth)
    return other


def altered_function(value: Any, step: int) -> Any:
    """A function that does what `value` does and gives another result."""

    @functools.wraps(value)
    def other(*args: Any, **kwargs: Any) -> Any:
        return altered(value(*args, **kwargs), step, 1)

    return functools.partial(other) if type(value) is functools.partial else other


def _text(value: str, step: int) -> str:
    """Text with another last digit, or letter, so that what it is written in (JSON, a path, a date) stays readable."""
    for wanted, first, count in ((str.isdigit, "0", 10), (str.isalpha, "", 26)):
        for place in range(len(value) - 1, -1, -1):
            letter = value[place]
            if wanted(letter) and letter.isascii():
                start = ord(first or ("a" if letter.islower() else "A"))
                other = chr(start + (ord(letter) - start + 1 + (step - 1) % (count - 1)) % count)
                return value[:place] + other + value[place + 1 :]
    return value + "~" * (1 + (step - 1) % 8)


def _container(value: Any, step: int, depth: float) -> Any:
    kind = type(value)
    if depth and not value:
        return value  # what is empty inside of something else has a type that nobody can see
    if len(value) > _MOST:
        return kind(list(value)[1:]) if kind is not dict else dict(list(value.items())[1:])
    if kind is dict:
        return {key: altered(held, step, depth + 1) for key, held in value.items()} if value else {"altered": step}
    if kind in (set, frozenset):
        return kind([*value, f"altered{step}"])
    items = [altered(item, step, depth + 1) for item in value]
    if hasattr(kind, "_make"):
        return kind._make(items)
    return kind(items or [step])


def _subclass(value: Any, base: Any, step: int, depth: float) -> Any:
    """A container of a class of its own: the same class, with other contents and other attributes."""
    items = _container(base(value), step, depth)
    if base is tuple:
        other = tuple.__new__(type(value), items)
        getattr(other, "__dict__", {}).update(getattr(value, "__dict__", {}))
    else:
        other = copy.copy(value)
        base.clear(other)
        base.update(other, items) if base is dict else base.extend(other, items)
    alter_state(other, step, depth)
    return other


def _array(value: Any, step: int, depth: float) -> Any:
    """A numpy array or scalar; of a subclass of arrays a copy with other numbers, whatever its operators do."""
    letter = value.dtype.kind
    if letter == "b":
        return ~value
    if letter in "iufcmM":
        added = value.dtype.type(step) if letter not in "mM" else step
        numpy = sys.modules["numpy"]
        if not isinstance(value, numpy.ndarray) or type(value) is numpy.ndarray:
            return value + added
        other = value.copy()
        other.view(numpy.ndarray)[...] += added
        return other
    if letter in "OUST" and getattr(value, "ndim", 0) and value.size <= _MOST:
        items = [altered(item, step, depth + 1) for item in value.ravel().tolist()]
        other = copy.copy(value) if letter == "O" else value.astype(object)
        other.reshape(-1)[:] = items
        return other if letter == "O" else other.astype(letter)
    if letter in "UST" and not getattr(value, "ndim", 0):
        other = altered(value.item(), step, depth + 1)
        return type(value)(other) if isinstance(value, (str, bytes)) else sys.modules["numpy"].asarray(other)
    return value


def _frame(value: Any, step: int, depth: float) -> Any:
    """A pandas object: other numbers in a column, otherwise without its last row, which costs a fraction of other cells
    in all columns."""
    pandas = sys.modules["pandas"]
    if isinstance(value, pandas.DataFrame):
        return value.iloc[:-1]
    if isinstance(value, (pandas.Series, pandas.Index)):
        return value + step if value.dtype.kind in "iuf" else value[:-1]
    if isinstance(value, (pandas.Timestamp, pandas.Timedelta)):
        return value + step * pandas.Timedelta(days=1)
    return value


def _polars(value: Any, step: int, _: int) -> Any:
    """A table of polars, lazy or not, without its first rows; of a column other numbers, where it has numbers.

    An expression gives what such a column has, as many values as before.
    """
    polars = sys.modules["polars"]
    if isinstance(value, polars.Series):
        return value + step if value.dtype.is_numeric() else value.slice(1)
    if isinstance(value, polars.Expr):
        return value.map_batches(functools.partial(_other_column, step=step))
    return value.slice(1) if isinstance(value, (polars.DataFrame, polars.LazyFrame)) else value


def _other_column(column: Any, step: int) -> Any:
    """A column of polars with other values, as many as before: other numbers, the opposite, or the values turned."""
    if column.dtype.is_numeric():
        return (column + step).cast(column.dtype, strict=False)
    return ~column if str(column.dtype) == "Boolean" else column.reverse()


def _shape(value: Any, step: int, _: int) -> Any:
    """A geometry of shapely, larger and elsewhere."""
    if not hasattr(value, "geom_type"):
        return value
    larger = 1 + step / 64
    affinity = importlib.import_module("shapely.affinity")
    return affinity.translate(affinity.scale(value, larger, larger, origin=(0, 0)), step, step)


def _moment(value: Any, step: int, _: int) -> Any:
    """A day or moment of whenever, some days or hours later."""
    for more in ({"days": step}, {"hours": step}, {"hours": step, "ignore_dst": True}):
        with contextlib.suppress(Exception):
            return value.add(**more)
    return value


def _tensor(value: Any, step: int, _: int) -> Any:
    """A torch tensor."""
    torch = sys.modules["torch"]
    if not isinstance(value, torch.Tensor):
        return value
    return ~value if value.dtype == torch.bool else value + step


_TABLES: dict[str, Any] = {
    "numpy": _array, "pandas": _frame, "polars": _polars, "torch": _tensor, "shapely": _shape, "whenever": _moment,
}  # fmt: skip
_ADDED: dict[type, Any] = {
    int: 1, complex: 1, decimal.Decimal: 1, fractions.Fraction: 1,
    datetime.date: _DAY, datetime.datetime: _DAY, datetime.timedelta: _DAY,
}  # fmt: skip
