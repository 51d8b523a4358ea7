"""Equality of values across two releases: by what both of them keep in an object.

A release that keeps one thing more in its objects (a cache, a flag) has not given the call another value.
"""

from typing import Any, cast

from apigap.sandbox.verdict.comparison import differences


def are_equal(old: Any, new: Any) -> bool:
    """Check that two fingerprints differ at most in fields that one of the releases alone has.

    An object with fields must share one of them at least with its counterpart: else nothing has been compared.
    """
    shared = _shared(old, new)
    return shared is not None and not differences(*shared)


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
