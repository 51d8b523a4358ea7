"""JSON schemas, as OpenAPI and MCP have them, as parameters and outputs."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from apigap.apibank_generator.records import Value, ValueType
from apigap.apibank_generator.seeds.call_values import (
    MAPPING,
    CallParameter,
    as_list_of,
    call_parameter,
    choices_text,
    listed,
    type_of,
    with_contents,
)
from apigap.apibank_generator.seeds.references import Cycles, References, Resolver, Schema, required_of
from apigap.apibank_generator.seeds.user_apis import Notes
from apigap.records.parsing.json_shapes import is_list, is_object

_TYPES: Mapping[str, ValueType] = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "list", "object": "dict",
}  # fmt: skip
_FORMATS: Mapping[str, ValueType] = {"date": "date", "date-time": "datetime", "time": "time"}
_DEEPEST = 3


class Schemas:
    """The schemas of one document. `notes` tell of references that lead nowhere, outside, or in a circle."""

    def __init__(self, document: Schema, notes: Notes) -> None:
        references = References(document, notes)
        self._cycles = Cycles(references)
        self._resolver = Resolver(references)

    def resolved(self, value: Any) -> Schema:
        """A part of the document with all that it refers to; {} of what is no object."""
        self._cycles.look(value)
        return self._resolver.resolved(value)

    def inputs(self, schema: Any, alone: str) -> list[CallParameter]:
        """The properties of an object that a caller may give; of any other schema one value, called `alone`."""
        return [self.call_parameter(*one) for one in self.properties(schema, alone, "readOnly")]

    def outputs(self, schema: Any) -> list[Value]:
        """The properties of an object that a caller gets; of any other schema one value, `result`."""
        return [self._value(*one) for one in self.properties(schema, "result", "writeOnly")]

    def properties(
        self, schema: Any, alone: str, hidden: Literal["readOnly", "writeOnly"]
    ) -> Iterator[tuple[str, Schema, bool]]:
        """Name, resolved schema, and whether it is required; of what is no object one value, called `alone`."""
        node = self.resolved(schema)
        properties = node.get("properties")
        if not is_object(properties) or not properties:
            yield alone, node, True
            return
        required = set(required_of(node))
        for name, value in properties.items():
            inner = self._resolver.resolved(value)
            if inner.get(hidden) is not True:
                yield str(name), inner, str(name) in required

    def call_parameter(self, name: str, node: Schema, required: bool, description: str = "") -> CallParameter:
        """A parameter with a resolved schema; `description` counts before that of the schema."""
        return call_parameter(self._value(name, node, required, description), self._unsupported(node, 0))

    def _value(self, name: str, node: Schema, required: bool, description: str = "") -> Value:
        words = with_contents(description or str(node.get("description") or ""), self._inside(node, 0))
        return Value(name=name, type=_type(node), description=words, required=required)

    def _inside(self, schema: Schema, depth: int) -> str:
        """`one of a, b`, `list of object with id, name`; empty where there is nothing to tell."""
        choices = choices_text(_choices(schema))
        if choices or depth >= _DEEPEST:
            return choices
        kind = _type(schema)
        if kind == "list":
            item = self._resolver.resolved(schema.get("items"))
            return f"list of {self._inside(item, depth + 1) or _type(item)}" if item else ""
        properties = schema.get("properties")
        if kind != "dict" or not is_object(properties) or not properties:
            return ""
        return f"object with {listed(list(properties))}"

    def _unsupported(self, schema: Schema, depth: int) -> str:
        """The kind of a value that no call can hold; empty where one can, or where that is not known."""
        kind = _type(schema)
        if kind != "list" or depth >= _DEEPEST:
            return MAPPING if kind == "dict" else ""
        item = self._resolver.resolved(schema.get("items"))
        return as_list_of(_type(item), self._unsupported(item, depth + 1)) if item else ""


def _type(schema: Schema) -> ValueType:
    kind = next(_kinds(schema), None)
    if kind == "string":
        return _FORMATS.get(str(schema.get("format")), "str")
    if kind is not None and kind in _TYPES:
        return _TYPES[kind]
    if "properties" in schema or "additionalProperties" in schema:
        return "dict"
    return "list" if "items" in schema else type_of(_choices(schema)) or "str"


def _choices(schema: Schema) -> list[Any]:
    choices = schema.get("enum")
    if is_list(choices):
        return choices
    return [schema["const"]] if "const" in schema else []


def _kinds(schema: Schema) -> Iterator[str]:
    """The types of a schema but `null`; OpenAPI 3.1 may list several."""
    kind: Any = schema.get("type")
    for one in kind if is_list(kind) else [kind]:
        if isinstance(one, str) and one != "null":
            yield one
