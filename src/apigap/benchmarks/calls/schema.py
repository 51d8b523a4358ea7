"""JSON values against the part of JSON Schema that functions are described with (json-schema.org, draft 2020-12).

Read are `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, the bounds
of numbers, texts and lists, `anyOf`, `oneOf`, `allOf` and local `$ref`. Regular expressions (`pattern`) are not run:
they may come from a stranger's server, and one can be made that never ends. What a schema does not say is allowed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from apigap.benchmarks.calls.finding import Finding, shown
from apigap.records.parsing.json_shapes import at_reference, is_list, is_object

Schema = Mapping[str, Any]
_DEEPEST = 50
_MOST_REFERENCES = 20
_MOST_STEPS = 20_000


def is_number(value: Any) -> bool:
    """True for an integer or a float; a boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: Any) -> bool:
    """True for a whole number, which may be written as 3.0; a boolean is none."""
    return is_number(value) and (isinstance(value, int) or value.is_integer())


TYPES: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": is_integer,
    "number": is_number,
    "boolean": lambda value: isinstance(value, bool),
    "array": is_list,
    "object": is_object,
    "null": lambda value: value is None,
}
_BOUNDS: Sequence[tuple[str, Callable[[Any], bool], Callable[[Any], Any], Callable[[Any, Any], bool]]] = (
    ("minimum", is_number, lambda value: value, lambda value, bound: value >= bound),
    ("maximum", is_number, lambda value: value, lambda value, bound: value <= bound),
    ("exclusiveMinimum", is_number, lambda value: value, lambda value, bound: value > bound),
    ("exclusiveMaximum", is_number, lambda value: value, lambda value, bound: value < bound),
    ("minLength", TYPES["string"], len, lambda value, bound: value >= bound),
    ("maxLength", TYPES["string"], len, lambda value, bound: value <= bound),
    ("minItems", is_list, len, lambda value, bound: value >= bound),
    ("maxItems", is_list, len, lambda value, bound: value <= bound),
)


def resolved(schema: Any, root: Schema) -> Schema:
    """A schema without a reference at its top; an empty one, which allows all, where the reference leads nowhere."""
    for _ in range(_MOST_REFERENCES):
        if not is_object(schema):
            return {}
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        schema = at_reference(reference, root)
    return {}


def same(value: Any, other: Any) -> bool:
    """Equality of JSON values: 1 and 1.0 are the same, 1 and true are not."""
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if is_list(value) and is_list(other):
        return len(value) == len(other) and all(same(one, two) for one, two in zip(value, other, strict=True))
    if is_object(value) and is_object(other):
        return value.keys() == other.keys() and all(same(inner, other[key]) for key, inner in value.items())
    return value == other


def schema_findings(value: Any, schema: Any, root: Schema, place: str = "") -> list[Finding]:
    """Findings on a value by its schema; empty where it fits. `root` is where references begin.

    A key that is missing in an object, or that it may not have, is a missing or unknown argument of its place. A schema
    that goes round in circles, so that no number of steps reads it, refuses every value.
    """
    return list(_Reader(root).findings(value, schema, place))


class _Reader:
    """Reads schemas of one function, for a bounded number of steps."""

    def __init__(self, root: Schema) -> None:
        self._root = root
        self._left = _MOST_STEPS

    def findings(self, value: Any, schema: Any, place: str, depth: int = 0) -> Iterator[Finding]:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            yield Finding("wrong value", place, f"the schema of {place} or its value is too deep to be read")
            return
        known = resolved(schema, self._root)
        kinds = known.get("type")
        names = [kind for kind in (kinds if is_list(kinds) else [kinds]) if isinstance(kind, str)]
        if names and not any(name not in TYPES or TYPES[name](value) for name in names):
            yield Finding("wrong type", place, f"{place} must be {' or '.join(names)}, not {shown(value)}")
            return
        yield from _bounds(value, known, place)
        yield from self._choices(value, known, place, depth)
        yield from self._items(value, known, place, depth) if is_list(value) else ()
        yield from self._keys(value, known, place, depth) if is_object(value) else ()

    def _choices(self, value: Any, schema: Schema, place: str, depth: int) -> Iterator[Finding]:
        """Findings by enumerations and combinations of schemas."""
        allowed = [schema["const"]] if "const" in schema else schema.get("enum")
        if is_list(allowed) and not any(same(value, one) for one in allowed):
            yield Finding("wrong value", place, f"{place} must be one of {shown(allowed)}, not {shown(value)}")
        for part in _listed(schema, "allOf"):
            yield from self.findings(value, part, place, depth + 1)
        for key in ("anyOf", "oneOf"):
            found = [list(self.findings(value, part, place, depth + 1)) for part in _listed(schema, key)]
            if found and all(found):
                yield from min(found, key=lambda findings: (findings[0].fault == "wrong type", len(findings)))

    def _items(self, value: list[Any], schema: Schema, place: str, depth: int) -> Iterator[Finding]:
        first, rest = _listed(schema, "prefixItems"), schema.get("items", {})
        for number, item in enumerate(value):
            part = first[number] if number < len(first) else rest
            yield from self.findings(item, part, f"{place}[{number}]", depth + 1)

    def _keys(self, value: dict[str, Any], schema: Schema, place: str, depth: int) -> Iterator[Finding]:
        known, others = properties_of(schema), schema.get("additionalProperties", True)
        for key in required_of(schema):
            if key not in value:
                yield Finding("missing argument", within(place, key), f"{within(place, key)} is required")
        for key, inner in value.items():
            if key not in known and others is False:
                yield Finding("unknown argument", within(place, key), f"there is no {within(place, key)}")
            else:
                yield from self.findings(inner, known.get(key, others), within(place, key), depth + 1)


def _bounds(value: Any, schema: Schema, place: str) -> Iterator[Finding]:
    for key, has_it, size, holds in _BOUNDS:
        bound = schema.get(key)
        if is_number(bound) and has_it(value) and not holds(size(value), bound):
            yield Finding("wrong value", place, f"{place} must have {key} {bound}, not {shown(value)}")


def properties_of(schema: Schema) -> dict[str, Any]:
    """The schemas of an object's keys."""
    found = schema.get("properties")
    return found if is_object(found) else {}


def required_of(schema: Schema) -> list[str]:
    """The keys that an object must have."""
    return [key for key in _listed(schema, "required") if isinstance(key, str)]


def within(place: str, key: Any) -> str:
    """The place of a key of an object."""
    return f"{place}.{key}" if place else str(key)


def _listed(schema: Schema, key: str) -> list[Any]:
    found = schema.get(key)
    return found if is_list(found) else []
