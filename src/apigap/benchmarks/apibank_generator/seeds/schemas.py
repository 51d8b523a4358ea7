"""JSON schemas, as OpenAPI and MCP have them, as parameters and outputs; references that go in circles end."""

from collections.abc import Iterator, Mapping
from typing import Any, cast
from urllib.parse import unquote

from apigap.benchmarks.apibank_generator.records import Value, ValueType
from apigap.benchmarks.shapes import is_list, is_object

Schema = Mapping[str, Any]
_TYPES: Mapping[str, ValueType] = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict",
}  # fmt: skip
_FORMATS: Mapping[str, ValueType] = {"date": "date", "date-time": "datetime", "time": "time"}
_DEEPEST = 3
_MOST_NAMES = 6
RESULT = "result"


class Schemas:
    """The schemas of one document. `notes` tell of references that lead nowhere, outside, or in a circle."""

    def __init__(self, document: Schema) -> None:
        self._document = document
        self.notes: dict[str, None] = {}

    def resolved(self, value: Any) -> dict[str, Any]:
        """`value`, or what it refers to, with the properties of its `allOf` parts; {} where that cannot be told."""
        return self._resolved(value, ())

    def values(self, schema: Any) -> list[Value]:
        """The properties of an object; of any other schema one value, `result`."""
        found = self.resolved(schema)
        properties = found.get("properties")
        if is_object(properties) and properties:
            required = found.get("required")
            names: set[Any] = set(required) if is_list(required) else set()
            return [self.value(name, inner, name in names) for name, inner in properties.items()]
        return [self.value(RESULT, schema, True)]

    def value(self, name: str, schema: Any, required: bool, description: str = "") -> Value:
        """One parameter or output; what a list or an object holds is told in words."""
        found = self.resolved(schema)
        kind = _type(found)
        words = description or str(found.get("description") or "")
        inside = self._inside(found, ())
        told = f"{words.rstrip('.')}: {inside}" if words and inside else words or inside
        return Value(name=name, type=kind, description=told, required=required)

    def _inside(self, schema: Schema, way: tuple[str, ...]) -> str:
        """`one of a, b`, `list of object with id, name`; empty where there is nothing to tell."""
        choices = schema.get("enum")
        if is_list(choices) and choices:
            return f"one of {', '.join(str(choice) for choice in choices[:_MOST_NAMES])}"
        if len(way) >= _DEEPEST:
            return ""
        kind = _type(schema)
        if kind == "list":
            item = self._resolved(schema.get("items"), way)
            return f"list of {self._inside(item, (*way, 'items')) or _type(item)}" if item else ""
        properties = schema.get("properties")
        if kind == "dict" and is_object(properties) and properties:
            return f"object with {', '.join(list(properties)[:_MOST_NAMES])}"
        return ""

    def _resolved(self, value: Any, way: tuple[str, ...]) -> dict[str, Any]:
        if not is_object(value):
            return {}
        reference = value.get("$ref")
        if isinstance(reference, str):
            return self._referred(reference, way)
        parts = value.get("allOf")
        if is_list(parts) and parts:
            return self._merged(value, [self._resolved(part, way) for part in parts])
        for key in ("oneOf", "anyOf"):
            choices = value.get(key)
            if is_list(choices) and choices:
                chosen = next((c for c in choices if is_object(c) and c.get("type") != "null"), choices[0])
                return {**self._resolved(chosen, way), **{k: v for k, v in value.items() if k == "description"}}
        return dict(value)

    def _referred(self, reference: str, way: tuple[str, ...]) -> dict[str, Any]:
        if reference in way:
            self.notes[f"{reference} refers to itself: what is inside of it is not told"] = None
            return {}
        if not reference.startswith("#"):
            self.notes[f"{reference} is outside of the document and is not read"] = None
            return {}
        found = self._at(reference)
        if found is None:
            self.notes[f"{reference} is not in the document"] = None
        return self._resolved(found, (*way, reference))

    def _at(self, reference: str) -> Any:
        """What a JSON pointer (RFC 6901) leads to; None where it leads nowhere."""
        found: Any = self._document
        for part in reference.removeprefix("#").split("/")[1:]:
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if is_list(found) and key.isdigit() and int(key) < len(found):
                found = found[int(key)]
            else:
                found = found.get(key) if is_object(found) else None
        return found

    @staticmethod
    def _merged(value: Schema, parts: list[dict[str, Any]]) -> dict[str, Any]:
        merged: dict[str, Any] = {}
        required: list[Any] = []
        properties: dict[str, Any] = {}
        for part in (*parts, {key: inner for key, inner in value.items() if key != "allOf"}):
            merged |= part
            properties |= cast("dict[str, Any]", part["properties"]) if is_object(part.get("properties")) else {}
            required += part["required"] if is_list(part.get("required")) else []
        return {**merged, "properties": properties, "required": required} if properties else merged


def _type(schema: Schema) -> ValueType:
    kind = next(_kinds(schema), None)
    if kind == "string":
        return _FORMATS.get(str(schema.get("format")), "str")
    if kind is not None and kind in _TYPES:
        return _TYPES[kind]
    if "properties" in schema or "additionalProperties" in schema:
        return "dict"
    return "list" if "items" in schema else "str" if "enum" in schema or schema else "dict"


def _kinds(schema: Schema) -> Iterator[str]:
    """The types of a schema but `null`; OpenAPI 3.1 may list several."""
    kind: Any = schema.get("type")
    for one in kind if is_list(kind) else [kind]:
        if isinstance(one, str) and one != "null":
            yield one
