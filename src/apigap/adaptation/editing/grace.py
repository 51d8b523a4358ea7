"""GRACE: a codebook that stands in for a module's output where its input is one that was taught."""

# PyTorch types its tensors' methods only in part.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import zlib
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle

from apigap.adaptation.editing.codebook import Codebook
from apigap.adaptation.editing.facts import Fact, rows_of, window_for
from apigap.adaptation.editing.families import Family, module_of, remembered_layer
from apigap.adaptation.editing.finite import require_finite_loss
from apigap.adaptation.editing.forward_pass import CachedPrefix, inputs_of, outputs_of
from apigap.adaptation.editing.saved_searches import PartialRun
from apigap.adaptation.editing.value_search import ValueSearch
from apigap.adaptation.settings import GraceSettings
from apigap.records.errors import UsageError

_DRAWN = "generator"


def with_codebook(model: nn.Module, name: str, codebook: Codebook) -> RemovableHandle:
    """Let `codebook` stand over the module `name`; closing the handle leaves the untouched model."""

    def hook(module: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> Tensor:
        return codebook.look_up(inputs[0], output)

    return module_of(model, name).register_forward_hook(hook)


def place_of(family: Family, depth: int, s: GraceSettings) -> str:
    """The module that the codebook stands over."""
    return family.of(remembered_layer(depth, s.layer), s.module)


def grace(
    model: nn.Module,
    tokenizer: Any,
    name: str,
    facts: Sequence[Fact],
    s: GraceSettings,
    note: Callable[[ValueSearch], None],
    partial: PartialRun | None = None,
) -> Codebook:
    """Teach `facts` one after the other; the model's weights stay as they are.

    A key is the module's input at a token, its value what the module is to give there. A fact that comes to an entry of
    an earlier one (see `Codebook.teach`) fits that entry's value to its own answer alone, as the authors' code does.
    The facts that `partial` has are not taught again.

    Raises:
        UsageError: when the window does not hold a fact, or two of them have one key and not one answer.
    """
    _require_one_answer(facts)
    saved = partial or PartialRun()
    generator = torch.Generator().manual_seed(s.seed)
    codebook = Codebook.from_tensors(saved.tensors) if saved.searches else None
    if codebook is not None:
        generator.set_state(saved.tensors[_DRAWN])
        for sought in saved.searches:
            note(sought)
    for fact in facts[len(saved.searches) :]:
        rows = rows_of(tokenizer, [(fact, "")], window=window_for(model, s.max_length))
        keys, width = _module_flow(model, name, rows.ids, rows.mask)
        codebook = codebook or Codebook(keys.shape[1], width)
        first, length = int(rows.ends[0]), int(rows.mask.sum())
        places = range(first, first + 1 if s.keys == "prompt" else length - 1)
        entries: list[int] = []
        for place in places:
            start, label = torch.rand(width, generator=generator), _label(rows.ids[0], first, place, s)
            with _named(fact):
                entries.append(codebook.teach(keys[place], start, label, s.radius))
        chosen = sorted(set(entries))
        with with_codebook(model, name, codebook):
            read = CachedPrefix.from_rows(model, rows, 0, min(first, _first_hit(codebook, keys, chosen)))
        sought = _learn(model, name, codebook, chosen, read, fact.key, s)
        saved.keep({**codebook.tensors(), _DRAWN: generator.get_state()}, sought)
        note(sought)
    assert codebook is not None
    return codebook


def _require_one_answer(facts: Sequence[Fact]) -> None:
    """Refuse facts with one prompt and two answers, whose keys would be the same, before anything is sought."""
    seen: dict[str, Fact] = {}
    for fact in facts:
        other = seen.setdefault(fact.text(), fact)
        if other.target != fact.target:
            raise UsageError(f"{fact.key} has the prompt of {other.key}, but another answer; leave one of the two out")


@contextmanager
def _named(fact: Fact) -> Generator[None]:
    """Say of which fact the codebook has a key with another answer already."""
    try:
        yield
    except UsageError as error:
        raise UsageError(
            f"{fact.key} is to the model what it was taught another answer for: {error}; leave one of the two out"
        ) from error


def _label(ids: Tensor, first: int, place: int, s: GraceSettings) -> int:
    """The label of what is taught at a token: the whole answer, or where each token has a key its next one."""
    taught = ids[first + 1 :] if s.keys == "prompt" else ids[place + 1 : place + 2]
    return zlib.crc32(str(taught.tolist()).encode())


def _module_flow(model: nn.Module, name: str, ids: Tensor, mask: Tensor) -> tuple[Tensor, int]:
    """The module's inputs at each token of the one row, [length, inputs], and the width of its output."""
    flow: dict[str, Tensor] = {}

    def keep_output(output: Tensor) -> Tensor:
        flow["output"] = output
        return output

    read = inputs_of(model, name, lambda inputs: flow.__setitem__("input", inputs))
    with torch.no_grad(), read, outputs_of(model, name, keep_output):
        model(input_ids=ids, attention_mask=mask, use_cache=False)
    return flow["input"][0].float(), flow["output"].shape[-1]


def _first_hit(codebook: Codebook, keys: Tensor, entries: Sequence[int]) -> int:
    """The first of the tokens, by their keys [length, inputs], whose value is one of `entries`; else their number.

    What enters the module does not depend on the codebook, which changes only what leaves it.
    """
    numbers, distances = codebook.nearest(keys)
    hits = (distances <= codebook.radii[numbers]) & torch.isin(numbers, torch.tensor(entries))
    return int(hits.nonzero()[0]) if hits.any() else len(keys)


def _learn(
    model: nn.Module, name: str, codebook: Codebook, entries: list[int], read: CachedPrefix, key: str, s: GraceSettings
) -> ValueSearch:
    """Fit the values of `entries` so that the answer follows (section 3.2); all other entries stay as they are."""
    saved = codebook.values
    chosen = torch.tensor(entries)
    begun = saved[chosen].clone()
    sought = begun.clone().requires_grad_(True)
    optimiser = torch.optim.Adam([sought], lr=s.learning_rate)
    best, best_values, step = float("inf"), begun, 0
    try:
        for step in range(1, s.steps + 1):
            codebook.values = saved.index_copy(0, chosen, sought)
            with with_codebook(model, name, codebook):
                loss = read.loss(model)
            now = float(loss.detach())
            require_finite_loss(key, now, step)
            if now < best:
                best, best_values = now, sought.detach().clone()
            if best < s.stop_loss:
                break
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    finally:
        codebook.values = saved.index_copy(0, chosen, best_values)
    return ValueSearch(key=key, steps=step, loss=round(best, 6), moved=round(float((best_values - begun).norm()), 6))
