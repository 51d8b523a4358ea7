"""Between Inspect's messages and outputs and our own records."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apigap.models.failures import GOES_ON
from apigap.models.model_facts import BATCH, LOCAL
from apigap.models.request import Answer, Message, StopReason
from apigap.models.schemas.native_tools import called, calls_text
from apigap.models.traces import OPENING, has_tag
from apigap.records.errors import ModelUnavailable, UsageError
from apigap.records.secrets import keys_here, without

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage
    from inspect_ai.tool import Tool

_UNREAD_ARGUMENTS = re.compile(
    r"Error parsing the following tool call arguments:\n\n(.*)\n\nError details: .*", re.DOTALL
)
"""Inspect's words about arguments that are no JSON, with these in them."""
_STOP_REASONS: dict[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "stop",
    "max_tokens": "length",
    "model_length": "context",
    "content_filter": "filtered",
}


def answer_of(
    output: "ModelOutput", begin: str, reasons: bool = False, most: int | None = None, *, offered: bool = False
) -> Answer:
    """The answer with its given beginning, which some providers repeat and others do not.

    Of a model that `reasons`, whose template opens the trace, an answer that was cut before the trace's end is all
    trace: it gets the opening tag, so that no draft in it is taken for the answer. A prompt that does not fit the
    window has no answer, nor has one that a provider's filter withheld. Calls that a model makes unasked are its
    answer; where tools were `offered` they are its text (see `calls_text`). `most` are the tokens that it might have
    (see `ending_of`).

    Raises:
        ModelUnavailable: when the provider tells an error, or sends no answer at all: neither is the model's fail.
    """
    if output.error or not output.choices:
        why = output.error or "the response has no choices"
        raise ModelUnavailable(f"{output.model} sent no answer: {why}; {GOES_ON}")
    message = output.choices[0].message
    calls = [(name, _own_words(given) if isinstance(given, str) else given) for name, given in called(message)]
    text = calls_text(output.completion, calls) if offered else output.completion or _called(output)
    trace = _reasoning(output)
    usage = output.usage
    reason = ending_of(output, most)
    if reason in ("context", "filtered") and not (usage and usage.output_tokens):
        text = ""  # some providers put their message there
    if reasons and reason in ("length", "context") and not trace and not has_tag(text):
        text = f"{OPENING}\n{text}"
    return Answer(
        text=text if text.startswith(begin.rstrip()) else begin + text,
        reasoning=trace,
        stop_reason=reason,
        input_tokens=_read_tokens(usage) if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        seconds=output.time or 0.0,
        alternatives=_alternatives(output),
    )


def without_echoes(model: "Model") -> "Model":
    """The model, in whose answers no key stands: a server may write back what it was sent, and Inspect caches answers.

    Only long values of key variables are taken out (see `keys_here`), so that no word of an answer is.
    """
    from inspect_ai.model import ModelOutput

    asked, keys = model.api.generate, keys_here()

    async def generate(*given: Any, **named: Any) -> Any:
        found = await asked(*given, **named)
        output, *call = found if isinstance(found, tuple) else (found,)
        if not isinstance(output, ModelOutput):
            return found
        text = output.model_dump_json()
        clean = without(text, keys)
        output = output if clean == text else ModelOutput.model_validate_json(clean)
        return (output, *call) if call else output

    model.api.generate = generate
    return model


def forget_calls() -> None:
    """Begin the list anew in which Inspect keeps what a task's calls sent and got: outside of an eval nobody reads it.

    Without this the memory of a process grows with every call. Bodies are not put into it, which took time.
    """
    from inspect_ai.log import Transcript
    from inspect_ai.log._transcript import init_transcript

    init_transcript(Transcript(log_model_api=False))


def _read_tokens(usage: "ModelUsage") -> int:
    """All tokens of the prompt: those that a provider's cache had are no less read, and Inspect counts them apart."""
    return usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)


def ending_of(output: "ModelOutput", most: int | None = None) -> StopReason:
    """The thing that ended the answer, in our words.

    Where a provider does not tell it (`hf/`), an answer that has as many tokens as it might have, `most`, was cut.
    """
    told = _STOP_REASONS.get(output.stop_reason, "unknown")
    is_full = bool(most and output.usage and output.usage.output_tokens >= most)
    return "length" if told == "unknown" and is_full else told


def _called(output: "ModelOutput") -> str:
    """The arguments of calls that a model made in the place of an answer: a text as code, all else as JSON."""
    parts: list[str] = []
    for call in output.choices[0].message.tool_calls or ():
        given = {"": _own_words(call.parse_error)} if call.parse_error else call.arguments
        texts = [value for value in given.values() if isinstance(value, str)]
        only = texts[0] if len(texts) == len(given) == 1 else json.dumps(given)
        parts.append(only if "```" in only else f"```\n{only}\n```")
    return "\n".join(parts)


def _own_words(told: str) -> str:
    """The arguments that a model wrote as no JSON, out of what Inspect tells of them."""
    found = _UNREAD_ARGUMENTS.fullmatch(told)
    return found[1] if found else told


def _reasoning(output: "ModelOutput") -> str:
    """The trace, where the provider keeps it apart from the answer."""
    content = output.choices[0].message.content
    parts = [] if isinstance(content, str) else content
    return "\n".join(part.reasoning for part in parts if part.type == "reasoning")


def _alternatives(output: "ModelOutput") -> tuple[tuple[str, float], ...]:
    logprobs = output.choices[0].logprobs if output.choices else None
    if logprobs is None or not logprobs.content:
        return ()
    return tuple((token.token, token.logprob) for token in logprobs.content[0].top_logprobs or ())


def chat_message(message: Message) -> "ChatMessage":
    """A turn in Inspect's words."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall

    if message.role == "tool":
        return ChatMessageTool(content=message.content, tool_call_id=message.call_id)
    if message.calls:
        calls = [ToolCall(id=call.id, function=call.name, arguments=call.arguments) for call in message.calls]
        return ChatMessageAssistant(content=message.content, tool_calls=calls)
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return kinds[message.role](content=message.content)


def search_tools(model: str, provider: str | None) -> "list[Tool]":
    """The tool for one of Inspect's search providers; none without a name.

    Raises:
        UsageError: when Inspect has no such provider, or the model is a local one, which calls no tools.
    """
    if provider is None:
        return []
    if model.startswith((LOCAL, BATCH)):
        raise UsageError(f"{model} calls no tools, so it cannot search; leave author.web_search empty")
    from inspect_ai.tool import web_search

    try:
        return [web_search(provider)]  # pyright: ignore[reportArgumentType]  a name from a setting, checked by Inspect
    except (TypeError, ValueError) as error:
        raise UsageError(f"author.web_search: {error}") from error


def search_results(messages: "Sequence[ChatMessage]") -> tuple[str, ...]:
    """The results of searches: the tool's messages, and what a provider's own search cites, in order."""
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
