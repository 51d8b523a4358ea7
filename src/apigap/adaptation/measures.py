"""Measures of an adaptation: on what it taught, on other ways of asking for that, and on everything else.

The three measures of model editing (Meng et al. 2022, arXiv:2202.05262, section 3.4: efficacy, generalisation,
specificity), on answers that are code. A prompt's answer is forced: the model reads it, and each token is judged by
what stands before it. Whether a model's own answers pass is for `apigap run`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from apigap.adaptation.chat_tokens import Tokens, tokenised
from apigap.adaptation.editing.facts import ANY, Window, window_for
from apigap.adaptation.examples import Example
from apigap.adaptation.loading import Loaded
from apigap.models.adapted import Measure

Advance = Callable[[int, int], None]
Note = Callable[[str], None]
_MOST = 4096


@dataclass(frozen=True)
class PromptSet:
    """The prompts of one kind."""

    kind: str
    examples: Sequence[Example]


@dataclass(frozen=True)
class _ForcedAnswer:
    """One forced answer: a model's log-probabilities [tokens, vocabulary] and the tokens that are wanted."""

    logs: Tensor
    wanted: Tensor

    @property
    def likelihood(self) -> float:
        return float(self.logs.gather(-1, self.wanted[:, None]).mean())

    @property
    def exact(self) -> bool:
        return bool((self.logs.argmax(-1) == self.wanted).all())


def measure(base: Loaded, adapted: Loaded, sets: Sequence[PromptSet], advance: Advance, note: Note) -> list[Measure]:
    """Both models, which must have the same tokenizer, on the same prompts.

    Prompts that the model's window does not hold, or of more than 4,096 tokens, are left out, which `note` tells; so
    are kinds without a prompt.
    """
    window = window_for(base.model, _MOST)
    data = {one.kind: _fitting(base.tokenizer, one, window, note) for one in sets}
    total, done = sum(map(len, data.values())), 0
    found: list[Measure] = []
    for kind, tokens in data.items():
        pairs: list[tuple[float, ...]] = []
        for each in tokens:
            pairs.append(_compared(_forced_answer(base, each), _forced_answer(adapted, each)))
            done += 1
            advance(done, total)
        if pairs:
            found.append(_mean(kind, pairs))
    return found


def _fitting(tokenizer: Any, prompt_sets: PromptSet, window: Window, note: Note) -> list[Tokens]:
    every = [tokenised(tokenizer, example, ANY) for example in prompt_sets.examples]
    found = [tokens for tokens in every if window.holds(len(tokens.ids))]
    if len(found) < len(every):
        left = len(every) - len(found)
        note(f"{prompt_sets.kind}: {left} of {len(every)} prompts have more than {window.most} tokens and are left out")
    return found


def _forced_answer(loaded: Loaded, tokens: Tokens) -> _ForcedAnswer:
    model: Any = loaded.model
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([tokens.ids]), use_cache=False).logits
    logs: Tensor = logits[0, tokens.answer - 1 : -1].float().log_softmax(-1)
    return _ForcedAnswer(logs, torch.tensor(tokens.ids[tokens.answer :]))


def _compared(before: _ForcedAnswer, after: _ForcedAnswer) -> tuple[float, ...]:
    divergence = (before.logs.exp() * (before.logs - after.logs)).sum(-1).mean()
    agreement = (before.logs.argmax(-1) == after.logs.argmax(-1)).float().mean()
    exact, base_exact = float(after.exact), float(before.exact)
    return after.likelihood, before.likelihood, exact, base_exact, float(divergence), float(agreement)


def _mean(kind: str, rows: Sequence[tuple[float, ...]]) -> Measure:
    means = [round(sum(column) / len(rows), 6) for column in zip(*rows, strict=True)]
    names = ("likelihood", "base_likelihood", "exact", "base_exact", "divergence", "agreement")
    return Measure.model_validate({"kind": kind, "prompts": len(rows), **dict(zip(names, means, strict=True))})
