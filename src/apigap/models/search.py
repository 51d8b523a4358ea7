"""A web search that a model may ask before it answers, by Inspect's tool, and what it was told there."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage
    from inspect_ai.tool import Tool

_WITHOUT_TOOLS = "gguf/"


def search_tools(model: str, provider: str | None) -> "list[Tool]":
    """The tool for one of Inspect's search providers; none without a name.

    Raises:
        UsageError: when Inspect has no such provider, or the model is a local one, which calls no tools.
    """
    if provider is None:
        return []
    if model.startswith(_WITHOUT_TOOLS):
        raise UsageError(f"{model} calls no tools, so it cannot search; leave author.web_search empty")
    from inspect_ai.tool import web_search

    try:
        return [web_search(provider)]  # pyright: ignore[reportArgumentType]  a name from a setting, checked by Inspect
    except (TypeError, ValueError) as error:
        raise UsageError(f"author.web_search: {error}") from error


def found_in(messages: "Sequence[ChatMessage]") -> tuple[str, ...]:
    """What searches gave: the tool's messages, and what a provider's own search cites, in order."""
    found: list[str] = []
    for message in messages:
        if message.role == "tool":
            found.append(message.text)
        elif not isinstance(message.content, str):
            cited = [citation for part in message.content if part.type == "text" for citation in part.citations or ()]
            found += [
                " ".join(filter(None, (c.title, getattr(c, "url", None), str(c.cited_text or "")))) for c in cited
            ]
    return tuple(found)
