"""Requests to a model and its answers: the records that generation, gates and adapters share."""

import hashlib
from typing import Any, Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from apigap.records.base import Record

StopReason = Literal["stop", "length", "context", "filtered", "unknown"]


class ToolCall(Record):
    """A call in a provider's own way; `id` is what its result refers to."""

    id: str
    name: str
    arguments: dict[str, Any]


class Message(Record):
    """One turn of a conversation. The assistant may make `calls`; a message of a tool is the result of `call_id`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Give the fields, without calls where there are none: such a message keeps its hash."""
        return {name: value for name, value in write(self).items() if value or name not in ("calls", "call_id")}


class Decoding(Record):
    """Decoding of answers, apart from temperature and seed, which belong to the request.

    `max_tokens` bounds an answer. `stop` are texts that end it and are not part of it. `top_p` matters only where
    the temperature is above zero.
    """

    max_tokens: int = Field(default=1024, gt=0)
    stop: tuple[str, ...] = ()
    top_p: float = Field(default=1.0, gt=0, le=1)


class Prompted(Record):
    """A prompt that a model is to go on from. `key` names it and must be unique in its batch.

    A `prompt` that is a string is a single user message. `shared` counts the first characters of the first message
    that the requests beside it have too: a local model reads them once. A last message of the assistant is the
    beginning of the answer, which goes on from there.
    """

    key: str
    prompt: str | tuple[Message, ...]
    shared: int = Field(default=0, ge=0)

    @property
    def shared_part(self) -> str:
        """The text that `shared` counts."""
        return self.messages()[0].content[: self.shared]

    @property
    def begin(self) -> str:
        """The given beginning of the answer; empty where that is left to the model."""
        last = self.messages()[-1]
        return last.content if last.role == "assistant" else ""

    def messages(self) -> tuple[Message, ...]:
        """The conversation to send."""
        if isinstance(self.prompt, str):
            return (Message(role="user", content=self.prompt),)
        return self.prompt


class OfferedTool(Record):
    """A tool that a model may call in its provider's own way; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = {}


def tool_of_text(name: str, does: str, argument: str, wants: str) -> OfferedTool:
    """A tool with one argument, a text that it must be given."""
    parameters = {
        "type": "object",
        "properties": {argument: {"type": "string", "description": wants}},
        "required": [argument],
        "additionalProperties": False,
    }
    return OfferedTool(name=name, description=does, parameters=parameters)


class GenerationRequest(Prompted):
    """One prompt, to be answered `samples` times.

    Sample `i` is drawn with the seed that `sample_seed` derives from (`seed`, `key`, `i`), so a sample never depends
    on its neighbours. `most_tokens` bounds the answers where the decoding would let them be longer. `tools` are offered
    in the provider's own way; the text of an answer that calls any is then JSON (see `native_tools.calls_text`).
    """

    samples: int = Field(default=1, ge=1)
    temperature: float = Field(default=0.0, ge=0)
    seed: int = 0
    most_tokens: int | None = Field(default=None, gt=0)
    tools: tuple[OfferedTool, ...] = ()

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Give the fields, without a bound or tools where there are none: such a request keeps its hash."""
        fields = write(self)
        if not self.tools:
            fields.pop("tools", None)
        if self.most_tokens is None:
            fields.pop("most_tokens", None)
        return fields


class Answer(Record):
    """One sample.

    `stop_reason` is `stop` for an answer that the model ended itself, `length` for one cut at `max_tokens`,
    `context` for a prompt longer than the model's window (`text` is then empty), `filtered` for a refusal by the
    provider. `seconds` is what the model took when it was asked; zero tokens mean that the provider counts none.
    `alternatives` are the likeliest first tokens with their natural logarithms of probability, likeliest first; empty
    where they were not asked for or the provider does not tell them. `reasoning` is a trace that the provider keeps
    apart from the answer; one that is part of the answer stays in `text`. `found` is what a web search gave the model,
    in the order in which it was read.
    """

    text: str
    stop_reason: StopReason
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    alternatives: tuple[tuple[str, float], ...] = ()
    reasoning: str = ""
    found: tuple[str, ...] = ()


def sample_seed(seed: int, key: str, sample: int) -> int:
    """A seed in [0, 2**31) that depends on nothing but its arguments."""
    digest = hashlib.sha256(f"{seed}\0{key}\0{sample}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1
