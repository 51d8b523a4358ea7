"""The changes in a project's libraries, for any MCP client. Only who has fastmcp imports this module."""

from collections.abc import Callable
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from pydantic import Field

from apigap.exports.llms_reader import LlmsPages
from apigap.exports.llms_server import about_pages, add_page_tools
from apigap.projects.answers import ProjectAnswers
from apigap.records.errors import ApigapError

_HOW = (
    "Libraries change after a model was trained. Before you write code with a library of this project, ask "
    "`what_changed` with the release that you know, or the day until which your training data goes, and read what you "
    "are going to use with `read_change`. The examples ran in the release that the project uses."
)
_Library = Annotated[str, Field(description="A library by its name on the package index, as `httpx`.", min_length=1)]
_Known = Annotated[str | None, Field(description="The release that you know, as `2.4.1`.")]
_Until = Annotated[str | None, Field(description="Without known_version: the day until which your training data goes.")]


def mcp_server(pages: LlmsPages | None, answers: ProjectAnswers | None) -> FastMCP[Any]:
    """A server of pages, of the changes in a project's libraries, or of both."""
    told = [about_pages(pages)] if pages else []
    server: FastMCP[Any] = FastMCP("apigap", instructions="\n\n".join([*told, *([_HOW] if answers else [])]))
    if pages:
        add_page_tools(server, pages)
    if answers:
        add_project_tools(server, answers)
    return server


def add_project_tools(server: FastMCP[Any], answers: ProjectAnswers) -> None:
    """Give a server the three tools that answer about a project."""

    @server.tool
    def project_libraries() -> list[dict[str, str]]:  # pyright: ignore[reportUnusedFunction]
        """The libraries that this project asks for, each with the release that it uses and what says so."""
        return _answer(lambda: [one._asdict() for one in answers.releases()])

    @server.tool
    def what_changed(  # pyright: ignore[reportUnusedFunction]
        library: _Library,
        known_version: _Known = None,
        known_until: _Until = None,
        about: Annotated[str, Field(description="Only names that hold one of these words; empty: all.")] = "",
    ) -> str:
        """List what is new, changed and gone in a library between the release that you know and the project's own."""
        return _answer(lambda: answers.what_changed(library, known_version, known_until, about))

    @server.tool
    def read_change(  # pyright: ignore[reportUnusedFunction]
        library: _Library,
        name: Annotated[str, Field(description="A full name, as `what_changed` gives it.", min_length=1)],
        known_version: _Known = None,
        known_until: _Until = None,
    ) -> str:
        """All on one API that is new, changed or gone: signature, changes, examples that ran, background."""
        return _answer(lambda: answers.read_change(library, name, known_version, known_until))


def _answer(ask: Callable[[], Any]) -> Any:
    """The result of `ask`; an error of ours becomes one that the model reads."""
    try:
        return ask()
    except ApigapError as error:
        raise ToolError(str(error)) from error
