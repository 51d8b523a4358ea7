"""Common parts of the benchmarks' Inspect tasks: one answer like a run's own, tools that are only offered.

Only Inspect itself, or who has it already, imports this module.
"""

import json
from collections.abc import Callable
from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, get_model
from inspect_ai.solver import TaskState
from inspect_ai.tool import Tool, ToolDef, ToolParams

from apigap.models.drawing import drawing_of
from apigap.models.model_facts import LOCAL, MOCK, reasons
from apigap.models.outputs import answer_of, chat_message
from apigap.models.request import Decoding, Prompted, sample_seed
from apigap.models.spending.workload import CHARACTERS_PER_TOKEN

DecodingOf = Callable[[str], Decoding]
"""The decoding of a model, by its name."""


def messages_of(request: Prompted) -> list[ChatMessage]:
    """A request's messages; the first says which part of it the requests beside it share."""
    messages: list[ChatMessage] = [chat_message(message) for message in request.messages()]
    if request.shared:
        messages[0].metadata = {"shared": request.shared}
    return messages


def without_sharing(state: TaskState) -> None:
    """Take off what says to a local model which part of its prompt other prompts share, for all other models."""
    if not str(state.model).startswith(LOCAL):
        for message in state.messages:
            message.metadata = None


def count_without_network() -> None:
    """Let Inspect's mock count the tokens of this sample by characters.

    It counts by OpenAI's vocabulary otherwise, which it would fetch for figures that nobody pays.
    """
    model = get_model()
    if str(model).startswith(MOCK):
        model.api.count_text_tokens = _by_characters


async def _by_characters(text: str) -> int:
    return max(1, len(text) // CHARACTERS_PER_TOKEN)


def decoded(
    state: TaskState, decoding: DecodingOf, temperature: float, seed: int, most: int | None = None
) -> GenerateConfig:
    """The decoding of a sample's next answer, which `most` tokens bound further.

    The tokens that Inspect itself was told (`--max-tokens`) go before those of the model's own decoding.
    """
    found = decoding(str(state.model))
    room = get_model().config.max_tokens or found.max_tokens
    own = sample_seed(seed, str(state.metadata["key"]), state.epoch - 1)
    return GenerateConfig(
        max_tokens=min(room, most or room),
        stop_seqs=list(found.stop) or None,
        **drawing_of(str(state.model), found, temperature, own),
    )


def offered_tool(function: dict[str, Any]) -> Tool:
    """A function (name, description, JSON schema of its parameters) that a model may call and Inspect never runs."""

    async def call(**arguments: Any) -> str:
        raise NotImplementedError(f"{function['name']} is offered and never run; arguments: {arguments}")

    parameters = ToolParams.model_validate(function["parameters"])
    return ToolDef(call, function["name"], function["description"], parameters).as_tool()


def answer_text(output: ModelOutput, begin: str, model: str) -> str:
    """A model's answer, which was given its beginning, as a predictions file holds it: calls as a message."""
    calls = output.choices[0].message.tool_calls if output.choices else None
    if not calls:
        return answer_of(output, begin, reasons(model)).text
    functions = [{"name": call.function, "arguments": json.dumps(call.arguments)} for call in calls]
    listed = [{"type": "function", "function": function} for function in functions]
    return json.dumps({"role": "assistant", "content": output.completion, "tool_calls": listed})
