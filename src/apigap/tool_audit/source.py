"""The place where a user's tools are described: which one of three, and what is read from it."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from apigap.apibank_generator.seeds.mcp import mcp_seeds
from apigap.apibank_generator.seeds.mcp_server import SECONDS, McpServer
from apigap.apibank_generator.seeds.openapi import read_openapi
from apigap.apibank_generator.seeds.python_module import read_python
from apigap.apibank_generator.seeds.user_apis import Seeds
from apigap.records.errors import UsageError
from apigap.tool_audit.toolset import Kind, Toolset, mcp_toolset, openapi_toolset, python_toolset


class Source(NamedTuple):
    """A place of one kind: an address or a command, a file, or a module's name."""

    kind: Kind
    place: str
    seconds: float = SECONDS
    environment: Mapping[str, str] = {}

    @property
    def server(self) -> McpServer:
        """The MCP server.

        Raises:
            UsageError: when the tools are not those of one.
        """
        if self.kind != "mcp":
            raise UsageError(f"--live calls the tools of an MCP server, not those of --{self.kind}; give --mcp")
        return McpServer(self.place, self.seconds, self.environment)

    def toolset(self) -> Toolset:
        """The tools as a model is offered them; none is called.

        Raises:
            UsageError: when the place has no tool that can be offered.
            InfrastructureError: when a server does not answer in time.
        """
        if self.kind == "mcp":
            return mcp_toolset(self.server)
        return openapi_toolset(Path(self.place)) if self.kind == "openapi" else python_toolset(self.place)

    def seeds(self) -> Seeds:
        """The tools as the five agents write dialogues with them; see `Source.toolset`."""
        if self.kind == "mcp":
            return mcp_seeds(self.server)
        return read_openapi(Path(self.place)) if self.kind == "openapi" else read_python(self.place)


def source_of(
    mcp: str | None, openapi: Path | None, python: str | None, seconds: float, environment: Mapping[str, str]
) -> Source:
    """The one of three that is given.

    Raises:
        UsageError: when none is, or several are.
    """
    places: dict[Kind, str | None] = {"mcp": mcp, "openapi": openapi and str(openapi), "python": python}
    given: list[tuple[Kind, str]] = [(kind, place) for kind, place in places.items() if place is not None]
    if len(given) != 1:
        raise UsageError("say where your tools are, by one of --mcp URL or COMMAND, --openapi FILE, --python MODULE")
    return Source(*given[0], seconds, environment)
