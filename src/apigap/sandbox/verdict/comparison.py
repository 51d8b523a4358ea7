"""Fingerprints on the host's side: where two differ, what several agree on, and a short text for people."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from apigap.records.base import Json, canonical_json

RELATIVE = 1e-9
RELATIVE_SINGLE = 1e-6
UNSTABLE: dict[str, bool] = {"unstable": True}
MAX_DIFFERENCES = 100
_DEEPEST = 12
_SINGLE = ("float16", "float32", "bfloat16", "complex64")
_SHAPE_KEYS = ("shape", "dtype", "dtypes", "columns", "length", "enum", "numpy")

Kind = Literal["type", "shape", "value"]


@dataclass(frozen=True)
class Difference:
    """One place where two fingerprints differ; `path` leads there from the outside, `""` is the whole."""

    path: str
    expected: Json
    actual: Json
    kind: Kind


def differences(expected: Json, actual: Json) -> list[Difference]:
    """Places where `actual` differs from `expected`; none when equal. Any two JSON values can be compared.

    Floats are equal within a relative 1e-9 (1e-6 where the dtype is single precision or less) or, near zero, within
    a thousandth of that absolutely; 0.0 equals -0.0 and nan equals nan; a bool is never an int and an int never a
    float; a numpy scalar is the number of its kind where such a number is expected. `{"unstable": true}` in `expected`
    equals anything. `kind` is `type` where the types differ, `shape` where lengths, keys, dtypes or shapes do.
    """
    found: list[Difference] = []
    _compare(expected, actual, "", RELATIVE, found)
    return found[:MAX_DIFFERENCES]


def _compare(expected: Json, actual: Json, path: str, tolerance: float, found: list[Difference]) -> None:
    if expected == UNSTABLE or len(found) >= MAX_DIFFERENCES:
        return
    actual = _plain_scalar(expected, actual)
    if type(expected) is not type(actual):
        found.append(Difference(path, expected, actual, "type"))
    elif isinstance(expected, dict):
        _compare_objects(cast("dict[str, Any]", expected), actual, path, tolerance, found)
    elif isinstance(expected, list):
        _compare_lists(cast("list[Any]", expected), actual, path, tolerance, found)
    elif isinstance(expected, float):
        if not _close(expected, actual, tolerance):
            found.append(Difference(path, expected, actual, "value"))
    elif expected != actual:
        found.append(Difference(path, expected, actual, "value"))


def _plain_scalar(expected: object, actual: Any) -> Any:
    """The number in a numpy scalar where a number of the language of the same kind is expected; else as it is.

    No description of a value says which of the two it must be; an array's elements have their dtype beside them.
    """
    kinds = _SCALARS.get(type(expected))
    if kinds is None or not isinstance(actual, dict):
        return actual
    form = cast("dict[str, Any]", actual)
    is_scalar = form.keys() == {"numpy", "value"} and str(form["numpy"]).startswith(kinds)
    return form["value"] if is_scalar else form


_SCALARS: dict[type, tuple[str, ...]] = {bool: ("bool",), int: ("int", "uint"), float: ("float",)}


def _close(expected: float, actual: float, tolerance: float) -> bool:
    return math.isclose(expected, actual, rel_tol=tolerance, abs_tol=tolerance * 1e-3)


def _compare_objects(
    expected: dict[str, Any], actual: dict[str, Any], path: str, tolerance: float, found: list[Difference]
) -> None:
    """Tagged forms: another tag or another type name is another type."""
    if _tag(expected) != _tag(actual):
        found.append(Difference(path, expected, actual, "type"))
        return
    if expected.get("dtype") in _SINGLE or expected.get("numpy") in _SINGLE:
        tolerance = RELATIVE_SINGLE
    if "fields" in expected or "fields" in actual:
        ours, theirs = expected.get("fields", []), actual.get("fields", [])
        compare = _compare_fields if _are_pairs(ours) and _are_pairs(theirs) else _compare
        compare(ours, theirs, path, tolerance, found)
    for key in [*expected, *(key for key in actual if key not in expected)]:
        if key in ("type", "fields"):
            continue
        if expected.get(key) == UNSTABLE:
            continue
        if key not in expected or key not in actual:
            found.append(Difference(path, expected, actual, "shape"))
            return
        if key in ("dict", "mappingproxy") and _are_pairs(expected[key]) and _are_pairs(actual[key]):
            _compare_pairs(expected[key], actual[key], path, tolerance, found)
        elif key in _SHAPE_KEYS:
            if expected[key] != actual[key]:
                found.append(Difference(f"{path}.{key}", expected[key], actual[key], "shape"))
        else:
            _compare(expected[key], actual[key], path if key in _CONTAINERS else f"{path}.{key}", tolerance, found)


_CONTAINERS = ("tuple", "set", "frozenset", "base", "array", "frame", "tensor", "values", "view")


def _tag(form: dict[str, Any]) -> tuple[str, object]:
    """The kind of a tagged form: its type name, or its only key."""
    return ("type", form["type"]) if "type" in form else ("", min(form, default=""))


def _are_pairs(form: Any) -> bool:
    """Tell whether this is what a worker writes for entries or fields: a forged report may hold anything there."""
    return isinstance(form, list) and all(
        isinstance(pair, list) and len(cast("list[Any]", pair)) == 2 for pair in cast("list[Any]", form)
    )


def _compare_lists(
    expected: list[Any], actual: list[Any], path: str, tolerance: float, found: list[Difference]
) -> None:
    if len(expected) != len(actual):
        found.append(Difference(path, expected, actual, "shape"))
        return
    for number, (left, right) in enumerate(zip(expected, actual, strict=True)):
        _compare(left, right, f"{path}[{number}]", tolerance, found)


def _compare_fields(
    expected: list[Any], actual: list[Any], path: str, tolerance: float, found: list[Difference]
) -> None:
    left, right = ({str(name): form for name, form in pairs} for pairs in (expected, actual))
    if left.keys() != right.keys() or len(expected) != len(actual):
        found.append(Difference(path, sorted(left), sorted(right), "shape"))
        return
    for name, form in left.items():
        _compare(form, right[name], f"{path}.{name}", tolerance, found)


def _compare_pairs(
    expected: list[Any], actual: list[Any], path: str, tolerance: float, found: list[Difference]
) -> None:
    """Dictionaries: the same keys in any order, as Python's own equality has it, then the values under them."""
    left, right = _by_key(expected), _by_key(actual)
    if [*map(canonical_json, (pair[0] for pair in left))] != [*map(canonical_json, (pair[0] for pair in right))]:
        shown = [summary(pair[0]) for pair in expected], [summary(pair[0]) for pair in actual]
        found.append(Difference(path, shown[0], shown[1], "shape"))
        return
    for (key, value), (_, other) in zip(left, right, strict=True):
        _compare(value, other, f"{path}[{summary(key)}]", tolerance, found)


def _by_key(pairs: list[Any]) -> list[Any]:
    """Entries in the order of their keys' forms; keys of one form (two functions) keep the order they came in."""
    return sorted(pairs, key=lambda pair: canonical_json(pair[0]))


def merge_stable(fingerprints: Sequence[Json]) -> Json:
    """The part on which several runs of the same program agree; whatever differs becomes `{"unstable": true}`.

    Raises:
        ValueError: when `fingerprints` is empty.
    """
    if not fingerprints:
        raise ValueError("no fingerprint to merge")
    first, *rest = fingerprints
    for other in rest:
        first = _merge(first, other)
    return first


def _merge(left: Json, right: Json) -> Json:
    if not differences(left, right) and not differences(right, left):
        return left
    if isinstance(left, list) and isinstance(right, list):
        ours, theirs = cast("list[Any]", left), cast("list[Any]", right)
        if len(ours) == len(theirs):
            return [_merge(one, other) for one, other in zip(ours, theirs, strict=True)]
    if isinstance(left, dict) and isinstance(right, dict):
        return _merge_objects(cast("dict[str, Any]", left), cast("dict[str, Any]", right))
    return dict(UNSTABLE)


def _merge_objects(left: dict[str, Any], right: dict[str, Any]) -> Json:
    if left.keys() != right.keys() or _tag(left) != _tag(right):
        return dict(UNSTABLE)
    if any(key in left for key in ("set", "frozenset")):
        return dict(UNSTABLE)  # which element of one set is which of the other is not known
    for key in ("dict", "mappingproxy", "fields"):
        if key not in left:
            continue
        if not _are_pairs(left[key]) or not _are_pairs(right[key]):
            return dict(UNSTABLE)
        if [pair[0] for pair in left[key]] != [pair[0] for pair in right[key]]:
            return dict(UNSTABLE)
    return {key: _merge(left[key], right[key]) for key in left}


def summary(form: Json, limit: int = 120) -> str:
    """A fingerprint as a person would write the value: `[1, 2]`, `Model(a=1)`, `<function pkg.name>`.

    What no worker would have written is shown as the JSON value that it is.
    """
    try:
        text = _render(form, 0)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        text = repr(form)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _render(form: Json, depth: int) -> str:
    if isinstance(form, list):
        return f"[{_join(cast('list[Any]', form), depth)}]"
    if not isinstance(form, dict):
        return repr(form)
    if depth > _DEEPEST:
        return "…"
    tagged = cast("dict[str, Any]", form)
    for tag, render in _RENDERERS.items():
        if tag in tagged:
            return render(tagged, depth)
    return "…"


def _join(items: list[Any], depth: int) -> str:
    if depth > 6:
        return "…"
    return ", ".join(_render(item, depth + 1) for item in items)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _render_tuple(form: dict[str, Any], depth: int) -> str:
    inside = _join(form["tuple"], depth)
    return f"({inside},)" if len(form["tuple"]) == 1 else f"({inside})"


def _render_set(form: dict[str, Any], depth: int) -> str:
    return f"{{{_join(form['set'], depth)}}}" if form["set"] else "set()"


def _render_dict(form: dict[str, Any], depth: int) -> str:
    pairs = [f"{_render(key, depth + 1)}: {_render(value, depth + 1)}" for key, value in form["dict"]]
    return "{" + ", ".join(pairs) + "}"


def _render_complex(form: dict[str, Any], depth: int) -> str:
    return f"complex({_join(form['complex'], depth)})"


def _render_bytes(form: dict[str, Any], depth: int) -> str:
    try:
        return repr(bytes.fromhex(form["bytes"]))
    except ValueError:
        return "b'?'"


def _render_array(form: dict[str, Any], depth: int) -> str:
    array = form["array"]
    values = array.get("values", array.get("samples", []))
    shape = "x".join(str(size) for size in array["shape"]) or "scalar"
    return f"array({shape} {array['dtype']}: {_join(values, depth)})"


def _render_frame(form: dict[str, Any], depth: int) -> str:
    frame = form["frame"]
    if "columns" in frame:
        columns = _render(frame["columns"].get("values"), depth)
        return f"{_short(form['type'])}({columns}, {_render(frame['values'], depth)})"
    return f"{_short(form['type'])}({_render(frame.get('values'), depth)})"


def _render_type(form: dict[str, Any], depth: int) -> str:
    """An object: enum members by name, exceptions by arguments, the rest by attributes."""
    name = _short(form["type"])
    if "enum" in form:
        return f"{name}.{form['enum']}"
    if "base" in form:
        return f"{name}({_render(form['base'], depth + 1)})"
    if "iterator" in form:
        return f"{name} of {_render(form['iterator'], depth + 1)}"
    if form.get("args"):
        return f"{name}({_join(form['args'], depth)})"
    if "fields" in form and depth <= 6:
        shown = [(key, value) for key, value in form["fields"] if not re.match(r"_|model_config", str(key))]
        return f"{name}({', '.join(f'{key}={_render(value, depth + 1)}' for key, value in shown)})"
    return f"{name}({form['text']!r})" if "text" in form else f"{name}()"


_RENDERERS: dict[str, Callable[[dict[str, Any], int], str]] = {
    "unstable": lambda form, depth: "<varies>",
    "frame": _render_frame,
    "type": _render_type,
    "tuple": _render_tuple,
    "set": _render_set,
    "frozenset": lambda form, depth: f"frozenset({{{_join(form['frozenset'], depth)}}})",
    "dict": _render_dict,
    "float": lambda form, depth: str(form["float"]),
    "int": lambda form, depth: str(form["int"]),
    "complex": _render_complex,
    "bytearray": lambda form, depth: f"bytearray({_render(form['bytearray'], depth)})",
    "bytes": _render_bytes,
    "str": lambda form, depth: repr(str(form["str"])[:40] + "…"),
    "range": lambda form, depth: f"range({_join(form['range'], depth)})",
    "slice": lambda form, depth: f"slice({_join(form['slice'], depth)})",
    "view": lambda form, depth: f"view({_join(form['view'], depth)})",
    "mappingproxy": lambda form, depth: f"mappingproxy({_render_dict({'dict': form['mappingproxy']}, depth)})",
    "array": _render_array,
    "numpy": lambda form, depth: f"{form['numpy']}({_render(form['value'], depth)})",
    "class": lambda form, depth: f"<class {form['class']}>",
    "function": lambda form, depth: f"<function {form['function']}>",
    "method": lambda form, depth: f"<method {form['method']}>",
    "module": lambda form, depth: f"<module {form['module']}>",
    "cycle": lambda form, depth: "<cycle>",
}
