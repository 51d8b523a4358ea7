"""Equality of values across two releases: by what both of them keep in an object, and by the bare names of classes.

A release that keeps one thing more in its objects (a cache, a flag), or that defines a class in another module, has not
given the call another value.
"""

import re
from typing import Any, cast

from apigap.sandbox.verdict.comparison import differences

_NAMED = ("type", "class", "function")


def by_bare_names(form: Any) -> Any:
    """The form with classes and functions named by their package and their own name, wherever they are defined."""
    if isinstance(form, list):
        return [by_bare_names(one) for one in cast("list[Any]", form)]
    if not isinstance(form, dict):
        return form
    known = cast("dict[str, Any]", form)
    return {
        key: bare_name(value) if key in _NAMED and isinstance(value, str) else by_bare_names(value)
        for key, value in known.items()
    }


def bare_name(name: str) -> str:
    """The package of a class or function and its own name: `a.C` of `a.b.C` and of `a.b:C`."""
    parts = re.split(r"[.:]", name)
    return f"{parts[0]}.{parts[-1]}"


def are_equal(old: Any, new: Any) -> bool:
    """Check that two fingerprints differ at most in fields that one of the releases alone has.

    An object with fields must share one of them at least with its counterpart: else nothing has been compared.
    """
    shared = _shared(by_bare_names(old), by_bare_names(new))
    return shared is not None and not differences(*shared)


def hides_something(form: Any) -> bool:
    """Check for an object of which nothing but its class is seen, as of one that compiled code keeps."""
    if isinstance(form, list):
        return any(map(hides_something, cast("list[Any]", form)))
    if not isinstance(form, dict):
        return False
    known = cast("dict[str, Any]", form)
    return known.keys() == {"type"} or any(map(hides_something, known.values()))


def _shared(old: Any, new: Any) -> tuple[Any, Any] | None:
    """Both forms with the fields that both have; None where objects share none."""
    whole: tuple[Any, Any] = (old, new)
    if isinstance(old, list) and isinstance(new, list):
        left, right = cast("list[Any]", old), cast("list[Any]", new)
        if len(left) != len(right):
            return whole
        ours: list[Any] = []
        theirs: list[Any] = []
        for one, other in zip(left, right, strict=True):
            shared = _shared(one, other)
            if shared is None:
                return None
            ours.append(shared[0])
            theirs.append(shared[1])
        return ours, theirs
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return whole
    before, after = cast("dict[str, Any]", old), cast("dict[str, Any]", new)
    if "fields" in before and "fields" in after:
        names = _names(before) & _names(after)
        if not names and (_names(before) or _names(after)):
            return None
        before, after = _with(before, names), _with(after, names)
    if before.keys() != after.keys():
        return whole
    mine: dict[str, Any] = {}
    other: dict[str, Any] = {}
    for key in before:
        pair = _shared(before[key], after[key])
        if pair is None:
            return None
        mine[key], other[key] = pair
    return mine, other


def _names(form: dict[str, Any]) -> set[str]:
    return {str(pair[0]) for pair in _pairs(form)}


def _pairs(form: dict[str, Any]) -> list[list[Any]]:
    """The fields as pairs; a report may hold anything there."""
    fields = form["fields"]
    rows = cast("list[Any]", fields) if isinstance(fields, list) else []
    return [cast("list[Any]", row) for row in rows if isinstance(row, list) and len(cast("list[Any]", row)) == 2]


def _with(form: dict[str, Any], names: set[str]) -> dict[str, Any]:
    kept = sorted((pair for pair in _pairs(form) if str(pair[0]) in names), key=lambda pair: str(pair[0]))
    return {**form, "fields": kept}
