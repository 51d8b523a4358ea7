"""The value that makes a model answer: what must stand at a subject's last token, above the edited layers."""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.facts import Fact, Rows, rows_of
from apigap.adaptation.families import Family
from apigap.adaptation.finite import require_finite_loss
from apigap.adaptation.hooks import outputs_of
from apigap.adaptation.settings import MemitSettings
from apigap.records.base import Record


class Sought(Record):
    """How the search for a value ended: its steps, its last loss on the answer, and how far the hidden state moved."""

    key: str
    steps: int
    loss: float
    moved: float


def seek_value(
    model: nn.Module, tokenizer: Any, family: Family, layer: int, fact: Fact, contexts: Sequence[str], s: MemitSettings
) -> tuple[Tensor, Sought]:
    """z = h + argmin over delta of the answer's mean negative log-likelihood, [width] at `layer`'s output.

    Meng et al. 2022 (arXiv:2210.07229), equation 16, over prompts with each context; with the drift of the essence
    (`drift_of`, on "SUBJECT is a"), decay, and |delta| <= clamp |h|. As in the authors' code the search ends with the
    loss of all three below `stop_loss`, else with the last step's, after which nothing moves any more.

    Raises:
        UsageError: when the loss is no number.
    """
    rows = rows_of(tokenizer, [(fact, context) for context in contexts], most=window_of(model))
    essence = Fact(fact.key, "", f"{fact.subject} is a", "", fact.subject, "")
    aside = rows_of(tokenizer, [(essence, "")], answer=False)
    start = _hidden(model, family.block(layer), rows)[0]
    delta = torch.zeros_like(start, requires_grad=True)
    optimiser = torch.optim.Adam([delta], lr=s.learning_rate)
    before = _last(model, aside, None, family.block(layer)).detach()
    step, answer = 0, torch.zeros(())
    for step in range(1, s.steps + 1):
        optimiser.zero_grad()
        answer = _answer_loss(model, rows, delta, family.block(layer))
        drift = drift_of(before, _last(model, aside, delta, family.block(layer)))
        loss = answer + s.kl * drift + s.decay * delta.norm() / start.norm() ** 2
        now = float(loss.detach())
        require_finite_loss(fact.key, now, step)
        if now < s.stop_loss or step == s.steps:
            break
        loss.backward()
        optimiser.step()
        with torch.no_grad():
            longest = s.clamp * start.norm()
            if delta.norm() > longest:
                delta.mul_(longest / delta.norm())
    moved = float((delta.norm() / start.norm()).detach())
    told = Sought(key=fact.key, steps=step, loss=round(float(answer.detach()), 6), moved=round(moved, 6))
    return (start + delta).detach(), told


def drift_of(before: Tensor, after: Tensor) -> Tensor:
    """KL(after || before) in nats, of log-probabilities [vocabulary]: Meng et al. 2022 (arXiv:2202.05262), equation 4.

    There `after` is the edited model.
    """
    return (after.exp() * (after - before)).sum()


def answer_losses(model: nn.Module, rows: Rows) -> Tensor:
    """The mean negative log-likelihood of each row's answer, [n]."""
    output: Any = model(input_ids=rows.ids, attention_mask=rows.mask, use_cache=False)
    logs = output.logits[:, :-1].float().log_softmax(-1)
    picked = logs.gather(-1, rows.ids[:, 1:, None]).squeeze(-1)
    wanted = rows.answers[:, 1:]
    return -(picked * wanted).sum(-1) / wanted.sum(-1)


def window_of(model: nn.Module) -> int:
    """How many tokens the model can read at a time; 0 where it does not say."""
    config: Any = model.config
    return int(getattr(config, "max_position_embeddings", 0) or 0)


def at(rows: Tensor, places: Tensor) -> Tensor:
    """Of each row of [n, length, width] the one vector at its place: [n, width]."""
    return rows[torch.arange(len(rows)), places]


def _hidden(model: nn.Module, name: str, rows: Rows) -> Tensor:
    kept: list[Tensor] = []

    def keep(output: Tensor) -> Tensor:
        kept.append(at(output.detach(), rows.places))
        return output

    with torch.no_grad(), outputs_of(model, name, keep):
        model(input_ids=rows.ids, attention_mask=rows.mask, use_cache=False)
    return kept[0]


def _shifted(rows: Rows, delta: Tensor) -> Any:
    def change(output: Tensor) -> Tensor:
        here = torch.zeros(output.shape[:2], dtype=output.dtype)
        here[torch.arange(len(output)), rows.places] = 1
        return output + here[..., None] * delta

    return change


def _answer_loss(model: nn.Module, rows: Rows, delta: Tensor, name: str) -> Tensor:
    with outputs_of(model, name, _shifted(rows, delta)):
        return answer_losses(model, rows).mean()


def _last(model: nn.Module, rows: Rows, delta: Tensor | None, name: str) -> Tensor:
    """Log-probabilities after the last token of the one row."""
    with outputs_of(model, name, _shifted(rows, delta) if delta is not None else lambda output: output):
        output: Any = model(input_ids=rows.ids, attention_mask=rows.mask, use_cache=False)
    return output.logits[0, -1].float().log_softmax(-1)
