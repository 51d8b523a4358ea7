"""The pages of `export llms-txt` for any MCP client. Only who has fastmcp (the extra `mcp`) imports this module."""

from dataclasses import asdict
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from pydantic import Field

from apigap.exports.llms_reader import LlmsPages
from apigap.records.errors import UsageError

_HOW = "Before code is written with one of these libraries: search for what it is to do, then read the APIs that fit."


def about_pages(pages: LlmsPages) -> str:
    """The instructions of a server that has pages."""
    return f"{pages.title}.\n\n{pages.introduction}\n\n{_HOW}"


def add_page_tools(server: FastMCP[Any], pages: LlmsPages) -> None:
    """Give a server two tools: `find_api` searches the pages, `read_api` gives one."""

    @server.tool
    def find_api(  # pyright: ignore[reportUnusedFunction]
        query: Annotated[str, Field(description="What the code is to do, in a few words.", min_length=1)],
        limit: Annotated[int, Field(description="At most so many APIs.", ge=1, le=50)] = 5,
    ) -> list[dict[str, Any]]:
        """New and changed APIs that fit a purpose, the nearest first; empty where none has a word of it."""
        return [asdict(found) for found in pages.find(query, limit)]

    @server.tool
    def read_api(  # pyright: ignore[reportUnusedFunction]
        api_name: Annotated[str, Field(description="The full name, as `find_api` gives it.")],
    ) -> str:
        """All that is to be known of one API in this version: signature, changes, examples that ran, background."""
        try:
            return pages.read(api_name)
        except UsageError as error:
            raise ToolError(str(error)) from error
