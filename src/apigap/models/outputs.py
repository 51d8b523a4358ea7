"""Between Inspect's messages and outputs and our own records."""

from typing import TYPE_CHECKING

from apigap.models.request import Answer, Message, StopReason
from apigap.models.traces import OPENING, has_tag
from apigap.records.errors import ModelUnavailable

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, ModelOutput

_STOP_REASONS: dict[str, StopReason] = {
    "stop": "stop",
    "tool_calls": "stop",
    "max_tokens": "length",
    "model_length": "context",
    "content_filter": "filtered",
}


def answer_of(output: "ModelOutput", begin: str, reasons: bool = False) -> Answer:
    """The answer with its given beginning, which some providers repeat and others do not.

    Of a model that `reasons`, whose template opens the trace, an answer that was cut before the trace's end is all
    trace: it gets the opening tag, so that no draft in it is taken for the answer. A prompt that does not fit the
    window has no answer.

    Raises:
        ModelUnavailable: when the provider tells an error, or sends no answer at all: neither is the model's fail.
    """
    if output.error or not output.choices:
        raise ModelUnavailable(f"{output.model} sent no answer: {output.error or 'the response has no choices'}")
    text, trace = output.completion, _reasoning(output)
    usage = output.usage
    reason = _STOP_REASONS.get(output.stop_reason, "unknown")
    if reason == "context" and not (usage and usage.output_tokens):
        text = ""  # some providers put their message there
    if reasons and reason in ("length", "context") and not trace and not has_tag(text):
        text = f"{OPENING}\n{text}"
    return Answer(
        text=text if text.startswith(begin.rstrip()) else begin + text,
        reasoning=trace,
        stop_reason=reason,
        input_tokens=usage.input_tokens if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        seconds=output.time or 0.0,
        alternatives=_alternatives(output),
    )


def _reasoning(output: "ModelOutput") -> str:
    """The trace, where the provider keeps it apart from the answer."""
    content = output.choices[0].message.content
    parts = [] if isinstance(content, str) else content
    return "\n".join(part.reasoning for part in parts if part.type == "reasoning")


def _alternatives(output: "ModelOutput") -> tuple[tuple[str, float], ...]:
    told = output.choices[0].logprobs if output.choices else None
    if told is None or not told.content:
        return ()
    return tuple((token.token, token.logprob) for token in told.content[0].top_logprobs or ())


def chat_message(message: Message) -> "ChatMessage":
    """A turn in Inspect's words."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return kinds[message.role](content=message.content)
