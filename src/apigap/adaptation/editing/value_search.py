"""The value that makes a model answer: what must stand at a subject's last token, above the edited layers."""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.editing.facts import Fact, rows_of, window_for
from apigap.adaptation.editing.families import Family
from apigap.adaptation.editing.finite import require_finite_loss
from apigap.adaptation.editing.forward_pass import CachedPrefix, outputs_of
from apigap.adaptation.settings import MemitSettings
from apigap.records.base import Record


class ValueSearch(Record):
    """The end of a search for a value: its steps, its last loss on the answer, and how far the hidden state moved."""

    key: str
    steps: int
    loss: float
    moved: float


def seek_value(
    model: nn.Module, tokenizer: Any, family: Family, layer: int, fact: Fact, contexts: Sequence[str], s: MemitSettings
) -> tuple[Tensor, ValueSearch]:
    """z = h + argmin over delta of the answer's mean negative log-likelihood, [width] at `layer`'s output.

    Meng et al. 2022 (arXiv:2210.07229), equation 16, over prompts with each context; with the drift of the essence
    (`drift_of`, on "SUBJECT is a"), decay, and |delta| <= clamp |h|. As in the authors' code the search ends with the
    loss of all three below `stop_loss`, else with the last step's, after which nothing moves any more.

    Raises:
        UsageError: when the loss is no number.
    """
    prompts = rows_of(tokenizer, [(fact, context) for context in contexts], window=window_for(model))
    prefixes = [CachedPrefix.from_rows(model, prompts, row, int(place)) for row, place in enumerate(prompts.places)]
    essence = Fact(fact.key, "", f"{fact.subject} is a", "", fact.subject, "")
    aside_rows = rows_of(tokenizer, [(essence, "")], answer=False)
    aside = CachedPrefix.from_rows(model, aside_rows, 0, int(aside_rows.places[0]))
    start = _first_state(model, family.block(layer), prefixes[0])
    with torch.no_grad():
        before = aside.next(model)
    delta = torch.zeros_like(start, requires_grad=True)
    optimiser = torch.optim.Adam([delta], lr=s.learning_rate)
    step, answer = 0, torch.zeros(())
    for step in range(1, s.steps + 1):
        optimiser.zero_grad()
        with outputs_of(model, family.block(layer), _moved_by(delta)):
            answer = torch.stack([one.loss(model) for one in prefixes]).mean()
            drift = drift_of(before, aside.next(model))
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
    search = ValueSearch(key=fact.key, steps=step, loss=round(float(answer.detach()), 6), moved=round(moved, 6))
    return (start + delta).detach(), search


def drift_of(before: Tensor, after: Tensor) -> Tensor:
    """KL(after || before) in nats, of log-probabilities [vocabulary]: Meng et al. 2022 (arXiv:2202.05262), equation 4.

    There `after` is the edited model.
    """
    return (after.exp() * (after - before)).sum()


def at(rows: Tensor, places: Tensor) -> Tensor:
    """Of each row of [n, length, width] the one vector at its place: [n, width]."""
    return rows[torch.arange(len(rows)), places]


def _first_state(model: nn.Module, name: str, prefixes: CachedPrefix) -> Tensor:
    """The output of the module `name` at the first token that is read again, [width]."""
    kept: list[Tensor] = []
    with torch.no_grad(), outputs_of(model, name, lambda output: kept.append(output[0, 0]) or output):
        prefixes.next(model)
    return kept[0].clone()


def _moved_by(delta: Tensor) -> Callable[[Tensor], Tensor]:
    """Adds `delta` [width] to the first token's state of the one row."""
    return lambda output: output.index_add(1, torch.tensor([0]), delta[None, None].to(output.dtype))
