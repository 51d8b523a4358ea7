"""Schemas put together from their parts: what they refer to, `allOf`, and the first of `oneOf` and `anyOf`."""

from collections.abc import Sequence
from typing import Any

from apigap.apibank_generator.seeds.references import PARTS, References, Schema
from apigap.records.json_shapes import is_list, is_object

_DEEPEST = 64


class _Walk:
    """One schema's resolution: what is under way, what is done, and whether anything was left out on the way."""

    def __init__(self) -> None:
        self.way: set[int] = set()
        self.done: dict[int, tuple[Schema, Schema]] = {}
        self.cut = False


class Resolver:
    """Resolves the schemas of one document, each once; schemas are known by their identity, and kept for that."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._known: dict[int, tuple[Schema, Schema]] = {}

    def resolved(self, value: Any) -> Schema:
        """A schema with all that its parts say; {} of what is no object, and an object where nothing can be told."""
        if not is_object(value):
            return {}
        if id(value) not in self._known:
            walk = _Walk()
            found = self._resolved(value, walk)
            # within a cycle, what is done is cut short for its place in the walk, and holds for no other
            self._known |= {} if walk.cut else walk.done
            self._known[id(value)] = (value, found)
        return self._known[id(value)][1] or ({"type": "object"} if value else {})

    def _resolved(self, value: Schema, walk: _Walk) -> Schema:
        key = id(value)
        known = walk.done.get(key) or self._known.get(key)
        if known is not None:
            return known[1]
        if key in walk.way or len(walk.way) >= _DEEPEST:
            self._cut(value, walk)
            return {}
        walk.way.add(key)
        parts = [self._resolved(part, walk) for _, part in self._references.parts(value)]
        walk.way.discard(key)
        found = _merged(parts, {name: inner for name, inner in value.items() if name not in PARTS})
        walk.done[key] = (value, found)
        return found

    def _cut(self, value: Schema, walk: _Walk) -> None:
        walk.cut = True
        if id(value) not in walk.way:
            what = value.get("$ref", "a schema")
            self._references.notes.add(
                "references_not_read", f"{what} is more than {_DEEPEST} references deep and is not read"
            )


def _merged(parts: Sequence[Schema], own: Schema) -> Schema:
    """All keys, of which the later ones count; properties and required names of all parts together."""
    if not parts:
        return own
    merged: dict[str, Any] = {}
    properties: dict[str, Any] = {}
    required: dict[str, None] = {}
    for part in (*parts, own):
        merged |= part
        inner = part.get("properties")
        for name, schema in inner.items() if is_object(inner) else ():
            properties[name] = _both(properties.get(name), schema)
        required |= dict.fromkeys(required_of(part))
    merged |= {"properties": properties} if properties else {}
    return merged | ({"required": list(required)} if required else {})


def _both(first: Any, second: Any) -> Any:
    """A property that two parts describe."""
    return {**first, **second} if is_object(first) and is_object(second) and first is not second else second


def required_of(schema: Schema) -> list[str]:
    """The names under `required` that are names."""
    names = schema.get("required")
    return [name for name in names if isinstance(name, str)] if is_list(names) else []
