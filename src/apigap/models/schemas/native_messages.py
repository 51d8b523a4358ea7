"""Turns with calls and their results, as OpenAI's and Anthropic's requests have them; plain turns are as they are."""

import json
from collections.abc import Sequence

from apigap.models.request import Message
from apigap.records.base import Json


def openai_message(message: Message) -> dict[str, Json]:
    """A turn of OpenAI's chat requests."""
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call_id, "content": message.content}
    if message.calls:
        functions = [{"name": call.name, "arguments": json.dumps(call.arguments)} for call in message.calls]
        calls = [
            {"id": call.id, "type": "function", "function": function}
            for call, function in zip(message.calls, functions, strict=True)
        ]
        return {"role": "assistant", "content": message.content, "tool_calls": calls}
    return {"role": message.role, "content": message.content}


def anthropic_turns(messages: Sequence[Message]) -> list[dict[str, Json]]:
    """The turns of Anthropic's messages; results that follow each other stand in one turn, as it wants them."""
    turns: list[dict[str, Json]] = []
    results: list[Json] = []
    for message in messages:
        if message.role != "tool":
            results = []
            turns.append(_anthropic_turn(message))
            continue
        if not results:
            turns.append({"role": "user", "content": results})
        results.append({"type": "tool_result", "tool_use_id": message.call_id, "content": message.content})
    return turns


def _anthropic_turn(message: Message) -> dict[str, Json]:
    if not message.calls:
        return {"role": message.role, "content": message.content}
    said = [{"type": "text", "text": message.content}] if message.content else []
    calls = [{"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in message.calls]
    return {"role": "assistant", "content": [*said, *calls]}
