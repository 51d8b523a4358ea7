"""The tools of a running MCP server as APIs. They are listed, never called."""

import asyncio
from typing import Any

from apigap.apibank_generator.records import Value
from apigap.apibank_generator.seeds.schemas import Schemas
from apigap.apibank_generator.seeds.user_apis import ApiDescription, Notes, Seeds, checked_seeds
from apigap.records.errors import InfrastructureError, UsageError

_SECONDS = 30
_ANYTHING = Value(name="result", type="str", description="What it gives.")


def read_mcp(url: str) -> Seeds:
    """The tools of the server at `url`; their domain is the server's name.

    Raises:
        UsageError: when `url` is no address, or no tool can be used.
        InfrastructureError: when fastmcp is not installed, or the server does not answer.
    """
    if not url.startswith(("http://", "https://")):
        raise UsageError(
            f"--mcp-server {url!r} is no address; start the server and give its URL, such as http://127.0.0.1:8000/mcp"
        )
    try:
        from fastmcp import Client
    except ImportError as error:
        raise InfrastructureError(
            f"reading an MCP server needs fastmcp, which cannot be imported ({error}); run: pip install 'apigap[mcp]'"
        ) from error

    async def listed() -> tuple[str, list[Any]]:
        async with Client(url, timeout=_SECONDS) as client:
            return client.server_info.name if client.server_info else url, list(await client.list_tools())

    try:
        name, tools = asyncio.run(listed())
    except Exception as error:  # clients raise what they like
        raise InfrastructureError(
            f"the MCP server at {url} does not list its tools ({type(error).__name__}: {error}); is it running?"
        ) from error
    notes = Notes()
    descriptions = [api_description(tool, name, notes) for tool in tools]
    return checked_seeds(descriptions, notes, url)


def api_description(tool: Any, domain: str, notes: Notes) -> ApiDescription:
    """A tool as the server lists it; `notes` get what could not be read of its schemas."""
    origin = f"tool {tool.name}"
    input_schema: dict[str, Any] = tool.input_schema or {}
    output_schema: dict[str, Any] | None = tool.output_schema
    own = Notes(origin)
    inputs = Schemas(input_schema, own)
    parameters = inputs.inputs(input_schema, alone="") if inputs.resolved(input_schema).get("properties") else []
    outputs = Schemas(output_schema, own).outputs(output_schema) if output_schema else [_ANYTHING]
    notes.take(own)
    return ApiDescription(tool.name, domain, tool.description or "", parameters, outputs, origin)
