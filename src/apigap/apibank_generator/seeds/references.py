"""References within a document, and the schemas that a schema is put together from."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from apigap.apibank_generator.seeds.user_apis import Notes
from apigap.records.parsing.json_shapes import is_list, is_object

Schema = Mapping[str, Any]
PARTS = ("$ref", "allOf", "oneOf", "anyOf")


class References:
    """The references of one document; `notes` tell of those that lead outside, or nowhere."""

    def __init__(self, document: Schema, notes: Notes) -> None:
        self._document = document
        self.notes = notes

    def parts(self, schema: Schema) -> Iterator[tuple[str, Schema]]:
        """The parts of a schema, each with its `$ref` or "": its target, `allOf`, the first of `oneOf` and `anyOf`."""
        found: list[Any] = []
        reference = schema.get("$ref")
        if isinstance(reference, str):
            target = self._target(reference)
            if is_object(target):
                yield reference, target
        parts = schema.get("allOf")
        found += parts if is_list(parts) else []
        found += [_chosen(choices) for key in ("oneOf", "anyOf") if is_list(choices := schema.get(key)) and choices]
        yield from (("", part) for part in found if is_object(part))

    def _target(self, reference: str) -> Any:
        if not reference.startswith("#"):
            self.notes.add("references_not_read", f"{reference} is outside of the document and is not read")
            return None
        found = self._at(reference)
        if found is None:
            self.notes.add("references_not_read", f"{reference} is not in the document")
        return found

    def _at(self, reference: str) -> Any:
        """The target of a JSON pointer (RFC 6901); None where it leads nowhere."""
        found: Any = self._document
        for part in reference.removeprefix("#").split("/")[1:]:
            found = _child(found, unquote(part).replace("~1", "/").replace("~0", "~"))
        return found


def _child(found: Any, key: str) -> Any:
    if is_list(found):
        return next((one for number, one in enumerate(found) if str(number) == key), None)
    if not is_object(found):
        return None
    return found[key] if key in found else next((one for name, one in found.items() if str(name) == key), None)


def _chosen(choices: list[Any]) -> Any:
    return next((one for one in choices if is_object(one) and one.get("type") != "null"), choices[0])


_DEEPEST = 64


class _Walk:
    """One schema's resolution: what is under way, what is done, and whether anything was left out on the way."""

    def __init__(self) -> None:
        self.path: set[int] = set()
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
        if key in walk.path or len(walk.path) >= _DEEPEST:
            self._cut(value, walk)
            return {}
        walk.path.add(key)
        parts = [self._resolved(part, walk) for _, part in self._references.parts(value)]
        walk.path.discard(key)
        found = _merged(parts, {name: inner for name, inner in value.items() if name not in PARTS})
        walk.done[key] = (value, found)
        return found

    def _cut(self, value: Schema, walk: _Walk) -> None:
        walk.cut = True
        if id(value) not in walk.path:
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


_MOST_NAMES = 6


class _Edge(NamedTuple):
    """The way to a schema: by the name of a property, or by none where it is a part of the schema before it."""

    name: str
    reference: str
    schema: Schema


class Cycles:
    """Looks at the schemas of one document; each is looked at once, however often it is asked for."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._seen: dict[int, Schema] = {}
        """By identity. The schemas are kept, so that no other gets the identity of one that is gone."""

    def look(self, schema: Any) -> None:
        """Note all cycles that can be reached from `schema`; by loops, since chains of references may be long."""
        if not is_object(schema) or id(schema) in self._seen:
            return
        self._seen[id(schema)] = schema
        path = [_Edge("", "", schema)]
        ahead = [self._edges(schema)]
        while ahead:
            edge = next(ahead[-1], None)
            if edge is None:
                path.pop()
                ahead.pop()
            elif id(edge.schema) not in self._seen:
                self._seen[id(edge.schema)] = edge.schema
                path.append(edge)
                ahead.append(self._edges(edge.schema))
            else:
                self._note(path, edge)

    def _edges(self, schema: Schema) -> Iterator[_Edge]:
        for reference, part in self._references.parts(schema):
            yield _Edge("", reference, part)
        properties = schema.get("properties")
        inner = [(str(name), one) for name, one in properties.items()] if is_object(properties) else []
        for name, one in (*inner, ("items", schema.get("items")), ("*", schema.get("additionalProperties"))):
            if is_object(one):
                yield _Edge(name, "", one)

    def _note(self, path: list[_Edge], edge_back: _Edge) -> None:
        """Note that `edge_back` leads to a schema that is on the way to it."""
        start = next((place for place, edge in enumerate(path) if edge.schema is edge_back.schema), None)
        if start is None:
            return
        name = edge_back.reference or path[start].reference or "a schema"
        names = [edge.name for edge in (*path[start + 1 :], edge_back) if edge.name]
        by = ".".join(names[:_MOST_NAMES]) + ("..." if len(names) > _MOST_NAMES else "")
        effect = f" by {by}: it is told once" if by else ": what is inside of it is not told"
        self._references.notes.add("cycles_cut", f"{name} refers to itself{effect}")
