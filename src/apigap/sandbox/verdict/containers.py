"""Containers that hold the same: the plain form of a list, tuple, array, column, mapping, set or number.

A description that asks for "the codes" does not say whether these are a list or an array. Where a task says so of an
observation, both sides are brought to one plain form before they are compared, here, outside the sandbox: an answer
cannot see which containers are free. Only forms of exact builtin, numpy and pandas types are opened; what a subclass,
an object of any other class or a large array (of which samples are kept) holds stays behind its type. Contents are
compared as ever: numbers by value and kind (an int is no float, a bool no int), order, shape, nan, and all of them.
"""

import re
from collections.abc import Callable
from math import prod
from typing import Any, cast

from apigap.records.base import Json, canonical_json

LARGEST = 1_000
MOST_AXES = 64
"""The axes that an array of numpy may have; a forged report may claim more."""
_PLAIN_DTYPE = re.compile(r"bool|u?int\d+|float\d+|complex\d+|<U\d+|\|S\d+|object|StringDType\(.*\)")
_SERIES = ("pandas.Series", "pandas.core.series.Series")
_INDEX = re.compile(r"pandas\.(core\.indexes\.\w+\.)?(\w*Index)")
_MAPPINGS = ("collections.OrderedDict", "collections.defaultdict", "collections.Counter")


def opened(form: Json, *, expected: bool = False) -> Json | None:
    """The list, `{"dict": pairs}`, `{"set": items}`, number or text that `form` stands for; None where it is none.

    What is `expected` and has labels of its own is not opened: a list would not hold them.
    """
    if isinstance(form, dict):
        tagged = cast("dict[str, Any]", form)
        read = _READERS.get(tuple(sorted(tagged)))
        if expected and _is_labelled(tagged):
            return None
        return read(tagged) if read else None
    return cast("Json", form) if isinstance(form, (list, bool, int, float, str)) else None


def fully_opened(form: Json) -> Json:
    """`form` with every container in it opened, down to what is none."""
    plain = opened(form)
    if isinstance(plain, list):
        return [fully_opened(item) for item in cast("list[Any]", plain)]
    pairs: Any = cast("dict[str, Any]", plain).get("dict") if isinstance(plain, dict) else None
    if are_pairs(pairs):
        return {"dict": [[fully_opened(key), fully_opened(value)] for key, value in pairs]}
    return form if plain is None else cast("Json", plain)


def are_pairs(form: Any) -> bool:
    """Tell whether this is what a worker writes for entries or fields: a forged report may hold anything there."""
    return isinstance(form, list) and all(
        isinstance(pair, list) and len(cast("list[Any]", pair)) == 2 for pair in cast("list[Any]", form)
    )


def _list_or_none(form: Any) -> Json | None:
    return cast("list[Any]", form) if isinstance(form, list) else None


def _range(form: dict[str, Any]) -> Json | None:
    bounds: Any = form["range"]
    if not isinstance(bounds, list) or any(type(part) is not int for part in cast("list[Any]", bounds)):
        return None
    if len(cast("list[int]", bounds)) != 3 or not bounds[2]:
        return None
    numbers = range(*cast("list[int]", bounds))
    return list(numbers[:LARGEST]) if not numbers[LARGEST:] else None


def _pairs(form: Any) -> Json | None:
    return {"dict": form} if are_pairs(form) else None


def _items(form: Any) -> Json | None:
    if not isinstance(form, list):
        return None
    return {"set": sorted(map(fully_opened, cast("list[Any]", form)), key=canonical_json)}


def _dictionary_of_a_kind(form: dict[str, Any]) -> Json | None:
    base: Any = form["base"]
    known = form["type"] in _MAPPINGS and isinstance(base, dict)
    return _pairs(cast("dict[str, Any]", base).get("dict")) if known else None


def _array(form: dict[str, Any]) -> Json | None:
    array: Any = form["array"]
    if not isinstance(array, dict):
        return None
    values, shape, dtype = (cast("dict[str, Any]", array).get(key) for key in ("values", "shape", "dtype"))
    if not isinstance(values, list) or not isinstance(shape, list) or not isinstance(dtype, str):
        return None
    flat, sizes = cast("list[Any]", values), cast("list[Any]", shape)
    if not _PLAIN_DTYPE.fullmatch(dtype) or not _is_shape(sizes, len(flat)):
        return None
    return _nested(flat, sizes) if sizes else flat[0]


def _is_shape(sizes: list[Any], count: int) -> bool:
    if len(sizes) > MOST_AXES or any(type(size) is not int or size < 0 for size in sizes) or prod(sizes) != count:
        return False
    outer = sizes[: sizes.index(0)] if 0 in sizes else sizes
    return prod(outer) <= LARGEST


def _nested(flat: list[Any], sizes: list[int]) -> list[Any]:
    if len(sizes) == 1:
        return flat
    step = prod(sizes[1:])
    return [_nested(flat[at * step : (at + 1) * step], sizes[1:]) for at in range(sizes[0])]


def _column(form: dict[str, Any]) -> Json | None:
    frame, name = form["frame"], form["type"]
    if not isinstance(frame, dict) or not isinstance(name, str):
        return None
    is_column = name in _SERIES or _INDEX.fullmatch(name) is not None
    return _list_or_none(cast("dict[str, Any]", frame).get("values")) if is_column else None


def _is_labelled(form: dict[str, Any]) -> bool:
    """Tell whether this is a column whose labels are not simply its places."""
    frame: Any = form.get("frame")
    if form.get("type") not in _SERIES or not isinstance(frame, dict):
        return False
    values, index = (cast("dict[str, Any]", frame).get(key) for key in ("values", "index"))
    labels = cast("dict[str, Any]", index).get("values") if isinstance(index, dict) else None
    return not isinstance(values, list) or labels != [*range(len(cast("list[Any]", values)))]


def _scalar(form: dict[str, Any]) -> Json | None:
    return form["value"] if isinstance(form["numpy"], str) and _is_plain_scalar(form["value"]) else None


def _is_plain_scalar(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str)) or (isinstance(value, dict) and len(cast("Any", value)) == 1)


def _itself(form: dict[str, Any]) -> Json:
    return form


_READERS: dict[tuple[str, ...], Callable[[dict[str, Any]], Json | None]] = {
    ("tuple",): lambda form: _list_or_none(form["tuple"]),
    ("view",): lambda form: _list_or_none(form["view"]),
    ("range",): _range,
    ("set",): lambda form: _items(form["set"]),
    ("frozenset",): lambda form: _items(form["frozenset"]),
    ("dict",): lambda form: _pairs(form["dict"]),
    ("mappingproxy",): lambda form: _pairs(form["mappingproxy"]),
    ("base", "type"): _dictionary_of_a_kind,
    ("array",): _array,
    ("frame", "type"): _column,
    ("numpy", "value"): _scalar,
    **{(tag,): _itself for tag in ("float", "int", "complex", "bytes")},
}
"""The forms that are opened, by their keys."""
