"""The APIs as a server of the Model Context Protocol. Only who has fastmcp (the extra `mcp`) imports this module."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from fastmcp import FastMCP
from fastmcp.tools import Tool, ToolResult
from pydantic import PrivateAttr

from apigap.benchmarks.apibank.interfaces import schema
from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.user_session import ServedData, UserSession, as_json


class ApiTool(Tool):
    """One API as a tool; its result is the API's whole envelope. What gives no output is an error of the tool."""

    _session: UserSession = PrivateAttr()

    @classmethod
    def of(cls, function: Mapping[str, Any], session: UserSession) -> "ApiTool":
        """The tool of a function (name, description and JSON schema of its parameters) in a session."""
        tool = cls(name=function["name"], description=function["description"], parameters=function["parameters"])
        tool._session = session
        return tool

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """Make the call."""
        called = self._session.call(self.name, arguments)
        if called.error:
            told = {"error": {key: value for key, value in asdict(called.error).items() if value is not None}}
            return ToolResult(str(called.error), {**told, **(called.result or {})}, is_error=True)
        told = {**(called.result or {}), **({"notes": list(called.notes)} if called.notes else {})}
        return ToolResult(as_json(told), told)


def mcp_server(served: ServedData, pool: Pool) -> FastMCP[Any]:
    """A server of one pool's APIs; all its clients share one system, which is as at first when the server starts."""
    session = served.user_session(pool)
    told = served.interfaces_of(pool)
    tools = [ApiTool.of(schema(api, told[name]), session) for name, api in session.registry.apis.items()]
    words = "The APIs of API-Bank on made-up data: nothing leaves this machine."
    return FastMCP(f"apibank-{pool}", instructions=words, tools=tools)
