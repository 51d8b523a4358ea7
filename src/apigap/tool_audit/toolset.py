"""The tools of a user, from an MCP server, an OpenAPI document or a Python module, in sizes that a prompt can hold."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from apigap.apibank_generator.seeds.annotations import AnnotationType, annotation_type, default_type
from apigap.apibank_generator.seeds.mcp_server import McpServer, list_tools
from apigap.apibank_generator.seeds.openapi import read_operations
from apigap.apibank_generator.seeds.python_module import PythonFunction, read_functions
from apigap.apibank_generator.seeds.references import Schema
from apigap.apibank_generator.seeds.schemas import Schemas
from apigap.benchmarks.calls.names import provider_name
from apigap.benchmarks.calls.queries import Function
from apigap.records.base import Record, content_hash
from apigap.records.errors import UsageError
from apigap.records.parsing.json_shapes import is_object

Kind = Literal["mcp", "openapi", "python"]
LONGEST_DESCRIPTION = 4_000
_LONGEST_NAME = 128
_LONGEST_SCHEMA = 20_000
_MOST_TOOLS = 128
"""As many as the providers take at a time."""
_DEEPEST = 6
_KEPT = ("type", "format", "description", "enum", "const", "default", "minimum", "maximum", "minLength", "maxLength")


class Toolset(Record):
    """Tools as a model is offered them. `origins` has the name of each by its place in the source (see `Tool.origin`).

    `notes` say what was left out or cut.
    """

    name: str
    kind: Kind
    source: str
    tools: tuple[Function, ...]
    origins: dict[str, str] = {}
    notes: tuple[str, ...] = ()

    @property
    def hash(self) -> str:
        """The hash of what a model is shown."""
        return content_hash([tool.model_dump(mode="json") for tool in self.tools])

    @property
    def schemas(self) -> Mapping[str, dict[str, Any]]:
        """The schema of the arguments of each tool."""
        return {tool.name: tool.parameters for tool in self.tools}

    def described(self, changes: Mapping[str, str]) -> tuple[Function, ...]:
        """The tools, of which some have another description."""
        return tuple(
            tool.model_copy(update={"description": changes[tool.name]}) if tool.name in changes else tool
            for tool in self.tools
        )


def mcp_toolset(server: McpServer) -> Toolset:
    """The tools that a server lists; none is called.

    Raises:
        UsageError: when there is no such command, or it has no tool.
        InfrastructureError: when it does not answer in time.
    """
    name, tools = list_tools(server)
    found = (
        (f"tool {tool.name}", _function(str(tool.name), str(tool.description or ""), tool.input_schema or {}))
        for tool in tools
    )
    return bounded(name, "mcp", server.source, found)


def openapi_toolset(path: Path) -> Toolset:
    """The operations of a document, each a tool.

    Raises:
        UsageError: when it is no OpenAPI document, or has no operation.
    """
    title, operations, schemas, notes = read_operations(path)
    found: list[tuple[str, Function]] = []
    for one in operations:
        described = {each.name: _described(_written(each.node, schemas), each.description) for each in one.inputs}
        required = [each.name for each in one.inputs if each.required]
        name = provider_name(one.name.replace(" ", "_"))
        found.append((one.place, _function(name, one.description, {"properties": described, "required": required})))
    return bounded(title, "openapi", path.name, found, notes.texts)


def python_toolset(name: str) -> Toolset:
    """The public functions of a module, which is read and never imported.

    Raises:
        UsageError: when there is no such module in text form, or it has no public function.
    """
    functions = read_functions(name)
    title = functions[0].module if functions else name
    return bounded(title, "python", Path(name).name, ((one.place, _of_python(one)) for one in functions))


def bounded(
    name: str, kind: Kind, source: str, found: Iterable[tuple[str, Function]], notes: Iterable[str] = ()
) -> Toolset:
    """The tools that a prompt can hold, each given with its origin; what is left out is a note.

    Raises:
        UsageError: when none is left.
    """
    kept: dict[str, Function] = {}
    origins: dict[str, str] = {}
    told = list(notes)
    for origin, tool in found:
        why = _refusal(tool, kept)
        if why:
            told.append(f"{tool.name[:_LONGEST_NAME]} is left out: {why}")
            continue
        if len(tool.description) > LONGEST_DESCRIPTION:
            told.append(f"the description of {tool.name} is cut to {LONGEST_DESCRIPTION} characters")
        origins[origin] = tool.name
        kept[tool.name] = tool.model_copy(update={"description": tool.description[:LONGEST_DESCRIPTION]})
    if not kept:
        raise UsageError(f"{source} has no tool that can be offered: {'; '.join(told[:3]) or 'it lists none'}")
    return Toolset(name=name, kind=kind, source=source, tools=tuple(kept.values()), origins=origins, notes=tuple(told))


def _refusal(tool: Function, kept: Mapping[str, Function]) -> str:
    if len(kept) >= _MOST_TOOLS:
        return f"more than {_MOST_TOOLS} tools are offered to no model at once"
    if tool.name in kept:
        return "another one has its name"
    if len(tool.name) > _LONGEST_NAME:
        return f"its name has more than {_LONGEST_NAME} characters"
    size = len(json.dumps(tool.parameters, default=str))
    return f"its schema has {size} characters, more than {_LONGEST_SCHEMA}" if size > _LONGEST_SCHEMA else ""


def _function(name: str, description: str, parameters: Mapping[str, Any]) -> Function:
    known = {key: value for key, value in parameters.items() if key not in ("$schema", "title")}
    return Function(
        name=name or "?",
        description=description.strip(),
        parameters=json.loads(json.dumps({"type": "object", "properties": {}, **known}, default=str)),
    )


def _of_python(function: PythonFunction) -> Function:
    """The parameters that can be given by name; one of an unknown type may be anything."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter, documented in function.inputs:
        if parameter.kind not in ("positional_or_keyword", "keyword_only"):
            continue
        written = parameter.annotation or documented.annotation
        found = annotation_type(written) if written else default_type(parameter.default)
        properties[parameter.name] = _described(_of_type(found), documented.description or "")
        required += [parameter.name] if parameter.required else []
    return _function(function.name, function.description, {"properties": properties, "required": required})


_JSON_TYPES: Mapping[str, dict[str, Any]] = {
    "str": {"type": "string"}, "int": {"type": "integer"}, "float": {"type": "number"}, "bool": {"type": "boolean"},
    "list": {"type": "array"}, "dict": {"type": "object"}, "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"}, "datetime": {"type": "string", "format": "date-time"},
}  # fmt: skip


def _of_type(found: AnnotationType) -> dict[str, Any]:
    choices = {"enum": list(found.choices)} if found.choices else {}
    return {**_JSON_TYPES.get(found.kind or "", {}), **choices}


def _described(schema: dict[str, Any], words: str) -> dict[str, Any]:
    return {**schema, "description": words} if words else schema


def _written(node: Schema, schemas: Schemas, depth: int = 0) -> dict[str, Any]:
    """A schema of a document as JSON Schema without references, to a bounded depth."""
    known = schemas.resolved(node)
    found: dict[str, Any] = {key: known[key] for key in _KEPT if key in known}
    if known.get("nullable") is True and isinstance(found.get("type"), str):
        found["type"] = [found["type"], "null"]
    if depth < _DEEPEST and is_object(known.get("items")):
        found["items"] = _written(known["items"], schemas, depth + 1)
    if depth < _DEEPEST and is_object(known.get("properties")):
        found["properties"] = dict(_inner(known["properties"], schemas, depth))
        found["required"] = [name for name in known.get("required", ()) if name in found["properties"]]
    return found


def _inner(properties: Mapping[str, Any], schemas: Schemas, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, value in properties.items():
        if is_object(value) and value.get("readOnly") is not True:
            yield str(name), _written(value, schemas, depth + 1)
