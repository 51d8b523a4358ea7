"""The APIs as a server of the Model Context Protocol. Only who has fastmcp (the extra `mcp`) imports this module."""

from collections.abc import Mapping
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult
from pydantic import PrivateAttr

from apigap.benchmarks.apibank.interfaces import schema
from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.user_session import Desk, Office, as_json


class ApiTool(Tool):
    """One API as a tool; its result is the API's whole envelope, a call that never reaches the API an error."""

    _desk: Desk = PrivateAttr()

    @classmethod
    def of(cls, function: Mapping[str, Any], desk: Desk) -> "ApiTool":
        """The tool of a function (name, description and JSON schema of its parameters) at a desk."""
        tool = cls(name=function["name"], description=function["description"], parameters=function["parameters"])
        tool._desk = desk
        return tool

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Make the call."""
        called = self._desk.call(self.name, arguments)
        if called.result is None:
            return ToolResult(content=called.refused, is_error=True)
        return ToolResult(content=as_json(called.result), structured_content=called.result)


def mcp_server(office: Office, pool: Pool) -> FastMCP[Any]:
    """A server of one pool's APIs; all its clients share one system, which is as at first when the server starts."""
    desk = office.desk(pool)
    told = office.told(pool)
    tools = [ApiTool.of(schema(api, told[name]), desk) for name, api in desk.registry.apis.items()]
    words = "The APIs of API-Bank on made-up data: nothing leaves this machine."
    return FastMCP(f"apibank-{pool}", instructions=words, tools=tools)
