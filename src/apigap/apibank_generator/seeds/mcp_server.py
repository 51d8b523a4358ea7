"""A running MCP server, at an address or started by a command: its tools, and calls of them within a time limit."""

import asyncio
import shlex
import shutil
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.extras import from_extra

SECONDS = 8.0
"""For a server to start and to list its tools, and for each call; a dead one is told within ten, its end included."""
_CLOSING_SECONDS = 2.0
_SHOWN = 400
_Found = TypeVar("_Found")


class McpServer(NamedTuple):
    """The address of a server, or the command that starts one, split as a shell would and run without one.

    A command gets the few variables that programs need (PATH, HOME and their like) and those of `environment`, no key
    of the caller's. `seconds` bound its start with the list of its tools, and each call.
    """

    source: str
    seconds: float = SECONDS
    environment: Mapping[str, str] = {}

    @property
    def is_address(self) -> bool:
        """True where it runs already."""
        return self.source.startswith(("http://", "https://"))


class McpTools(NamedTuple):
    """The name that a server gives itself, and its tools as it lists them."""

    name: str
    tools: list[Any]


def list_tools(server: McpServer) -> McpTools:
    """The tools of a server; none of them is called.

    Raises:
        UsageError: when the source is neither an address nor a command that can be found.
        InfrastructureError: when fastmcp is not installed, or the server does not answer in time.
    """

    async def listed(client: Any) -> McpTools:
        name = client.server_info.name if client.server_info else server.source
        return McpTools(str(name), list(await client.list_tools()))

    return run_with(server, listed)


def run_with(server: McpServer, work: Callable[[Any], Awaitable[_Found]], seconds: float | None = None) -> _Found:
    """The result of `work` with a connected client (fastmcp's); `seconds` in all, by default those of the server.

    Raises:
        UsageError: when the source is neither an address nor a command that can be found.
        InfrastructureError: when fastmcp is not installed, or the server does not answer in time; with what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "stderr.txt"
        transport = _transport(server, log)

        async def whole() -> _Found:
            async with asyncio.timeout(seconds or server.seconds), _client(transport, server) as client:
                return await work(client)

        try:
            return asyncio.run(whole())
        except TimeoutError as error:
            why = f"it did not answer within {seconds or server.seconds:g} s"
            raise InfrastructureError(_unanswered(server, why, log)) from error
        except Exception as error:  # clients raise what they like
            raise InfrastructureError(_unanswered(server, f"{type(error).__name__}: {error}", log)) from error


def _unanswered(server: McpServer, why: str, log: Path) -> str:
    said = " ".join(log.read_text(encoding="utf-8", errors="replace").split())[-_SHOWN:] if log.exists() else ""
    told = f"; its last words: {said}" if said else ""
    if server.is_address:
        return f"the MCP server at {server.source} does not list its tools ({why}); is it running?"
    return (
        f"the MCP server that {server.source!r} starts gives no answer ({why}{told}); try the command by itself, or "
        "give it more time with --seconds"
    )


@asynccontextmanager
async def _client(transport: Any, server: McpServer) -> AsyncGenerator[Any]:
    from fastmcp import Client

    client: Any = Client(transport, timeout=server.seconds, init_timeout=server.seconds)
    await client.__aenter__()
    try:
        yield client
    finally:  # a server that hangs is not waited for
        with_limit = asyncio.wait_for(client.__aexit__(None, None, None), _CLOSING_SECONDS)
        await asyncio.gather(with_limit, return_exceptions=True)


def _transport(server: McpServer, log: Path) -> Any:
    with from_extra("mcp", "reading an MCP server"):
        from fastmcp.client.transports import StdioTransport
    if server.is_address:
        return server.source
    words = _words(server.source)
    if not words or shutil.which(words[0]) is None:
        raise UsageError(
            f"{server.source!r} is no address and no command that can be found here; give the URL of a running server, "
            "such as http://127.0.0.1:8000/mcp, or the command that starts one, such as 'uvx mcp-server-time'"
        )
    return StdioTransport(words[0], words[1:], env=dict(server.environment), keep_alive=False, log_file=log)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise UsageError(f"{command!r} is no command: {error}") from None
