"""Tools from three sources as a model is offered them, and the bounds of what a stranger's server may send."""

from pathlib import Path
from typing import Any

import pytest

from apigap.benchmarks.calls.queries import Function
from apigap.records.errors import UsageError
from apigap.tool_audit.source import source_of
from apigap.tool_audit.toolset import LONGEST_DESCRIPTION, bounded, openapi_toolset, python_toolset
from tests.tool_audit.desk import MODULE

LIBRARY = Path(__file__).parents[1] / "apibank_generator" / "library.yaml"


def test_an_openapi_document_keeps_what_a_dialogue_cannot_say() -> None:
    found = openapi_toolset(LIBRARY)
    tools = {tool.name: tool.parameters for tool in found.tools}
    assert tools["searchBooks"] == {
        "type": "object",
        "properties": {
            "language": {"type": "string", "enum": ["en", "sl", "it"], "description": "Of the text"},
            "title": {"type": "string", "description": "Words of the title"},
            "page[size]": {"type": "integer"},
        },
        "required": ["title"],
    }
    assert tools["add-book"]["properties"]["author"]["properties"]["name"] == {"type": "string"}
    assert found.origins["DELETE /books/{isbn}"] == "delete__books_by_isbn_"


def test_a_python_module_is_read_and_never_run(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text(MODULE)
    found = python_toolset(str(tmp_path / "post.py"))
    letter, parcel, _ = found.tools
    assert letter.parameters == {
        "type": "object",
        "properties": {
            "to": {"type": "string", "description": "The name of who gets it."}, "express": {"type": "boolean"},
        },
        "required": ["to"],
    }  # fmt: skip
    assert parcel.parameters["properties"]["kilos"] == {"type": "number"}


PLAIN = Function(name="plain", description="Works.")


@pytest.mark.parametrize(
    ("tool", "note"),
    [
        (Function(name="n" * 200), "its name has more than 128 characters"),
        (PLAIN, "another one has its name"),
        (Function(name="big", parameters={"properties": {"a": {"enum": ["x" * 30_000]}}}), "its schema has"),
    ],
)
def test_what_no_prompt_can_hold_is_left_out_and_told(tool: Function, note: str) -> None:
    found = bounded("s", "mcp", "s", [("tool plain", PLAIN), ("tool other", tool)])
    assert found.tools == (PLAIN,) and note in found.notes[0]


def test_many_tools_and_long_descriptions_are_cut() -> None:
    many = [(f"tool {n}", Function(name=f"t{n}", description="d" * 10_000)) for n in range(200)]
    found = bounded("s", "mcp", "s", many)
    assert len(found.tools) == 128 and {len(tool.description) for tool in found.tools} == {LONGEST_DESCRIPTION}
    assert sum("left out" in note for note in found.notes) == 72


def test_no_tool_at_all_is_an_error() -> None:
    with pytest.raises(UsageError, match="has no tool that can be offered: it lists none"):
        bounded("s", "mcp", "here", [])


@pytest.mark.parametrize("given", [{}, {"mcp": "x", "python": "y"}, {"openapi": LIBRARY, "python": "y"}])
def test_tools_are_in_one_place(given: dict[str, Any]) -> None:
    places = {"mcp": None, "openapi": None, "python": None, **given}
    with pytest.raises(UsageError, match="by one of --mcp URL or COMMAND, --openapi FILE, --python MODULE"):
        source_of(**places, seconds=1, environment={})
