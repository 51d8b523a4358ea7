"""Differences of two fingerprints in structure (type, dtype, shape, keys, columns), not in value."""

from typing import Any, cast

from apigap.sandbox.verdict.summary import summary

Form = dict[str, Any]

_KEYED = ("tuple", "set", "frozenset", "dict", "array", "numpy", "tensor", "frame", "range", "slice", "bytes")
_ARRAYS = ("array", "frame", "tensor", "numpy")


def structural_difference(expected: Any, observed: Any) -> str | None:
    """The first difference in structure in words (`dtype int64, not float64`), or None.

    Both are fingerprints as `sandbox.worker.fingerprint` makes them; what no worker would have made is another
    structure. What is null on one side only, a list of another length and another exception are differences in value.
    """
    try:
        return _structural(expected, observed)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return "nothing that a sandbox reports"


def _structural(expected: Any, observed: Any) -> str | None:
    if expected is None or observed is None or _is_open(expected) or _is_open(observed):
        return None
    kind, other = form_kind(expected), form_kind(observed)
    if kind != other:
        return None if "exception" in (kind, other) else f"{other}, not {kind}"
    if isinstance(expected, list):
        return _first_difference(cast(list[Any], expected), cast(list[Any], observed))
    if isinstance(expected, dict):
        return _form_difference(cast(Form, expected), cast(Form, observed))
    return None


def is_table(form: Any) -> bool:
    """True for the fingerprint of an array, a frame or a tensor."""
    return isinstance(form, dict) and any(key in form for key in _ARRAYS)


def form_kind(form: Any) -> str:
    """The type of the value behind a fingerprint, in words."""
    if form is None:
        return "None"
    if not isinstance(form, dict):
        return type(form).__name__
    form = cast(Form, form)
    if "type" in form:
        return "exception" if "args" in form else str(form["type"])
    # Huge, infinite and very long values are written as objects, and are still of the plain type.
    plain = next((key for key in ("int", "float", "str", "complex", *_KEYED) if key in form), None)
    return plain or next(iter(form), "object")


def _form_difference(expected: Form, observed: Form) -> str | None:
    if "dict" in expected:
        return _dict_difference(expected["dict"], observed["dict"])
    if "array" in expected or "tensor" in expected:
        key = "array" if "array" in expected else "tensor"
        return _field_difference(expected[key], observed[key], ("dtype", "shape"))
    if "numpy" in expected:
        return _field_difference(expected, observed, ("numpy",))
    if "frame" in expected:
        return _frame_difference(expected["frame"], observed["frame"])
    for key in ("tuple", "base", "value", "fields"):
        if key in expected and key in observed:
            found = _structural(expected[key], observed[key])
            if found:
                return found
    return None


def _dict_difference(expected: list[list[Any]], observed: list[list[Any]]) -> str | None:
    left = {summary(key): value for key, value in expected}
    right = {summary(key): value for key, value in observed}
    missing = sorted(left.keys() - right.keys())
    extra = sorted(right.keys() - left.keys())
    if missing or extra:
        return (
            f"keys differ: {', '.join([*('no ' + key for key in missing[:3]), *('also ' + key for key in extra[:3])])}"
        )
    return _first_difference([left[key] for key in left], [right[key] for key in left])


def _frame_difference(expected: Form, observed: Form) -> str | None:
    if "columns" in expected and "columns" in observed:
        expected = {**expected, "columns": expected["columns"].get("values")}
        observed = {**observed, "columns": observed["columns"].get("values")}
    return _field_difference(expected, observed, ("columns", "dtypes", "dtype"))


def _field_difference(expected: Form, observed: Form, names: tuple[str, ...]) -> str | None:
    for name in names:
        if not _is_open(expected.get(name)) and expected.get(name) != observed.get(name):
            label = "dtype" if name == "numpy" else name
            return f"{label} {observed.get(name)}, not {expected.get(name)}"
    return None


def _first_difference(expected: list[Any], observed: list[Any]) -> str | None:
    pairs = zip(expected, observed, strict=False)
    return next((found for left, right in pairs if (found := _structural(left, right))), None)


def _is_open(form: Any) -> bool:
    """True when nothing is known here: not stable between reference runs, or cut off by the bounds."""
    return isinstance(form, dict) and ("unstable" in form or "cut" in form or "cycle" in form)
