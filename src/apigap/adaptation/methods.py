"""One adaptation from its examples to a folder: the method is run, and what was learnt is kept."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apigap.adaptation.chat_tokens import fact_of, tokenised
from apigap.adaptation.cost import MeteredProgress
from apigap.adaptation.disk_errors import disk_errors
from apigap.adaptation.editing.closed_form import null_space_projector
from apigap.adaptation.editing.covariance import Moments, Texts, cached_moments, standard_library
from apigap.adaptation.editing.edit import Edit
from apigap.adaptation.editing.facts import Fact, window_for
from apigap.adaptation.editing.families import Family, depth_of, edited_layers, family_of
from apigap.adaptation.editing.finite import require_finite_weights
from apigap.adaptation.editing.grace import grace, place_of
from apigap.adaptation.editing.memit import Editable, EditedKeys, alphaedit_by_group, memit
from apigap.adaptation.editing.saved_searches import PartialRun, ValueCache
from apigap.adaptation.editing.value_search import ValueSearch
from apigap.adaptation.examples import Example
from apigap.adaptation.loading import Loaded
from apigap.adaptation.settings import (
    AlphaEditSettings,
    GraceSettings,
    MemitSettings,
    MethodSettings,
    TuningSettings,
    tuning_of,
)
from apigap.adaptation.tune import NullSpace, tune
from apigap.records.base import canonical_json, content_hash
from apigap.records.errors import UsageError
from apigap.records.paths import cache_home
from apigap.records.store import write_text
from apigap.records.task import Task

EDIT, CODEBOOK, WEIGHTS, LOG = "edit.safetensors", "codebook.safetensors", "model", "log.jsonl"
PARTIAL, CHECKPOINTS = "partial.safetensors", "checkpoints"


@dataclass(frozen=True)
class Learning:
    """Data to learn from: examples, their tasks by id, and the covariance's text (default: the standard library)."""

    examples: Sequence[Example]
    tasks: Mapping[str, Task]
    texts: Texts | None = None


def make(
    loaded: Loaded, learning: Learning, s: MethodSettings, names: Sequence[str], folder: Path, progress: MeteredProgress
) -> str:
    """Run the method of the settings and leave what was learnt in `folder`; the name of its file or folder.

    `log.jsonl` tells the losses of a tuning, or how the search for each fact's value ended. What a run that is ended
    goes on from stays there until `tidy`.

    Raises:
        UsageError: see the methods.
        InfrastructureError: when the disk is full; nothing half-written stays under its name.
    """
    tuning = tuning_of(s)
    if isinstance(s, TuningSettings):
        return _tuned(loaded, learning, s, folder, progress)
    family = family_of(loaded.model, names)
    if isinstance(s, GraceSettings):
        return _grace_codebook(loaded, learning, s, family, folder, progress)
    layers = edited_layers(depth_of(loaded.model, family), s.layers)
    texts = learning.texts or standard_library()
    moments = cached_moments(loaded.model, loaded.tokenizer, family, layers, texts, s.tokens)
    if tuning is not None and isinstance(s, AlphaEditSettings):
        projectors = {family.of(n, "down"): null_space_projector(moments.of[n], s.threshold) for n in layers}
        return _tuned(loaded, learning, tuning, folder, progress, NullSpace(projectors, _origin(moments, layers)))
    editable = Editable(loaded.model, loaded.tokenizer, family, layers)
    return _memit_edit(editable, learning, s, moments, folder, progress)


def tidy(folder: Path) -> None:
    """Remove what only a run that is ended goes on from."""
    shutil.rmtree(folder / CHECKPOINTS, ignore_errors=True)
    (folder / PARTIAL).unlink(missing_ok=True)


def facts_of(tokenizer: Any, learning: Learning, s: MemitSettings | GraceSettings) -> list[Fact]:
    """The examples as facts: where in the prompt each is written follows from the settings.

    Raises:
        UsageError: when an API's name does not stand in a prompt in which it is to be the subject.
    """
    subject = s.subject if isinstance(s, MemitSettings) else "description"
    found: list[Fact] = []
    for example in learning.examples:
        prompt, answer = example.messages[0].content, example.messages[-1].content
        description = learning.tasks[example.task_id].description.strip().splitlines()[-1].strip()
        where = example.api_name if subject == "api" else description
        if where not in prompt:
            raise UsageError(
                f"the prompt of {example.task_id} does not hold {where!r}, where the fact is to be written; "
                "adapt with --condition s_name, or with --set subject=description"
            )
        found.append(fact_of(tokenizer, example.task_id, prompt, where, answer))
    return found


def _tuned(
    loaded: Loaded,
    learning: Learning,
    s: TuningSettings,
    folder: Path,
    progress: MeteredProgress,
    null_space: NullSpace | None = None,
) -> str:
    window = window_for(loaded.model, s.max_length, "tuning.max_length" if null_space else "max_length")
    data = [tokenised(loaded.tokenizer, example, window) for example in learning.examples]
    tuned = tune(loaded, data, s, folder / CHECKPOINTS, progress.step("tuning steps"), null_space)
    _log(folder, [{"step": step, "loss": round(loss, 6)} for step, loss in tuned.losses])
    if tuned.edit is None:
        save_weights(loaded, folder)
        return WEIGHTS
    tuned.edit.save(folder / EDIT)
    return EDIT


def _memit_edit(
    e: Editable, learning: Learning, s: MemitSettings, moments: Moments, folder: Path, progress: MeteredProgress
) -> str:
    facts = facts_of(e.tokenizer, learning, s)
    cache = ValueCache(cache_home() / "values")
    searches: list[ValueSearch] = []
    advance = progress.step("values sought")

    def note(sought: ValueSearch) -> None:
        searches.append(sought)
        progress.cost.values(len(searches), cache.sought)
        advance(len(searches), len(facts))

    if isinstance(s, AlphaEditSettings):
        edit = alphaedit_by_group(e, facts, moments, s, note, EditedKeys(), cache)
    else:
        edit = memit(e, facts, moments, s, note, cache)
    Edit(edit.updates, _origin(moments, e.layers)).save(folder / EDIT)
    _log(folder, [sought.model_dump() for sought in searches])
    return EDIT


def _origin(moments: Moments, layers: Sequence[int]) -> dict[str, str]:
    return {**moments.provenance, "layers": str(list(layers))}


def _grace_codebook(
    loaded: Loaded, learning: Learning, s: GraceSettings, family: Family, folder: Path, progress: MeteredProgress
) -> str:
    facts = facts_of(loaded.tokenizer, learning, s)
    place = place_of(family, depth_of(loaded.model, family), s)
    made_from = content_hash([s.model_dump(mode="json"), [asdict(fact) for fact in facts], place])
    partial = PartialRun(folder / PARTIAL, made_from)  # that it is the same model is for the folder's manifest
    searches: list[ValueSearch] = []
    advance = progress.step("facts remembered")

    def note(sought: ValueSearch) -> None:
        searches.append(sought)
        advance(len(searches), len(facts))

    grace(loaded.model, loaded.tokenizer, place, facts, s, note, partial).save(folder / CODEBOOK, {"module": place})
    _log(folder, [sought.model_dump() for sought in searches])
    return CODEBOOK


def _log(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    write_text(folder / LOG, "".join(canonical_json(row) + "\n" for row in rows))


def save_weights(loaded: Loaded, folder: Path) -> None:
    """All weights and the tokenizer as a folder, placed in one step.

    Raises:
        UsageError: when a weight is no number.
        InfrastructureError: when the disk is full.
    """
    temporary = folder / f".{WEIGHTS}.tmp"
    model: Any = loaded.model
    require_finite_weights(dict(model.named_parameters()))
    shutil.rmtree(temporary, ignore_errors=True)
    with disk_errors(folder / WEIGHTS, temporary):
        model.save_pretrained(temporary)
        loaded.tokenizer.save_pretrained(temporary)
        shutil.rmtree(folder / WEIGHTS, ignore_errors=True)
        temporary.rename(folder / WEIGHTS)
