"""Schemas that refer to themselves: each place where what is told of them ends is a note."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from apigap.apibank_generator.seeds.references import References, Schema
from apigap.records.json_shapes import is_object

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
        way = [_Edge("", "", schema)]
        ahead = [self._edges(schema)]
        while ahead:
            edge = next(ahead[-1], None)
            if edge is None:
                way.pop()
                ahead.pop()
            elif id(edge.schema) not in self._seen:
                self._seen[id(edge.schema)] = edge.schema
                way.append(edge)
                ahead.append(self._edges(edge.schema))
            else:
                self._tell(way, edge)

    def _edges(self, schema: Schema) -> Iterator[_Edge]:
        for reference, part in self._references.parts(schema):
            yield _Edge("", reference, part)
        properties = schema.get("properties")
        inner = [(str(name), one) for name, one in properties.items()] if is_object(properties) else []
        for name, one in (*inner, ("items", schema.get("items")), ("*", schema.get("additionalProperties"))):
            if is_object(one):
                yield _Edge(name, "", one)

    def _tell(self, way: list[_Edge], back: _Edge) -> None:
        """A note where `back` leads to a schema that is on the way to it."""
        start = next((place for place, edge in enumerate(way) if edge.schema is back.schema), None)
        if start is None:
            return
        name = back.reference or way[start].reference or "a schema"
        names = [edge.name for edge in (*way[start + 1 :], back) if edge.name]
        by = ".".join(names[:_MOST_NAMES]) + ("..." if len(names) > _MOST_NAMES else "")
        told = f" by {by}: it is told once" if by else ": what is inside of it is not told"
        self._references.notes.add("cycles_cut", f"{name} refers to itself{told}")
