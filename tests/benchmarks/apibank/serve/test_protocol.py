"""The APIs over the Model Context Protocol, with fastmcp's own client: in memory, and as a process of its own."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastmcp", reason="needs the extra mcp")

from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from apigap.benchmarks.apibank.api_search import FALLBACK
from apigap.benchmarks.apibank.registry import Pool
from apigap.benchmarks.apibank.serve.protocol import mcp_server
from apigap.benchmarks.apibank.serve.user_session import POOLS, ServedData

SERVED = ServedData(Path("own"))
REMINDER = {"token": "t0k3npaulin", "content": "tune the violin", "time": "2023-05-09 18:00:00"}


def with_client(transport: Any, use: Callable[[Client[Any]], Awaitable[Any]]) -> Any:
    async def work() -> Any:
        async with Client(transport) as client:
            return await use(client)

    return asyncio.run(work())


@pytest.mark.parametrize("pool", POOLS)
def test_every_api_is_a_tool_with_its_schema(pool: Pool) -> None:
    tools = with_client(mcp_server(SERVED, pool), lambda client: client.list_tools())
    assert [tool.name for tool in tools] == list(POOLS[pool].apis)
    for tool in tools:
        api = POOLS[pool].apis[tool.name]
        assert tool.description
        assert list(tool.input_schema["properties"]) == [given.name for given in api.inputs]
        assert tool.input_schema["required"] == [given.name for given in api.inputs if given.required]


def test_calls_change_the_servers_databases() -> None:
    async def use(client: Client[Any]) -> Any:
        added = await client.call_tool("AddReminder", REMINDER)
        found = await client.call_tool("QueryReminder", REMINDER)
        return added.structured_content, found.structured_content

    for _ in range(2):  # a new server starts afresh
        added, found = with_client(mcp_server(SERVED, "level-1-2"), use)
        assert (added["output"], added["exception"]) == ("success", None)
        assert found["output"]["username"] == "paulin"


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("NoSuchApi", {}, "NoSuchApi"),
        ("GetToday", {"day": "1"}, "no parameter 'day'"),
        ("GetUserToken", {"username": "miriam"}, "needs 'password', a text"),
        ("GetUserToken", {"username": "miriam", "password": 7}, "must be a text, and is a whole number, 7"),
        ("GetUserToken", {"username": "nobody", "password": "x"}, "The username does not exist."),
        ("AddAlarm", {"token": "x", "time": "2023-01-01 10:00:00"}, "GetUserToken gives"),
    ],
)
def test_what_gives_no_output_is_an_error_of_the_tool(name: str, arguments: dict[str, Any], told: str) -> None:
    async def use(client: Client[Any]) -> Any:
        return await client.call_tool(name, arguments, raise_on_error=False)

    answer = with_client(mcp_server(SERVED, "level-1-2"), use)
    assert answer.is_error and told in answer.content[0].text


def test_what_an_api_refuses_is_a_result_of_the_released_ones_and_an_error_of_the_others() -> None:
    async def use(client: Client[Any]) -> Any:
        asked = {"username": "nobody", "password": "x"}
        return await client.call_tool("GetUserToken", asked, raise_on_error=False)

    released = with_client(mcp_server(ServedData(Path("own"), mode="released"), "level-1-2"), use)
    assert not released.is_error and json.loads(released.content[0].text) == released.structured_content
    corrected = with_client(mcp_server(SERVED, "level-1-2"), use)
    assert corrected.is_error and corrected.structured_content["error"]["kind"] == "refused by the API"
    for answer in (released, corrected):
        assert answer.structured_content["exception"] == "The username does not exist."


def test_a_search_says_that_nothing_was_recorded() -> None:
    async def use(client: Client[Any]) -> Any:
        return await client.call_tool("ToolSearcher", {"keywords": "set an alarm"})

    answer = with_client(mcp_server(SERVED, "level-1-2"), use)
    assert answer.structured_content["notes"] == [FALLBACK] and FALLBACK in answer.content[0].text


def test_over_standard_input_and_output() -> None:
    command = "from apigap.cli.main import main; main()"
    arguments = ["-c", command, "apibank", "serve", "--mcp", "--pool", "level-3"]

    async def use(client: Client[Any]) -> Any:
        tools = await client.list_tools()
        return len(tools), await client.call_tool("Geocoding", {"address": "Paris"})

    count, answer = with_client(StdioTransport(sys.executable, arguments), use)
    assert count == 22
    assert answer.structured_content["output"] == {"latitude": 48.8566, "longitude": 2.3522}
