"""A user's own APIs in the place of agents 1 and 2: an OpenAPI document, an MCP server, or a Python module."""
