"""A user's own APIs: read from an OpenAPI document, an MCP server and a Python module, and made into dialogues."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apigap.apibank_generator.order import Order
from apigap.apibank_generator.records import ABILITIES, Dialogue, Tool
from apigap.apibank_generator.run import Folder, RunOptions, generate_apibank
from apigap.apibank_generator.seeds.mcp import mcp_seeds
from apigap.apibank_generator.seeds.mcp_server import McpServer
from apigap.apibank_generator.seeds.openapi import read_openapi
from apigap.apibank_generator.seeds.python_module import read_python
from apigap.apibank_generator.seeds.user_apis import Seeds
from apigap.models import transcripts
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.store import load_records
from tests.apibank_generator.conftest import Quiet
from tests.apibank_generator.obliging import ANSWERS, Obliging

LIBRARY = Path(__file__).with_name("library.yaml")


def dialogues_for(seeds: Seeds, out: Path, monkeypatch: pytest.MonkeyPatch, count: int = 9) -> list[Dialogue]:
    monkeypatch.setattr(transcripts, "Generator", Obliging)
    told = generate_apibank(Order(count=count), RunOptions("obliging/model", embedder="lexical"), out, Quiet(), seeds)
    assert told["why"] is None, told
    return [one for one in load_records(Folder(out).dialogues, Dialogue) if one.verdict.accepted]


def inputs(tool: Tool) -> dict[str, str]:
    return {value.name: f"{value.type}{'' if value.required else '?'}" for value in tool.inputs}


def outputs(tool: Tool) -> dict[str, str]:
    return {value.name: value.type for value in tool.outputs}


def test_an_openapi_document_with_cycles() -> None:
    tools = {tool.name: tool for tool in read_openapi(LIBRARY).tools}
    assert list(tools) == [
        "searchBooks", "AddBook", "getBook", "DeleteBooksByIsbn", "listLoans", "lendBook", "joinLibrary", "getFines",
        "bookReadingRoom", "listShelves",
    ]  # fmt: skip
    assert inputs(tools["searchBooks"]) == {"language": "str?", "title": "str", "page_size": "int?"}
    assert inputs(tools["AddBook"]) == {"language": "str?", "title": "str", "pages": "int?"}
    assert inputs(tools["getBook"]) == {"isbn": "str"}
    assert inputs(tools["lendBook"]) == {"isbn": "str", "member": "int", "until": "date?"}
    assert inputs(tools["joinLibrary"]) == {"name": "str", "born": "date?"}
    assert inputs(tools["bookReadingRoom"]) == {"day": "datetime", "seats": "int?"}
    assert outputs(tools["getBook"]) == {
        "title": "str", "author": "dict", "pages": "int", "isbn": "str", "part_of": "dict",
    }  # fmt: skip
    assert outputs(tools["getFines"]) == {"result": "float"}
    assert outputs(tools["DeleteBooksByIsbn"]) == {"status": "str"}
    assert outputs(tools["searchBooks"]) == {"result": "list"}
    assert "title, author, pages, isbn" in tools["searchBooks"].outputs[0].description
    language = tools["searchBooks"].input("language")
    assert language is not None and language.description == "Of the text: one of en, sl, it"


def test_what_an_openapi_document_cannot_tell_is_a_note() -> None:
    found = read_openapi(LIBRARY)
    assert found.notes == [
        "#/components/schemas/Book refers to itself by author.books.items: it is told once",
        "#/components/schemas/Book refers to itself by part_of: it is told once",
        "#/components/schemas/Missing is not in the document",
        "elsewhere.yaml#/Room is outside of the document and is not read",
        "#/components/schemas/Shelf refers to itself: what is inside of it is not told",
        "POST /books is told without author, a mapping, which a call in the released form cannot hold",
    ]
    assert found.counts == {
        "apis_left_out": 0, "parameters_left_out": 1, "cycles_cut": 3, "references_not_read": 2,
    }  # fmt: skip


def test_an_openapi_document_becomes_dialogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = read_openapi(LIBRARY)
    made = dialogues_for(seeds, tmp_path, monkeypatch)
    assert {one.ability for one in made} == set(ABILITIES)
    assert {step.api for one in made for step in one.calls} <= {tool.name for tool in seeds.tools}
    assert {one.domain for one in made} == {"Village Library"}


BROKEN = [
    ("no document", "- a\n- b\n", "no OpenAPI document"),
    ("no operation", '{"openapi": "3.0.0", "paths": {}}', "no API that can be used"),
    ("no YAML", "a: [1", "neither JSON nor YAML"),
    ("an anchor in itself", "paths: &a {/x: *a}", "no API that can be used"),
    ("operations that are none", '{"paths": {"/x": {"get": 3, "post": []}, "/y": null}}', "no API that can be used"),
]


@pytest.mark.parametrize(("text", "why"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_what_is_no_openapi_document(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "api.yaml"
    path.write_text(text)
    with pytest.raises(UsageError, match=why):
        read_openapi(path)


def test_swagger_2(tmp_path: Path) -> None:
    path = tmp_path / "swagger.json"
    pet = {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    }
    operation = {
        "operationId": "adopt_pet", "summary": "Adopts a pet.",
        "parameters": [{"in": "body", "name": "pet", "schema": {"$ref": "#/definitions/Pet"}},
                       {"in": "query", "name": "day", "type": "string", "format": "date", "required": True}],
        "responses": {"200": {"schema": {"$ref": "#/definitions/Pet"}}},
    }  # fmt: skip
    path.write_text(
        json.dumps({"swagger": "2.0", "paths": {"/pets": {"post": operation}}, "definitions": {"Pet": pet}})
    )
    (tool,) = read_openapi(path).tools
    assert inputs(tool) == {"name": "str", "age": "int?", "day": "date"}
    assert outputs(tool) == {"name": "str", "age": "int"}


@pytest.fixture
def server() -> Iterator[str]:
    """A server of three tools, in a thread of this process."""
    fastmcp = pytest.importorskip("fastmcp")
    uvicorn = pytest.importorskip("uvicorn")
    mcp = fastmcp.FastMCP("Greenhouse")

    @mcp.tool
    def read_sensor(bench: str, sensor: str = "soil") -> float:
        """Reads a sensor of a bench."""
        raise AssertionError("tools are listed, never called")

    @mcp.tool
    def water_bench(bench: str, litres: float) -> dict[str, Any]:
        """Waters a bench of plants."""
        raise AssertionError("tools are listed, never called")

    @mcp.tool
    def open_roof(degrees: int) -> str:
        """Opens the roof of the greenhouse."""
        raise AssertionError("tools are listed, never called")

    running = uvicorn.Server(uvicorn.Config(mcp.http_app(), port=0, log_level="error"))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.05)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}/mcp"
    running.should_exit = True
    thread.join()


def test_an_mcp_server_becomes_dialogues(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = mcp_seeds(McpServer(server))
    tools = seeds.tools
    assert {tool.name: inputs(tool) for tool in tools} == {
        "read_sensor": {"bench": "str", "sensor": "str?"},
        "water_bench": {"bench": "str", "litres": "float"},
        "open_roof": {"degrees": "int"},
    }
    assert {tool.domain for tool in tools} == {"Greenhouse"}
    made = dialogues_for(seeds, tmp_path, monkeypatch, count=6)
    assert {step.api for one in made for step in one.calls} == {tool.name for tool in tools}


def test_an_mcp_server_that_is_not_there() -> None:
    with pytest.raises(InfrastructureError, match="is it running"):
        mcp_seeds(McpServer("http://127.0.0.1:9/mcp"))
    with pytest.raises(UsageError, match="no address and no command"):
        mcp_seeds(McpServer("server.py"))


MODULE = '''\
"""A bakery."""
raise SystemExit("nobody may import this")

def bake(loaves: int, flour: str = "rye", *, hot: bool = False) -> list[str]:
    """Bakes loaves of bread.

    Args:
        loaves: How many.
        flour: Of which grain.
    """

def price_of(loaf, day=None):
    """Tells the price of a loaf.

    :param str loaf: The kind of bread.
    :rtype: float
    """

def knead(dough: Dough) -> None:
    """Kneads dough."""

def shut() -> None:
    """Shuts the bakery."""

def _secret() -> None:
    """Nobody calls it."""
'''


def test_a_python_module_is_read_and_never_imported(tmp_path: Path) -> None:
    path = tmp_path / "bakery_for_tests.py"
    path.write_text(MODULE)
    found = read_python(str(path))
    tools = {tool.name: tool for tool in found.tools}
    assert list(tools) == ["bake", "price_of", "shut"]
    assert inputs(tools["bake"]) == {"loaves": "int", "flour": "str?", "hot": "bool?"}
    assert outputs(tools["bake"]) == {"result": "list"}
    assert inputs(tools["price_of"]) == {"loaf": "str"}
    assert outputs(tools["shut"]) == {"done": "bool"}
    assert [note.partition(" ")[2] for note in found.notes] == [
        "is told without day, which has the type unknown", "is left out: it needs dough, which has the type Dough",
    ]  # fmt: skip
    assert "bakery_for_tests" not in sys.modules


def test_a_module_that_is_not_there() -> None:
    for name in ("no_such_module_anywhere", "math"):
        with pytest.raises(UsageError, match="--python"):
            read_python(name)


def test_a_module_by_its_name() -> None:
    (tool,) = read_python("apigap.benchmarks.apibank.scoring.rouge").tools
    assert (tool.name, inputs(tool), outputs(tool)) == (
        "rouge_l", {"reference": "str", "hypothesis": "str"}, {"result": "float"},
    )  # fmt: skip


def test_a_module_without_types() -> None:
    with pytest.raises(UsageError, match="needs text, which has the type unknown"):
        read_python("textwrap")


def test_a_tester_that_gives_the_prompt_back_accepts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied: dict[str, Any] = {
        "reason": "One sentence of your own on what is weakest in this very dialogue",
        "broken": [],
    }
    monkeypatch.setitem(ANSWERS, "tester", lambda prompt, number: copied)
    monkeypatch.setattr(transcripts, "Generator", Obliging)
    seeds = read_openapi(LIBRARY)
    told = generate_apibank(Order(count=2), RunOptions("obliging/model", embedder="lexical"), tmp_path, Quiet(), seeds)
    assert told["statistics"]["dialogues"] == 0
    assert "| tester | verdict_copied |" in (tmp_path / "card.md").read_text()
