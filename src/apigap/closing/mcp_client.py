"""A real MCP client, as an editor is one: it starts `apigap mcp FOLDER` and calls its tools over standard input."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from apigap.models.asking import run_apart
from apigap.models.request import OfferedTool, ToolCall
from apigap.records.errors import InfrastructureError
from apigap.records.extras import from_extra


class McpClient:
    """The tools that a folder of pages is served with, and the results of calls, in their order.

    Each use starts the server anew, which costs about two seconds.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def tools(self) -> list[OfferedTool]:
        """The tools as the server lists them.

        Raises:
            InfrastructureError: when the extra `mcp` is missing, or the server cannot be reached.
        """
        return self._used([])[0]

    def results(self, calls: Sequence[ToolCall]) -> list[str]:
        """The text of each call's result; a call that the server refuses gives its words.

        Raises:
            InfrastructureError: see `tools`.
        """
        return self._used(calls)[1] if calls else []

    def _used(self, calls: Sequence[ToolCall]) -> tuple[list[OfferedTool], list[str]]:
        with from_extra("mcp", "asking a model with the MCP server"):
            from fastmcp import Client
            from mcp.shared.exceptions import MCPError
        command = [sys.executable, "-P", "-m", "apigap.cli.main", "mcp", str(self._folder)]
        server = {"command": command[0], "args": command[1:], "env": {**os.environ, "FASTMCP_LOG_LEVEL": "WARNING"}}
        tools: list[OfferedTool] = []
        results: list[str] = []

        async def use() -> None:
            async with Client({"mcpServers": {"apigap": server}}) as client:
                for tool in await client.list_tools():
                    told = tool.model_dump(mode="json", by_alias=True)
                    tools.append(
                        OfferedTool(name=tool.name, description=told["description"], parameters=told["inputSchema"])
                    )
                for call in calls:
                    found = await client.call_tool(call.name, call.arguments, raise_on_error=False)
                    results.append("\n".join(getattr(block, "text", "") for block in found.content))

        try:
            run_apart(use)
        except (OSError, RuntimeError, MCPError) as error:
            raise InfrastructureError(
                f"the MCP server did not answer ({error}); try it with: {' '.join(command)}"
            ) from error
        return tools, results
