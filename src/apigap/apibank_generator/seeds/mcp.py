"""The tools of an MCP server as APIs. They are listed, never called."""

from typing import Any

from apigap.apibank_generator.records import Value
from apigap.apibank_generator.seeds.mcp_server import McpServer, list_tools
from apigap.apibank_generator.seeds.schemas import Schemas
from apigap.apibank_generator.seeds.user_apis import ApiDescription, Notes, Seeds, checked_seeds

_ANYTHING = Value(name="result", type="str", description="What it gives.")


def mcp_seeds(server: McpServer) -> Seeds:
    """The tools of a server that runs, or that this command starts; their domain is the server's name.

    Raises:
        UsageError: when it is neither an address nor a command, or no tool can be used.
        InfrastructureError: when fastmcp is not installed, or the server does not answer.
    """
    name, tools = list_tools(server)
    notes = Notes()
    descriptions = [api_description(tool, name, notes) for tool in tools]
    return checked_seeds(descriptions, notes, server.source)


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
