"""Expressions that can be asked for in the place of one whose value is no short literal: parts of it, and its likes."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any, cast

from apigap.ladder.executed.plain import literal

_MOST = 24
_DEPTH = 2
_KEYS = 4
_FIELDS = 12
_OF_OBJECT = ("str({})", "str({})[:60]", "list({})", "sorted({})", "{}.name", "len({})", "type({}).__name__")
_OF_ARRAY = ("{}.tolist()", "{}.round(3).tolist()", "{}.shape", "{}.ravel()[:3].tolist()")
_OF_FRAME = ("{}.tolist()", "{}.to_dict('list')", "{}.to_list()", "{}.to_dict()", "{}.shape", "list({}.columns)")
_OF_CLASS = ("{}.__name__", "[base.__name__ for base in {}.__bases__]", "sorted({}.__annotations__)")
_OF_FUNCTION = ("str(__import__('inspect').signature({}))",)
_OF_TEXT = ("{}.splitlines()", "{}.split()", "{}.splitlines()[0]", "{}.splitlines()[-1]", "{}[:60]", "len({})")
_OF_SERIES = ("{}[:3]", "sorted({})", "len({})")
_OF_SET = ("sorted({})", "len({})")


def asked_of(observed: Sequence[tuple[str, Any]]) -> tuple[str, ...]:
    """At most 24 expressions to ask for, of those that were `observed` with the forms of their values.

    They come in turns, first each as it is; last the first two plain ones at once, which tells more than a yes or no.
    """
    rows = [list(views(expression, form)) for expression, form in observed]
    found = [view for turn in zip_longest(*rows) for view in turn if view is not None]
    plain = [expression for expression, form in observed if literal(form) is not None][:2]
    both = [f"({', '.join(plain)})"] if len(plain) == 2 else []
    return (*tuple(dict.fromkeys(found))[: _MOST - len(both)], *both)


def views(expression: str, form: Any) -> Iterator[str]:
    """Expressions to ask for in the place of `expression`, itself first; at most one of them uses up an iterator."""
    inner = expression if expression.isidentifier() or expression.endswith((")", "]")) else f"({expression})"
    if literal(form) is not None:
        yield expression
    yield from _views(inner, form, _DEPTH)


def _views(inner: str, form: Any, depth: int) -> Iterator[str]:
    if not isinstance(form, dict):
        yield from _of_plain(inner, form, depth)
        return
    tags = cast("dict[str, Any]", form)
    if "iterator" in tags:
        whole = "list({})" if not tags["more"] else "list(__import__('itertools').islice({}, 4))"
        yield whole.format(inner)
    elif "array" in tags or "numpy" in tags:
        yield from _each(_OF_ARRAY, inner)
    elif "frame" in tags:
        yield from _each(_OF_FRAME, inner)
    elif "dict" in tags:
        yield from _of_dict(inner, tags["dict"], depth)
    elif "tuple" in tags:
        yield from _of_series(inner, tags["tuple"], depth)
    elif "set" in tags or "frozenset" in tags:
        yield from _each(_OF_SET, inner)
    elif "str" in tags:
        yield from _each(_OF_TEXT, inner)
    elif "class" in tags:
        yield from _each(_OF_CLASS, inner)
    elif "function" in tags or "method" in tags:
        yield from _each(_OF_FUNCTION, inner)
    elif "type" in tags:
        yield from (f"{inner}.{name}" for name in _public_fields(tags))
        yield from _each(_OF_OBJECT, inner)


def _each(forms: Sequence[str], inner: str) -> Iterator[str]:
    yield from (view.format(inner) for view in forms)


def _of_plain(inner: str, form: Any, depth: int) -> Iterator[str]:
    if isinstance(form, float):
        yield f"round({inner}, 3)"
    elif isinstance(form, str):
        yield from _each(_OF_TEXT, inner)
    elif isinstance(form, list):
        items = cast("list[Any]", form)
        if any(isinstance(item, float) for item in items):
            yield f"[round(number, 3) for number in {inner}]"
        yield from _of_series(inner, items, depth)


def _of_series(inner: str, items: Sequence[Any], depth: int) -> Iterator[str]:
    yield from _each(_OF_SERIES, inner)
    if items and depth:
        for place, item in ((0, items[0]), *(((-1, items[-1]),) if len(items) > 1 else ())):
            yield from _part(f"{inner}[{place}]", item, depth)


def _of_dict(inner: str, pairs: Sequence[Sequence[Any]], depth: int) -> Iterator[str]:
    yield from (f"sorted({inner})", f"list({inner})", f"len({inner})")
    keys = [(literal(key), value) for key, value in pairs[:_KEYS] if isinstance(key, str | int)] if depth else []
    for key, value in keys:
        if key is not None:
            yield from _part(f"{inner}[{key}]", value, depth)


def _part(expression: str, form: Any, depth: int) -> Iterator[str]:
    """A part of a container, and what is in it."""
    if literal(form) is not None:
        yield expression
    yield from _views(expression, form, depth - 1)


def _public_fields(tags: dict[str, Any]) -> Iterator[str]:
    for name, form in tags.get("fields", ())[:_FIELDS]:
        if str(name).isidentifier() and not name.startswith("_") and literal(form) is not None:
            yield str(name)
