"""The tools of an agent, in words and as JSON schemas, and the sets of them that are conditions of an experiment."""

from typing import NamedTuple

from apigap.models.request import OfferedTool, tool_of_text
from apigap.records.experiment import ToolName, ToolSet


class ToolText(NamedTuple):
    """A tool: what it does, the name of its one argument, and what that is."""

    name: ToolName
    does: str
    argument: str
    wants: str


TOOLS: dict[ToolName, ToolText] = {
    tool.name: tool
    for tool in (
        ToolText(
            "search_docs",
            "Search the documentation of this release; gives the names that fit best, with a line on each.",
            "query",
            "a few words on what the code has to do, or a name",
        ),
        ToolText(
            "read_page",
            "Read the documentation of one name: signature and docstring; of a module, what is in it.",
            "name",
            "the full dotted name; NAME#2 is the second part of a long page",
        ),
        ToolText(
            "list_changes",
            "List what this release added, changed, moved, deprecated and removed since the one before.",
            "about",
            "a module or a word that the names hold; empty for all; TEXT#2 is the second part of a long list",
        ),
        ToolText(
            "read_source",
            "Read the source of one name, or its signature where it is compiled.",
            "name",
            "the full dotted name; NAME#2 is the second part of a long text",
        ),
        ToolText(
            "run_code",
            "Run Python with this release, after the code that has already run; names stay for the next run. Gives "
            "what it prints, the value of a last expression, and errors. There is no network.",
            "code",
            "Python code",
        ),
        ToolText("submit", "Hand in the code that comes next. This ends your work.", "code", "Python code"),
    )
}

SETS: dict[ToolSet, tuple[ToolName, ...]] = {
    "none": ("submit",),
    "docs": ("search_docs", "read_page", "list_changes", "submit"),
    "source": ("read_source", "submit"),
    "interpreter": ("run_code", "submit"),
    "all": ("search_docs", "read_page", "list_changes", "read_source", "run_code", "submit"),
}
"""The tools of each set; `submit` is in all of them and costs nothing."""

EXAMPLES: dict[ToolName, str] = {
    "search_docs": "words to look for",
    "read_page": "full.dotted.name",
    "read_source": "full.dotted.name",
    "run_code": "# code to run",
    "submit": "# code that comes next",
}
"""The texts of the calls that a prompt shows. They ask for nothing: small models copy an example as it stands."""

CODE: tuple[ToolName, ...] = ("run_code", "submit")
"""The tools whose argument is code."""


def offered(tools: ToolSet) -> tuple[OfferedTool, ...]:
    """The tools of a set as providers take them."""
    return tuple(_offer(TOOLS[name]) for name in SETS[tools])


def _offer(tool: ToolText) -> OfferedTool:
    return tool_of_text(tool.name, tool.does, tool.argument, f"{tool.wants[0].upper()}{tool.wants[1:]}.")
