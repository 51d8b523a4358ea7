"""Facts to teach: a prompt, the place in it where the fact is written, and the answer; their tokens, and the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from apigap.records.errors import UsageError

CONTEXTS = (
    "Here is what I need.\n\n",
    "The following is part of a larger project.\n\n",
    "Please read this with care before you answer.\n\n",
    "I have a question about some Python code.\n\n",
    "Thanks for your help so far.\n\n",
)
"""Texts before a prompt, over which keys and values are averaged (Meng et al. 2022, section 4.2); always the same."""


@dataclass(frozen=True)
class Window:
    """At most `most` tokens (0: any number), by the setting of that name, or by the model where `setting` is empty."""

    most: int = 0
    setting: str = ""

    def holds(self, tokens: int) -> bool:
        """True when so many tokens fit."""
        return not self.most or tokens <= self.most

    def require(self, name: str, tokens: int) -> None:
        """Raises UsageError when prompt and answer of `name` do not fit; the message tells what bounds them."""
        if self.holds(tokens):
            return
        bound, remedy = f"the model's own window {self.most}", "choose a model with a longer window"
        if self.setting:
            bound, remedy = f"{self.setting} is {self.most}", f"raise it with --set {self.setting}=N"
        raise UsageError(f"{name}: prompt and answer have {tokens} tokens, {bound}; {remedy}, or leave the task out")


ANY = Window()
"""No limit."""


@dataclass(frozen=True)
class Fact:
    """An answer to teach. The model reads `head`, `body` and `tail`, and is to go on with `target`.

    `head` and `tail` are what the chat template puts around `body`. `subject` stands in `body`; the fact is written at
    its last token.
    """

    key: str
    head: str
    body: str
    tail: str
    subject: str
    target: str

    def text(self, context: str = "") -> str:
        """The prompt, with a context before its body."""
        return f"{self.head}{context}{self.body}{self.tail}"

    def subject_end(self, context: str = "") -> int:
        """The place of the subject's last character in `text`.

        Raises:
            UsageError: when the subject does not stand in the body.
        """
        start = self.body.rfind(self.subject)
        if start < 0 or not self.subject:
            raise UsageError(f"{self.key}: the prompt does not hold {self.subject!r}, where the fact is to be written")
        return len(self.head) + len(context) + start + len(self.subject) - 1


@dataclass(frozen=True)
class Rows:
    """Sequences of one length, padded on the right. `mask` [n, length] is 1 on tokens, `answers` on those of targets.

    `places` [n] are the subjects' last tokens, `ends` [n] the prompts' last ones.
    """

    ids: Tensor
    mask: Tensor
    answers: Tensor
    places: Tensor
    ends: Tensor


def encode(tokenizer: Any, text: str) -> list[int]:
    """The tokens of a text that has all its special tokens in it already."""
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def tokens_of(tokenizer: Any, fact: Fact, context: str = "", *, answer: bool = True) -> tuple[list[int], int, int]:
    """The ids of prompt and answer, the place of the subject's last token, and how many ids are the prompt's."""
    text = fact.text(context)
    found = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    wanted = fact.subject_end(context)
    place = next(i for i, (start, end) in enumerate(found["offset_mapping"]) if start <= wanted < end)
    ids = list(found["input_ids"])
    return ids + (encode(tokenizer, fact.target) if answer else []), place, len(ids)


def rows_of(tokenizer: Any, facts: Sequence[tuple[Fact, str]], *, answer: bool = True, window: Window = ANY) -> Rows:
    """Facts, each with its context, as rows.

    Raises:
        UsageError: when the window does not hold a prompt with its answer.
    """
    found = [tokens_of(tokenizer, fact, context, answer=answer) for fact, context in facts]
    for (fact, _), (ids, _, _) in zip(facts, found, strict=True):
        window.require(fact.key, len(ids))
    length = max(len(ids) for ids, _, _ in found)
    ids = torch.zeros(len(found), length, dtype=torch.long)
    mask, answers = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, (tokens, _, prompt) in enumerate(found):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
        answers[row, prompt : len(tokens)] = 1
    places = torch.tensor([place for _, place, _ in found])
    ends = torch.tensor([prompt - 1 for _, _, prompt in found])
    return Rows(ids, mask, answers, places, ends)


def window_of(model: nn.Module) -> int:
    """The number of tokens that the model can read at a time; 0 where it does not say."""
    config: Any = model.config
    return max(0, int(getattr(config, "max_position_embeddings", 0) or 0))


def window_for(model: nn.Module, most: int = 0, setting: str = "max_length") -> Window:
    """The model's window, or `most` (0: no limit) where that is less, which is the setting `setting`."""
    own = window_of(model)
    return Window(most, setting) if most and (not own or most < own) else Window(own)
