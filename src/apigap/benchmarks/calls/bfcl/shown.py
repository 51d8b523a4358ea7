"""BFCL's descriptions of functions as JSON schemas, for the prompts."""

from collections.abc import Mapping
from typing import Any

from apigap.benchmarks.calls.bfcl.rules import JSON_TYPES, declared
from apigap.records.parsing.json_shapes import is_list, is_object

_DEEPEST = 20


def json_schema(parameters: Mapping[str, Any], rules: str) -> dict[str, Any]:
    """The schema of a function's arguments: BFCL's own type names in those of JSON.

    Arguments of Java and JavaScript are texts, as that language writes the value; their descriptions say so.
    """
    shown = _plain(parameters, 0)
    language = {"bfcl java": "Java", "bfcl javascript": "JavaScript"}.get(rules)
    properties = parameters.get("properties")
    if language and is_object(properties):
        shown["properties"] = {name: _as_text(schema, language) for name, schema in properties.items()}
    return {"properties": {}, **shown, "type": "object"}


def _plain(schema: Any, depth: int) -> Any:
    """A schema with JSON's types; what has none in JSON has none."""
    if not is_object(schema) or depth > _DEEPEST:
        return schema if is_object(schema) else {}
    found = {key: value for key, value in schema.items() if key not in ("type", "properties", "items")}
    kind = declared(schema)
    if kind is not None and schema.get("type") != "any":
        found["type"] = JSON_TYPES[kind]
    if is_object(schema.get("properties")):
        found["properties"] = {key: _plain(inner, depth + 1) for key, inner in schema["properties"].items()}
    if "items" in schema:
        found["items"] = _plain(schema["items"], depth + 1)
    return found


def _as_text(schema: Any, language: str) -> dict[str, Any]:
    known: Mapping[str, Any] = schema if is_object(schema) else {}
    items = known.get("items")
    kind = f"{known.get('type')} of {items['type']}" if is_object(items) and "type" in items else known.get("type")
    told = f"{known.get('description', '')} A text: a value of {language} type {kind}, as {language} writes it."
    choices = {"enum": known["enum"]} if is_list(known.get("enum")) else {}
    return {"type": "string", "description": told.strip(), **choices}
