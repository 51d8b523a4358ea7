"""Tools that are offered in a provider's own way, and the calls that come back, as the text of an answer."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from apigap.models.request import OfferedTool
from apigap.records.base import Json
from apigap.records.errors import UsageError
from apigap.records.parsing.json_shapes import at_reference, is_list, is_object

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessageAssistant
    from inspect_ai.tool import ToolInfo

_DEFINITIONS = ("$defs", "definitions")
_DEEPEST = 12
_MOST_PARTS = 2_000


def openai_tool(tool: OfferedTool) -> dict[str, Json]:
    """A tool as OpenAI's chat requests have it."""
    told = {"name": tool.name, "description": tool.description, "parameters": _as_object(tool.parameters)}
    return {"type": "function", "function": told}


def anthropic_tool(tool: OfferedTool) -> dict[str, Json]:
    """A tool as Anthropic's messages have it."""
    return {"name": tool.name, "description": tool.description, "input_schema": _as_object(tool.parameters)}


def tool_info(tool: OfferedTool) -> "ToolInfo":
    """A tool in Inspect's words, its schema written out where it refers to definitions.

    Raises:
        UsageError: when its schema is none that providers take.
    """
    from inspect_ai.tool import ToolInfo, ToolParams
    from pydantic import ValidationError

    try:
        parameters = ToolParams.model_validate(_Written(tool.parameters).out(_as_object(tool.parameters), 0))
    except (ValidationError, RecursionError) as error:
        raise UsageError(f"the tool {tool.name} has a schema that providers do not take: {error}") from None
    return ToolInfo(name=tool.name, description=tool.description or tool.name, parameters=parameters)


def calls_text(text: str, calls: Iterable[tuple[str, Json]]) -> str:
    """The text of an answer with calls, each a name and arguments: JSON with `tool_calls` beside the `content`.

    Without calls the text as it is. Arguments that the model wrote as no JSON stay the text that they are.
    """
    listed = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return json.dumps({"content": text, "tool_calls": listed}, ensure_ascii=False) if listed else text


def handed_in(text: str) -> str | None:
    """The text that the last call of an answer hands over, or the words beside it; None where there are no calls.

    It reads what `calls_text` writes and the same as a message of OpenAI's protocol.
    """
    message = _read(text) if text.startswith("{") and '"tool_calls"' in text else None
    if not is_object(message) or not is_list(listed := message.get("tool_calls")):
        return None
    given = [call.get("arguments") for call in listed if is_object(call) and "name" in call]
    arguments = given or [values for _, values in openai_calls(message)]
    texts = [value for values in arguments for value in (values.values() if is_object(values) else [values])]
    words = message.get("content")
    return next((one for one in reversed(texts) if isinstance(one, str)), words if isinstance(words, str) else "")


def called(message: "ChatMessageAssistant") -> list[tuple[str, Json]]:
    """The calls of a message of Inspect's; arguments that could not be read are the words about that."""
    return [(call.function, call.parse_error or call.arguments) for call in message.tool_calls or ()]


def openai_calls(message: Mapping[str, Any]) -> list[tuple[str, Json]]:
    """The calls of a message of OpenAI's protocol, their arguments read where they are JSON."""
    listed = message.get("tool_calls")
    functions = [call.get("function") for call in listed if is_object(call)] if is_list(listed) else []
    return [(str(one.get("name")), _read(one.get("arguments"))) for one in functions if is_object(one)]


def anthropic_calls(parts: Iterable[Mapping[str, Any]]) -> list[tuple[str, Json]]:
    """The calls among the parts of a message of Anthropic's."""
    return [(str(part.get("name")), part.get("input")) for part in parts if part.get("type") == "tool_use"]


def _read(arguments: Any) -> Json:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return arguments


def _as_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {**schema, "type": "object", "properties": schema.get("properties") or {}}


class _Written:
    """A schema without references: each is replaced by what it leads to, for a bounded number of parts."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = _MOST_PARTS

    def out(self, value: Json, depth: int) -> Json:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            return {}
        if is_list(value):
            return [self.out(one, depth + 1) for one in value]
        if not is_object(value):
            return value
        reference = value.get("$ref")
        if isinstance(reference, str):
            found = at_reference(reference, self._root)
            beside = {key: one for key, one in value.items() if key != "$ref"}
            return self.out({**(found if is_object(found) else {}), **beside}, depth + 1)
        return {key: self.out(one, depth + 1) for key, one in value.items() if key not in _DEFINITIONS}
