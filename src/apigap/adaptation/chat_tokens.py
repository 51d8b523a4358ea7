"""Conversations as tokens, by a model's own template, and which of them are learnt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import TemplateError

from apigap.adaptation.editing.facts import Fact, Window, encode
from apigap.adaptation.examples import Example
from apigap.models.request import Message
from apigap.records.errors import UsageError

_PLACE = "\ue000"


@dataclass(frozen=True)
class Tokens:
    """`ids` of prompt and answer; the loss is on those from `answer` on."""

    ids: tuple[int, ...]
    answer: int


def template_parts(tokenizer: Any) -> tuple[str, str]:
    """The text that the chat template puts before the user's one message, and after it up to the answer.

    Raises:
        UsageError: see `prompt_text`; also where the template changes the message.
    """
    text = prompt_text(tokenizer, (Message(role="user", content=_PLACE),))
    head, found, tail = text.partition(_PLACE)
    if not found:
        raise UsageError("the model's chat template does not show the user's message; choose another model")
    return head, tail


def prompt_text(tokenizer: Any, messages: Sequence[Message]) -> str:
    """The text that the model reads before it answers; a last message of the assistant begins its answer.

    Raises:
        UsageError: when the tokenizer has no chat template, or one that takes other conversations.
    """
    if not getattr(tokenizer, "chat_template", None):
        raise UsageError(
            "the model's tokenizer has no chat template, so it is not known how it is asked; choose an instruct model"
        )
    *before, last = messages
    asked = before if last.role == "assistant" else list(messages)
    turns = [{"role": message.role, "content": message.content} for message in asked]
    try:
        text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    except (ValueError, TemplateError) as error:
        roles = ", ".join(turn["role"] for turn in turns)
        raise UsageError(
            f"the model's chat template does not take this conversation ({roles}): {error}; choose a model whose "
            "template does, or change the template in the model's folder"
        ) from error
    return text + (last.content if last.role == "assistant" else "")


def fact_of(tokenizer: Any, key: str, prompt: str, subject: str, target: str) -> Fact:
    """A user's prompt and its answer as a `Fact`; the answer ends as the model ends its own."""
    head, tail = template_parts(tokenizer)
    return Fact(key, head, prompt, tail, subject, target + tokenizer.eos_token)


def tokenised(tokenizer: Any, example: Example, window: Window) -> Tokens:
    """The ids of an example, and where its answer begins; the answer ends with the model's own end.

    Raises:
        UsageError: when the window does not hold it.
    """
    *asked, answer = example.messages
    prompt = encode(tokenizer, prompt_text(tokenizer, asked))
    ids = (*prompt, *encode(tokenizer, answer.content + tokenizer.eos_token))
    window.require(f"{example.task_id} ({example.api_name})", len(ids))
    return Tokens(ids, len(prompt))
