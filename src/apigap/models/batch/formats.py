"""Requests and answers as files: OpenAI's Batch format, Anthropic's Message Batches, and lines of id and answer."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from apigap.models.failures import ending_of_text
from apigap.models.request import Answer, Decoding, GenerationRequest, Message, OfferedTool, StopReason, sample_seed
from apigap.models.schemas.native_messages import anthropic_turns, openai_message
from apigap.models.schemas.native_tools import anthropic_calls, anthropic_tool, calls_text, openai_calls, openai_tool
from apigap.records.base import Json, Record, content_hash

_ENDINGS: dict[str, StopReason] = {
    "stop": "stop", "end_turn": "stop", "stop_sequence": "stop", "tool_calls": "stop", "tool_use": "stop",
    "length": "length", "max_tokens": "length",
    "model_context_window_exceeded": "context",
    "content_filter": "filtered", "refusal": "filtered",
}  # fmt: skip
_READ_BY_ANTHROPIC = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_FIXED_TEMPERATURE = re.compile(r"^(?:o\d|gpt-5)")
"""OpenAI's models that refuse another temperature than their own."""


class BatchRequest(Record):
    """One sample that is wanted. `id` is the hash of all that decides it, so that equal ones are asked once."""

    id: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float
    top_p: float
    seed: int | None
    stop: tuple[str, ...]
    form: dict[str, Json] | None
    tools: tuple[OfferedTool, ...] = ()

    @property
    def begin(self) -> str:
        """The given beginning of the answer."""
        return self.messages[-1].content if self.messages[-1].role == "assistant" else ""


class BatchAnswer(Record):
    """One answer in a file, or the `error` that stands in its place."""

    id: str
    text: str = ""
    stop_reason: StopReason = "stop"
    reasoning: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    error: str | None = None

    def as_answer(self, begin: str) -> Answer:
        """The answer with its given beginning, which some models repeat and others do not."""
        fields = self.model_dump(exclude={"id", "error", "text"})
        text = self.text if self.text.startswith(begin.rstrip()) else begin + self.text
        return Answer(text=text, **fields)


def batch_request(
    request: GenerationRequest, sample: int, decoding: Decoding, form: type[BaseModel] | None
) -> BatchRequest:
    """The request for one sample."""
    fields: dict[str, Any] = {
        "messages": request.messages(),
        "max_tokens": min(decoding.max_tokens, request.most_tokens or decoding.max_tokens),
        "temperature": request.temperature,
        "top_p": decoding.top_p if request.temperature else 1.0,
        "seed": sample_seed(request.seed, request.key, sample) if request.temperature else None,
        "stop": decoding.stop,
        "form": form.model_json_schema() if form else None,
        "tools": request.tools,
    }
    without = set[str]() if request.tools else {"tools"}  # a request without any keeps its id
    plain = BatchRequest(id="", **fields).model_dump(mode="json", exclude=without)
    return BatchRequest(id=f"r{content_hash(plain)}", **fields)


def for_openai(request: BatchRequest, model: str) -> dict[str, Json]:
    """A line of OpenAI's Batch format."""
    body: dict[str, Json] = {
        "model": model,
        "messages": [openai_message(message) for message in request.messages],
        "max_completion_tokens": request.max_tokens,
    }
    if not _FIXED_TEMPERATURE.match(model):
        body["temperature"] = request.temperature
        body |= {"top_p": request.top_p} if request.top_p < 1 else {}
        body |= {"stop": list(request.stop)} if request.stop else {}
    body |= {"seed": request.seed} if request.seed is not None else {}
    body |= {"tools": [openai_tool(tool) for tool in request.tools]} if request.tools else {}
    if request.form:
        name = str(request.form.get("title") or "answer")
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": name, "schema": request.form}}
    return {"custom_id": request.id, "method": "POST", "url": "/v1/chat/completions", "body": body}


def for_anthropic(request: BatchRequest, model: str) -> dict[str, Json]:
    """One of the `requests` of Anthropic's Message Batches."""
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    turns = anthropic_turns([message for message in request.messages if message.role != "system"])
    params: dict[str, Json] = {"model": model, "max_tokens": request.max_tokens, "messages": turns}
    params["temperature"] = min(request.temperature, 1.0)
    params |= {"system": system} if system else {}
    params |= {"stop_sequences": list(request.stop)} if request.stop else {}
    params |= {"tools": [anthropic_tool(tool) for tool in request.tools]} if request.tools else {}
    return {"custom_id": request.id, "params": params}


def read_answer_line(line: Mapping[str, Any]) -> BatchAnswer:
    """The answer in a line of any of the three formats.

    Raises:
        ValueError: when it is none of them; the message says what is missing.
    """
    name = line.get("custom_id") or line.get("id")
    if not isinstance(name, str):
        raise ValueError("it has no custom_id")
    if "result" in line:
        return _from_anthropic(name, _object(line["result"]))
    if "response" in line or "error" in line:
        return _from_openai(name, _object(line.get("response")), line.get("error"))
    if isinstance(line.get("answer"), str):
        ending = _ENDINGS.get(str(line.get("stop_reason", "stop")), "unknown")
        return BatchAnswer(id=name, text=line["answer"], stop_reason=ending)
    raise ValueError("it has neither response, result nor answer")


def _from_openai(name: str, response: Mapping[str, Any], error: Any) -> BatchAnswer:
    body = _object(response.get("body"))
    choices = cast("Sequence[Any]", body.get("choices") or ())
    if error or response.get("status_code", 200) != 200 or not choices:
        return _refused(name, error or body.get("error") or body or "no response")
    choice = _object(choices[0])
    message, usage = _object(choice.get("message")), _object(body.get("usage"))
    return BatchAnswer(
        id=name,
        text=calls_text(str(message.get("content") or ""), openai_calls(message)),
        reasoning=str(message.get("reasoning_content") or ""),
        stop_reason=_ENDINGS.get(str(choice.get("finish_reason")), "unknown"),
        input_tokens=int(usage.get("prompt_tokens") or 0),
        output_tokens=int(usage.get("completion_tokens") or 0),
    )


def _from_anthropic(name: str, result: Mapping[str, Any]) -> BatchAnswer:
    message = _object(result.get("message"))
    if result.get("type") != "succeeded" or not message:
        return _refused(name, result.get("error") or result.get("type") or "no result")
    parts = [_object(part) for part in cast("Sequence[Any]", message.get("content") or ())]
    usage = _object(message.get("usage"))
    text = "".join(str(part.get("text", "")) for part in parts if part.get("type") == "text")
    return BatchAnswer(
        id=name,
        text=calls_text(text, anthropic_calls(parts)),
        reasoning="\n".join(str(part.get("thinking", "")) for part in parts if part.get("type") == "thinking"),
        stop_reason=_ENDINGS.get(str(message.get("stop_reason")), "unknown"),
        input_tokens=sum(int(usage.get(name) or 0) for name in _READ_BY_ANTHROPIC),
        output_tokens=int(usage.get("output_tokens") or 0),
    )


def _refused(name: str, error: Any) -> BatchAnswer:
    """An error; one about the length or the content of the request is an ending, and would be the same again."""
    inner = _object(error)
    inner = _object(inner.get("error")) or inner
    text = str(inner.get("message") or inner.get("code") or error)[:300]
    ending = ending_of_text(f"{inner.get('code') or ''} {text}")
    return BatchAnswer(id=name, stop_reason=ending) if ending else BatchAnswer(id=name, error=text)


def _object(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}
