"""MEMIT and AlphaEdit: values are sought at the last edited layer, and what is missing is spread over all of them."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.editing.closed_form import LowRank, alphaedit_update, memit_update, null_space_projector
from apigap.adaptation.editing.covariance import Moments, hash_of
from apigap.adaptation.editing.edit import Applied, Edit
from apigap.adaptation.editing.facts import CONTEXTS, Fact, rows_of, window_for
from apigap.adaptation.editing.families import Family
from apigap.adaptation.editing.forward_pass import inputs_of, no_further_than, outputs_of
from apigap.adaptation.editing.saved_searches import ValueCache
from apigap.adaptation.editing.value_search import ValueSearch, at, seek_value
from apigap.adaptation.settings import AlphaEditSettings, MemitSettings

Solve = Callable[[int, Tensor, Tensor], LowRank]
Note = Callable[[ValueSearch], None]
_DECISIVE = {"steps", "learning_rate", "clamp", "kl", "decay", "stop_loss"}
"""The settings that decide a value."""


@dataclass(frozen=True)
class Editable:
    """A model and where it is edited."""

    model: nn.Module
    tokenizer: Any
    family: Family
    layers: tuple[int, ...]


@dataclass
class EditedKeys:
    """The keys that AlphaEdit has edited so far: Kp Kp^T by layer, carried from one group of facts to the next."""

    earlier: dict[int, Tensor] = field(default_factory=lambda: dict[int, Tensor]())

    def of(self, layer: int, width: int) -> Tensor:
        """Kp Kp^T of a layer, [inputs, inputs]."""
        return self.earlier.get(layer, torch.zeros(width, width, dtype=torch.float64))

    def add(self, layer: int, keys: Tensor) -> None:
        """Count `keys` [inputs, n] among those that were edited."""
        found = keys.double()
        self.earlier[layer] = self.of(layer, len(found)) + found @ found.T


def memit(
    e: Editable, facts: Sequence[Fact], moments: Moments, s: MemitSettings, note: Note, cache: ValueCache | None = None
) -> Edit:
    """One edit for all `facts`, by `closed_form.memit_update` in each layer; the model is left as it was.

    Values are kept in `cache`; those that it has are not sought again.
    """
    values = values_of(e, facts, s, note, cache)

    def solve(layer: int, keys: Tensor, residuals: Tensor) -> LowRank:
        return memit_update(keys, residuals, s.covariance_weight * moments.of[layer])

    return _spread(e, facts, values, s, solve)


def alphaedit(
    e: Editable,
    facts: Sequence[Fact],
    values: Sequence[Tensor],
    projectors: Mapping[int, Tensor],
    s: AlphaEditSettings,
    state: EditedKeys,
) -> Edit:
    """One edit that brings `facts` to their `values` [width], in the null space of what the model has.

    It spares the facts that `state` knows of, and brings that up to date. The facts of one call are one group: the
    model should carry the edits of earlier groups while the next is made.
    """
    keys_of: dict[int, Tensor] = {}

    def solve(layer: int, keys: Tensor, residuals: Tensor) -> LowRank:
        keys_of[layer] = keys
        return alphaedit_update(keys, residuals, projectors[layer], state.of(layer, len(keys)), s.ridge)

    edit = _spread(e, facts, values, s, solve)
    for layer, keys in keys_of.items():
        state.add(layer, keys)
    return edit


def alphaedit_by_group(
    e: Editable,
    facts: Sequence[Fact],
    moments: Moments,
    s: AlphaEditSettings,
    note: Note,
    state: EditedKeys,
    cache: ValueCache | None = None,
) -> Edit:
    """Groups of `s.group` facts, each edited on top of those before; all of it as one edit.

    Values are kept in `cache`; those that it has are not sought again.
    """
    projectors = {layer: null_space_projector(moments.of[layer], s.threshold) for layer in e.layers}
    parts: list[Edit] = []
    with ExitStack() as stack:
        for start in range(0, len(facts), s.group):
            group = facts[start : start + s.group]
            values = values_of(e, group, s, note, cache)
            parts.append(alphaedit(e, group, values, projectors, s, state))
            stack.enter_context(Applied(e.model, parts[-1]))
    return joined(parts)


def values_of(
    e: Editable, facts: Sequence[Fact], s: MemitSettings, note: Note, cache: ValueCache | None = None
) -> list[Tensor]:
    """The value of each fact, [width], on the model as it is: from `cache`, else sought and kept there."""
    contexts, layer = ("", *CONTEXTS[: s.contexts]), e.layers[-1]
    weights, searched = "" if cache is None else hash_of(e.model), s.model_dump(mode="json", include=_DECISIVE)
    made_from = [weights, e.family.model_dump(mode="json"), layer, list(contexts), searched]
    found: list[Tensor] = []
    for fact in facts:
        seek = partial(seek_value, e.model, e.tokenizer, e.family, layer, fact, contexts, s)
        value, sought = (cache or ValueCache()).get(fact, made_from, seek)
        found.append(value)
        note(sought)
    return found


def joined(edits: Sequence[Edit]) -> Edit:
    """The sum of edits as one."""
    updates: dict[str, LowRank] = {}
    for edit in edits:
        for name, update in edit.updates.items():
            own = updates.get(name)
            if own is not None:
                update = LowRank(torch.cat([own.left, update.left], 1), torch.cat([own.right, update.right], 0))
            updates[name] = update
    return Edit(updates, edits[0].origin if edits else {})


def _spread(e: Editable, facts: Sequence[Fact], values: Sequence[Tensor], s: MemitSettings, solve: Solve) -> Edit:
    """From the lowest layer up, each takes its share of what is missing at the last: Meng et al. 2022, equation 20.

    r_l = (z - h_L) / (L - l + 1), with h_L as the layers below have changed it by then (algorithm 1).
    """
    contexts = ("", *CONTEXTS[: s.contexts])
    wanted = torch.stack(list(values), 1)
    updates: dict[str, LowRank] = {}
    with ExitStack() as stack:
        for number, layer in enumerate(e.layers):
            name = e.family.of(layer, "down")
            keys, hidden = _keys_and_hidden(e, facts, contexts, layer)
            missing = (wanted - hidden) / (len(e.layers) - number)
            updates[name] = solve(layer, keys, missing)
            stack.enter_context(Applied(e.model, Edit({name: updates[name]})))
    return Edit(updates)


def _keys_and_hidden(e: Editable, facts: Sequence[Fact], contexts: Sequence[str], layer: int) -> tuple[Tensor, Tensor]:
    """Keys of `layer` [inputs, n], a mean over contexts (Meng et al. 2022, equation 19), and h_L [width, n] without."""
    keys: list[Tensor] = []
    hidden: list[Tensor] = []
    for fact in facts:
        asked = [(fact, context) for context in contexts]
        rows = rows_of(e.tokenizer, asked, answer=False, window=window_for(e.model))
        read = int(rows.places.max()) + 1
        seen: dict[str, Tensor] = {}

        def take(inputs: Tensor, seen: dict[str, Tensor] = seen, rows: Any = rows) -> None:
            seen["key"] = at(inputs.detach(), rows.places).mean(0)

        def keep(output: Tensor, seen: dict[str, Tensor] = seen, rows: Any = rows) -> Tensor:
            seen["hidden"] = at(output.detach(), rows.places)[0]
            return output

        with (
            torch.no_grad(),
            inputs_of(e.model, e.family.of(layer, "down"), take),
            outputs_of(e.model, e.family.block(e.layers[-1]), keep),
            no_further_than(e.model, e.family.block(e.layers[-1])),
        ):
            e.model(input_ids=rows.ids[:, :read], attention_mask=rows.mask[:, :read], use_cache=False)
        keys.append(seen["key"])
        hidden.append(seen["hidden"])
    return torch.stack(keys, 1), torch.stack(hidden, 1)
