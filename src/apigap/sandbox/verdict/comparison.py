"""Fingerprints on the host's side: where two differ, and what several agree on."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from apigap.records.base import Json, canonical_json
from apigap.records.task import Containers
from apigap.sandbox.verdict.containers import are_pairs, fully_opened, opened
from apigap.sandbox.verdict.summary import summary

RELATIVE = 1e-9
RELATIVE_SINGLE = 1e-6
UNSTABLE: dict[str, bool] = {"unstable": True}
MAX_DIFFERENCES = 100
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


def differences(expected: Json, actual: Json, containers: Containers | None = None) -> list[Difference]:
    """Places where `actual` differs from `expected`; none when equal. Any two JSON values can be compared.

    Floats are equal within a relative 1e-9 (1e-6 where the dtype is single precision or less) or, near zero, within
    a thousandth of that absolutely; 0.0 equals -0.0 and nan equals nan; a bool is never an int and an int never a
    float; a numpy scalar is the number of its kind where such a number is expected. `{"unstable": true}` in `expected`
    equals anything. With `containers` those that hold the same are equal, see `containers.opened`: on every level, or
    (`any inside`) on every level but the outermost. `kind` is `type` where the types differ, `shape` where lengths,
    keys, dtypes or shapes do.
    """
    found: list[Difference] = []
    try:
        _compare(expected, actual, "", _Terms(RELATIVE, _FREE_FROM[containers]), found)
    except RecursionError:  # no worker nests so deep: the report is forged
        return [Difference("", expected, "nested too deep to be compared", "type")]
    return found[:MAX_DIFFERENCES]


@dataclass(frozen=True)
class _Terms:
    """The terms of a comparison: the tolerance, and in how many levels containers are free (None: nowhere)."""

    tolerance: float
    free_in: int | None

    @property
    def inside(self) -> "_Terms":
        """The terms for what a container holds."""
        return self if not self.free_in else replace(self, free_in=self.free_in - 1)

    @property
    def strict(self) -> "_Terms":
        """The terms for what belongs to an object."""
        return self if self.free_in is None else replace(self, free_in=None)

    def for_dtype(self, form: dict[str, Any]) -> "_Terms":
        """The terms for a form that may say that its numbers are of single precision."""
        array: Any = form.get("array")
        inner = cast("dict[str, Any]", array) if isinstance(array, dict) else form
        single = inner.get("dtype") in _SINGLE or inner.get("numpy") in _SINGLE
        return replace(self, tolerance=RELATIVE_SINGLE) if single else self


_FREE_FROM: dict[Containers | None, int | None] = {None: None, "any": 0, "any inside": 1}


def _compare(expected: Json, actual: Json, path: str, terms: _Terms, found: list[Difference]) -> None:
    if expected == UNSTABLE or len(found) >= MAX_DIFFERENCES:
        return
    if terms.free_in == 0:
        plain = opened(expected, expected=True)
        if plain is None:
            terms = terms.strict
        else:
            terms = terms.for_dtype(cast("dict[str, Any]", expected)) if isinstance(expected, dict) else terms
            expected, actual = plain, _opened_or_itself(actual)
    actual = _plain_scalar(expected, actual)
    if type(expected) is not type(actual):
        found.append(Difference(path, expected, actual, "type"))
    elif isinstance(expected, dict):
        _compare_objects(cast("dict[str, Any]", expected), actual, path, terms, found)
    elif isinstance(expected, list):
        _compare_lists(cast("list[Any]", expected), actual, path, terms.inside, found)
    elif isinstance(expected, float):
        if not _close(expected, actual, terms.tolerance):
            found.append(Difference(path, expected, actual, "value"))
    elif expected != actual:
        found.append(Difference(path, expected, actual, "value"))


def _opened_or_itself(form: Json) -> Json:
    plain = opened(form)
    return form if plain is None else plain


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
    expected: dict[str, Any], actual: dict[str, Any], path: str, terms: _Terms, found: list[Difference]
) -> None:
    """Tagged forms: another tag or another type name is another type."""
    if _tag(expected) != _tag(actual):
        found.append(Difference(path, expected, actual, "type"))
        return
    terms = terms.for_dtype(expected)
    if "fields" in expected or "fields" in actual:
        ours, theirs = expected.get("fields", []), actual.get("fields", [])
        compare = _compare_fields if are_pairs(ours) and are_pairs(theirs) else _compare
        compare(ours, theirs, path, terms.strict, found)
    for key in [*expected, *(key for key in actual if key not in expected)]:
        if key in ("type", "fields"):
            continue
        if expected.get(key) == UNSTABLE:
            continue
        if key not in expected or key not in actual:
            found.append(Difference(path, expected, actual, "shape"))
            return
        if key in ("dict", "mappingproxy") and are_pairs(expected[key]) and are_pairs(actual[key]):
            _compare_pairs(expected[key], actual[key], path, terms, found)
        elif key in _SHAPE_KEYS:
            if expected[key] != actual[key]:
                found.append(Difference(f"{path}.{key}", expected[key], actual[key], "shape"))
        else:
            inner = terms if key in ("tuple", "set", "frozenset") else terms.strict
            _compare(expected[key], actual[key], path if key in _CONTAINERS else f"{path}.{key}", inner, found)


_CONTAINERS = ("tuple", "set", "frozenset", "base", "array", "frame", "tensor", "values", "view")


def _tag(form: dict[str, Any]) -> tuple[str, object]:
    """The kind of a tagged form: its type name, or its only key."""
    return ("type", form["type"]) if "type" in form else ("", min(form, default=""))


def _compare_lists(expected: list[Any], actual: list[Any], path: str, terms: _Terms, found: list[Difference]) -> None:
    if len(expected) != len(actual):
        found.append(Difference(path, expected, actual, "shape"))
        return
    for number, (left, right) in enumerate(zip(expected, actual, strict=True)):
        _compare(left, right, f"{path}[{number}]", terms, found)


def _compare_fields(expected: list[Any], actual: list[Any], path: str, terms: _Terms, found: list[Difference]) -> None:
    left, right = ({str(name): form for name, form in pairs} for pairs in (expected, actual))
    if left.keys() != right.keys() or len(expected) != len(actual):
        found.append(Difference(path, sorted(left), sorted(right), "shape"))
        return
    for name, form in left.items():
        _compare(form, right[name], f"{path}.{name}", terms, found)


def _compare_pairs(expected: list[Any], actual: list[Any], path: str, terms: _Terms, found: list[Difference]) -> None:
    """Dictionaries: the same keys in any order, as Python's own equality has it, then the values under them."""
    if terms.free_in is not None:
        expected, actual = ([[fully_opened(key), value] for key, value in pairs] for pairs in (expected, actual))
    left, right = _by_key(expected), _by_key(actual)
    if [*map(canonical_json, (pair[0] for pair in left))] != [*map(canonical_json, (pair[0] for pair in right))]:
        shown = [summary(pair[0]) for pair in expected], [summary(pair[0]) for pair in actual]
        found.append(Difference(path, shown[0], shown[1], "shape"))
        return
    for (key, value), (_, other) in zip(left, right, strict=True):
        _compare(value, other, f"{path}[{summary(key)}]", terms.inside, found)


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
        if not are_pairs(left[key]) or not are_pairs(right[key]):
            return dict(UNSTABLE)
        if [pair[0] for pair in left[key]] != [pair[0] for pair in right[key]]:
            return dict(UNSTABLE)
    return {key: _merge(left[key], right[key]) for key in left}
