"""Operations of OpenAPI documents: what becomes of their schemas, parameters and bodies, and what is left out."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from apigap.apibank_generator.records import Tool
from apigap.apibank_generator.seeds.mcp import api_description
from apigap.apibank_generator.seeds.openapi import read_openapi
from apigap.apibank_generator.seeds.user_apis import Notes, Seeds, checked_seeds
from apigap.records.errors import UsageError

Json = dict[str, Any]
NOTE: Json = {"title": {"type": "string"}, "body": {"type": "string"}}
DONE: Json = {"200": {"content": {"application/json": {"schema": {"type": "boolean"}}}}}
PING: Json = {"operationId": "ping", "summary": "Answers.", "responses": DONE}


def document(operation: Json, schemas: Json | None = None, path: str = "/x/{id}", shared: Any = ()) -> Json:
    """A document of two operations, of which one is always there."""
    told = {"operationId": "act", "summary": "Acts.", "responses": DONE, **operation}
    paths = {path: {"put": told, "parameters": list(shared)}, "/ping": {"get": PING}}
    return {"openapi": "3.1.0", "info": {"title": "Cases"}, "paths": paths, "components": {"schemas": schemas or {}}}


def read(tmp_path: Path, told: Json) -> Seeds:
    path = tmp_path / "api.json"
    path.write_text(json.dumps(told))
    return read_openapi(path)


def body(schema: Json) -> Json:
    return {"requestBody": {"content": {"application/json": {"schema": schema}}}}


def answers(schemas: Json) -> Json:
    """The responses of an operation, by code."""
    content = {code: {"content": {"application/json": {"schema": schema}}} for code, schema in schemas.items()}
    return {"responses": content}


def gives(schema: Json) -> Json:
    return answers({"200": schema})


def swagger_body(schema: Json) -> Json:
    return {"in": "body", "name": "given", "schema": schema}


def ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def query(name: str, kind: str, place: str = "query", required: bool = False) -> Json:
    return {"in": place, "name": name, "required": required or place == "path", "schema": {"type": kind}}


def shown(values: Any) -> str:
    """Names and types in their order, `?` behind what may be left out."""
    return ", ".join(f"{value.name}: {value.type}{'' if value.required else '?'}" for value in values)


def acting(found: Seeds) -> Tool:
    return next(tool for tool in found.tools if tool.name == "act")


CAT: Json = {"type": "object", "required": ["lives"], "properties": {"lives": {"type": "integer"}}}
KIND: Json = {"required": ["kind"], "properties": {"kind": {"type": "string"}}}
BODIES: list[tuple[str, Json, str]] = [
    (
        "anyOf beside properties",
        {"type": "object", "properties": NOTE, "anyOf": [{"required": ["title"]}, {"required": ["body"]}]},
        "title: str, body: str?",
    ),
    ("oneOf beside required", {**KIND, "oneOf": [CAT, NOTE]}, "lives: int, kind: str"),
    ("oneOf beside allOf", {"allOf": [KIND], "oneOf": [CAT, NOTE]}, "kind: str, lives: int"),
    (
        "a property that the variant narrows",
        {**KIND, "oneOf": [{"properties": {"kind": {"const": "cat"}}}]},
        "kind: str",
    ),
    ("a reference with something beside it", {**ref("Cat"), "properties": NOTE}, "lives: int, title: str?, body: str?"),
    ("null first", {"anyOf": [{"type": "null"}, ref("Cat")]}, "lives: int"),
    ("an enum without a type", {"properties": {"size": {"enum": [1, 2]}}}, "size: int?"),
    ("an enum of several types", {"properties": {"size": {"enum": [1, "large"]}}}, "size: str?"),
    ("an enum of numbers and null", {"properties": {"size": {"enum": [1, 2.5, None]}}}, "size: float?"),
    ("a constant", {"properties": {"size": {"const": True}}}, "size: bool?"),
    ("what the caller only reads", {"required": ["id", "name"], "properties": {
        "id": {"type": "integer", "readOnly": True}, "made": ref("Stamp"), "name": {"type": "string"}}}, "name: str"),
    ("what the caller only writes", {"properties": {"secret": {"type": "string", "writeOnly": True}}}, "secret: str?"),
    ("required that is no name", {"required": [{"name": 1}, "title", 3], "properties": NOTE}, "title: str, body: str?"),
    ("any value", {"properties": {"x": {}}}, "x: str?"),
    ("one value", {"type": "integer"}, "body: int"),
    ("a list of numbers", {"type": "array", "items": {"type": "number"}}, "body: list"),
    ("a property called result", {"properties": {"result": {"type": "string"}}}, "result: str?"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "wanted"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES])
def test_bodies(tmp_path: Path, schema: Json, wanted: str) -> None:
    stamp = {"type": "string", "readOnly": True}
    assert shown(acting(read(tmp_path, document(body(schema), {"Cat": CAT, "Stamp": stamp}))).inputs) == wanted


NUMBER: Json = {"type": "integer"}
OUTPUTS: list[tuple[str, Json, str]] = [
    (
        "anyOf beside properties",
        answers({"200": {"properties": NOTE, "anyOf": [{"required": ["title"]}]}}),
        "title: str, body: str?",
    ),
    (
        "what only the caller writes",
        answers({"200": {"properties": {"secret": {"type": "string", "writeOnly": True}, "id": {"readOnly": True}}}}),
        "id: str?",
    ),
    ("the default", answers({"default": NUMBER}), "result: int"),
    ("the default beside an error", answers({"404": {}, "default": NUMBER}), "result: int"),
    (
        "the default beside a success",
        {"responses": {"204": {}, **answers({"default": NUMBER})["responses"]}},
        "status: str",
    ),
    ("a range", answers({"2XX": NUMBER}), "result: int"),
    ("only an error", answers({"404": NUMBER}), "status: str"),
]


@pytest.mark.parametrize(("operation", "wanted"), [row[1:] for row in OUTPUTS], ids=[row[0] for row in OUTPUTS])
def test_outputs(tmp_path: Path, operation: Json, wanted: str) -> None:
    assert shown(acting(read(tmp_path, document(operation))).outputs) == wanted


ID = {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}
PARAMETERS: list[tuple[str, Json, list[Json], str]] = [
    (
        "a body of 2.0 with the name of the path",
        {"parameters": [swagger_body(ID), {"in": "path", "name": "id", "required": True, "type": "integer"}]},
        [],
        "id: int, body_id: str?, name: str?",
    ),
    (
        "a query with the name of the path",
        {"parameters": [query("id", "string"), query("id", "integer", "path")]},
        [],
        "id: int, query_id: str?",
    ),
    (
        "names that differ in case",
        {"parameters": [query("ID", "integer", "path")], **body(ID)},
        [],
        "ID: int, body_id: str?, name: str?",
    ),
    (
        "an operation has the last word over its path",
        {"parameters": [query("id", "integer", "path")]},
        [query("id", "string", "path"), query("day", "string")],
        "id: int, day: str?",
    ),
    (
        "a list as the body of 2.0",
        {"parameters": [swagger_body({"type": "array", "items": {"type": "integer"}})]},
        [],
        "body: list",
    ),
    ("a parameter called body", {"parameters": [query("body", "string")], **body({"type": "integer"})}, [],
     "body: str?, body_body: int"),
    ("a parameter with content", {"parameters": [{"in": "query", "name": "at", "content": {"application/json": {
        "schema": {"type": "integer"}}}}]}, [], "at: int?"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("operation", "shared", "wanted"), [row[1:] for row in PARAMETERS], ids=[row[0] for row in PARAMETERS]
)
def test_parameters_of_one_name(tmp_path: Path, operation: Json, shared: list[Json], wanted: str) -> None:
    assert shown(acting(read(tmp_path, document(operation, shared=shared))).inputs) == wanted


def texts(of: Json) -> Json:
    return {"type": "array", "items": of}


UNSAYABLE: list[tuple[str, Json, str]] = [
    ("texts", texts({"type": "string"}), "a list of texts"),
    ("dates", texts({"type": "string", "format": "date"}), "a list of texts"),
    ("texts in lists", texts(texts({"type": "string"})), "a list of texts"),
    ("mappings in a list", texts({"properties": NOTE}), "a list of mappings"),
    ("a mapping", {"type": "object"}, "a mapping"),
    ("a mapping by its values", {"additionalProperties": {"type": "integer"}}, "a mapping"),
    ("a reference that leads nowhere", ref("Nowhere"), "a mapping"),
]


@pytest.mark.parametrize(("schema", "what"), [row[1:] for row in UNSAYABLE], ids=[row[0] for row in UNSAYABLE])
def test_what_no_call_can_hold_is_left_out_with_a_note(tmp_path: Path, schema: Json, what: str) -> None:
    held = f"x, {what}, which a call in the released form cannot hold"
    needed = read(tmp_path, document(body({"required": ["x"], "properties": {"x": schema}})))
    assert [tool.name for tool in needed.tools] == ["ping"]
    assert needed.notes[-1] == f"PUT /x/{{id}} is left out: it needs {held}"
    assert needed.counts["apis_left_out"] == 1
    optional = read(tmp_path, document(body({"properties": {"x": schema, "y": {"type": "string"}}})))
    assert shown(acting(optional).inputs) == "y: str?"
    assert optional.notes[-1] == f"PUT /x/{{id}} is told without {held}"
    assert optional.counts["parameters_left_out"] == 1


SAYABLE: list[Json] = [texts({"type": "integer"}), texts({"enum": [True]}), texts(texts({"type": "number"})), texts({})]


@pytest.mark.parametrize("schema", SAYABLE, ids=str)
def test_lists_that_a_call_can_hold(tmp_path: Path, schema: Json) -> None:
    found = read(tmp_path, document(body({"required": ["x"], "properties": {"x": schema}})))
    assert (shown(acting(found).inputs), found.notes) == ("x: list", [])


DESCRIPTIONS: list[tuple[str, Json, str]] = [
    ("many values", {"enum": list("ABCDEFGHIJ")}, "one of A, B, C, D, E, F, ... (10 in all)"),
    ("six values", {"enum": list("ABCDEF"), "description": "Which."}, "Which: one of A, B, C, D, E, F"),
    ("null among them", {"type": ["string", "null"], "enum": ["A", None]}, "one of A"),
    ("numbers", texts({"enum": list(range(8))}), "list of one of 0, 1, 2, 3, 4, 5, ... (8 in all)"),
]


@pytest.mark.parametrize(("schema", "wanted"), [row[1:] for row in DESCRIPTIONS], ids=[row[0] for row in DESCRIPTIONS])
def test_descriptions_of_choices(tmp_path: Path, schema: Json, wanted: str) -> None:
    (value,) = acting(read(tmp_path, document(body({"properties": {"x": schema}})))).inputs
    assert value.description == wanted


def test_names_that_are_no_texts(tmp_path: Path) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(
        """
paths:
  /lamps:
    get:
      summary: Switches a lamp.
      parameters: [{in: query, name: 7, schema: {type: integer}}]
    post:
      summary: Switches lamps.
      requestBody: {content: {application/json: {schema: {required: [on], properties: {
        on: {type: boolean, default: true}, off: {enum: [no, yes]}}}}}}
    put:
      operationId: none
      responses: {200: {content: {1: {schema: {properties: {on: {type: boolean}}}}}}}
    patch:
      operationId: same
      responses: {200: {$ref: "#/paths/~1lamps/put/responses/200"}}
"""
    )
    found = read_openapi(path)
    assert {tool.name: (shown(tool.inputs), shown(tool.outputs)) for tool in found.tools} == {
        "PostLamps": ("on: bool, off: str?", "status: str"),
        "none": ("", "on: bool?"),
        "same": ("", "on: bool?"),
    }
    (note,) = found.notes
    assert note.startswith("GET /lamps is left out: ") and "7" in note


def chain(length: int) -> Json:
    """Schemas that refer to each other in a row, of which the last is an object."""
    links = {f"S{number}": ref(f"S{number + 1}") for number in range(length)}
    return {**links, f"S{length}": {"properties": {"name": {"type": "string"}}}}


def doubling(levels: int, last: Json) -> Json:
    """Schemas of which each is twice the next one."""
    parts = {f"S{number}": {"allOf": [ref(f"S{number + 1}")] * 2} for number in range(levels)}
    return {**parts, f"S{levels}": last}


def test_a_long_chain_of_references(tmp_path: Path) -> None:
    assert shown(acting(read(tmp_path, document(gives(ref("S0")), chain(30)))).outputs) == "name: str?"
    found = read(tmp_path, document(gives(ref("S0")), chain(1500)))
    assert shown(acting(found).outputs) == "result: dict"
    (note,) = found.notes
    assert "is more than 64 references deep and is not read" in note
    assert found.counts["references_not_read"] == 1


LAST: list[tuple[str, Json, str, int]] = [
    ("an object", {"properties": {"name": {"type": "string"}}}, "name: str?", 0),
    ("the first again", {"allOf": [ref("S0"), {"properties": {"name": {"type": "string"}}}]}, "name: str?", 1),
]


@pytest.mark.parametrize(("last", "wanted", "cycles"), [row[1:] for row in LAST], ids=[row[0] for row in LAST])
def test_parts_that_double_take_no_time(tmp_path: Path, last: Json, wanted: str, cycles: int) -> None:
    # by doubling it would be hours, and pytest's own limit would end it
    found = read(tmp_path, document(gives(ref("S0")), doubling(30, last)))
    assert shown(acting(found).outputs) == wanted
    assert found.counts["cycles_cut"] == cycles


NODE: Json = {"properties": {"value": {"type": "integer"}, "next": ref("Node")}}
CYCLES: list[tuple[str, Json, list[str]]] = [
    ("a property", {"Node": NODE}, ["#/components/schemas/Node refers to itself by next: it is told once"]),
    (
        "items, and values of a mapping",
        {"Node": {"properties": {"in": texts(ref("Node")), "by": {"additionalProperties": ref("Node")}}}},
        ["#/components/schemas/Node refers to itself by in.items: it is told once",
         "#/components/schemas/Node refers to itself by by.*: it is told once"],
    ),
    (
        "two objects",
        {"Node": {"properties": {"leaf": ref("Leaf")}}, "Leaf": {"properties": {"node": ref("Node")}}},
        ["#/components/schemas/Node refers to itself by leaf.node: it is told once"],
    ),
    (
        "each in the other's parts",
        {"Node": {"allOf": [ref("Leaf"), NODE]}, "Leaf": {"allOf": [ref("Node")]}},
        ["#/components/schemas/Node refers to itself: what is inside of it is not told",
         "#/components/schemas/Node refers to itself by next: it is told once"],
    ),
    ("an object that is there twice", {"Node": {"properties": {"a": ref("Leaf"), "b": ref("Leaf")}}, "Leaf": CAT}, []),
    ("an example", {"Node": {"properties": {"a": {"example": ref("Node")}}}}, []),
]  # fmt: skip


@pytest.mark.parametrize(("schemas", "notes"), [row[1:] for row in CYCLES], ids=[row[0] for row in CYCLES])
def test_every_cycle_is_a_note(tmp_path: Path, schemas: Json, notes: list[str]) -> None:
    found = read(tmp_path, document(gives(ref("Node")), schemas))
    assert found.notes == notes
    assert found.counts["cycles_cut"] == len(notes)


def test_parts_of_a_cycle_do_not_depend_on_which_is_read_first(tmp_path: Path) -> None:
    schemas = {"A": {"allOf": [ref("B"), CAT]}, "B": {"allOf": [ref("A"), {"properties": NOTE}]}}
    for first, second in (("A", "B"), ("B", "A")):
        told = document({**gives(ref(first)), "parameters": []}, schemas)
        told["paths"]["/later"] = {"get": {"operationId": "later", **gives(ref(second))}}
        by_name = {tool.name: {value.name for value in tool.outputs} for tool in read(tmp_path, told).tools}
        assert by_name["act"] == by_name["later"] == {"lives", "title", "body"}


def test_an_anchor_within_itself(tmp_path: Path) -> None:
    schema: Json = {"properties": {"value": {"type": "integer"}}}
    schema["properties"]["next"] = schema
    path = tmp_path / "api.yaml"
    path.write_text(yaml.safe_dump(document(gives(schema))))
    found = read_openapi(path)
    assert shown(acting(found).outputs) == "next: dict?, value: int?"
    assert found.notes == ["a schema refers to itself by next: it is told once"]


def test_operations_that_are_left_out_are_notes(tmp_path: Path) -> None:
    told = document({})
    told["paths"]["/y"] = {"head": PING, "get": 3, "post": {**PING, "operationId": "ToolSearcher"}}
    found = read(tmp_path, told)
    assert [tool.name for tool in found.tools] == ["act", "ping"]
    assert found.notes == [
        "GET /y is left out: it is no object",
        "HEAD /y is left out: head is nothing that a dialogue asks for",
        "POST /y is left out: ToolSearcher is the search for APIs",
    ]
    assert found.counts["apis_left_out"] == 3


def test_nothing_that_can_be_called(tmp_path: Path) -> None:
    told = document(body({"type": "object"}))
    del told["paths"]["/ping"]
    with pytest.raises(UsageError, match=r"no API that can be used: PUT .* needs body, a mapping"):
        read(tmp_path, told)


ARGUMENTS: Json = {"type": "object", "required": ["bench"], "properties": {"bench": {"type": "string"}}}
DEFINED: Json = {"$defs": {"Arguments": ARGUMENTS}}
TOOLS: list[tuple[str, Json, str]] = [
    ("properties", ARGUMENTS, "bench: str"),
    ("a reference", {"$ref": "#/$defs/Arguments", **DEFINED}, "bench: str"),
    ("parts", {"allOf": [{"$ref": "#/$defs/Arguments"}, {"properties": {"on": {"type": "boolean"}}}], **DEFINED},
     "bench: str, on: bool?"),
    ("choices", {"anyOf": [{"$ref": "#/$defs/Arguments"}, {"properties": NOTE}], **DEFINED}, "bench: str"),
    ("nothing", {"type": "object", "properties": {}}, ""),
]  # fmt: skip


def listed(given: Json, gives: Json | None = None) -> Any:
    """A tool as fastmcp's client lists it."""
    return SimpleNamespace(name="water", description="Waters a bench.", input_schema=given, output_schema=gives)


@pytest.mark.parametrize(("given", "wanted"), [row[1:] for row in TOOLS], ids=[row[0] for row in TOOLS])
def test_tools_of_a_server(given: Json, wanted: str) -> None:
    notes = Notes()
    (tool,) = checked_seeds([api_description(listed(given), "Greenhouse", notes)], notes, "here").tools
    assert shown(tool.inputs) == wanted
    assert shown(tool.outputs) == "result: str"


def test_notes_on_tools_name_the_tool() -> None:
    notes = Notes()
    needy = {"required": ["plants"], "properties": {"plants": texts({"type": "string"})}}
    node = {"$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}, "$ref": "#/$defs/Node"}
    found = [api_description(listed(given, node), "Greenhouse", notes) for given in (ARGUMENTS, needy)]
    assert checked_seeds(found, notes, "here").notes == [
        "tool water: #/$defs/Node refers to itself by next: it is told once",
        "tool water is left out: it needs plants, a list of texts, which a call in the released form cannot hold",
    ]
