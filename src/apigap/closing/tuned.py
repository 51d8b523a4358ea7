"""Weights tuned on what a closing wrote: which count as such, and the command that makes them."""

import re
import shlex
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from apigap.adaptation.examples import Example, sft_examples
from apigap.adaptation.run import EXAMPLES, MANIFEST
from apigap.adaptation.settings import CPU
from apigap.closing.files import ClosingFiles
from apigap.models.adapted import ADAPTED, IN_PROCESS, AdaptedModel, folder_of, read_adapted, weights_hash
from apigap.models.model_facts import LOCAL, most_tokens
from apigap.models.registry import find_model
from apigap.records.base import content_hash
from apigap.records.configuration import GenerationSettings, load_settings
from apigap.records.layout import Layout
from apigap.records.manifest import read_manifest
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.closing_model import TunedWeights

_METHOD, _CONDITION, _PRESET = "sft", "baseline", "cpu"
_TEMPLATE_TOKENS = 64
"""What a chat template puts around a prompt, at most."""
_STEP = 256


class Tuning:
    """The weights of `model` that `apigap adapt sft` tunes on `teaching`, the tasks in `files.teaching`.

    Weights that were tuned on other conversations do not count: they may have seen the held-back half. Those of another
    division of the tasks, or of another layout, are in a folder of their own.
    """

    def __init__(self, files: ClosingFiles, model: str, settings: GenerationSettings, teaching: Sequence[Task]) -> None:
        self._files = files
        self._model = model
        self._settings = settings
        self._teaching = teaching

    @cached_property
    def weights(self) -> TunedWeights | None:
        """The weights to ask; None where there are none that count, which `note` explains."""
        found = None if self._hindrance else read_adapted(self._folder)
        if found is None or self._objection(found):
            return None
        return TunedWeights(
            model=found.name_in(self._folder),
            sha256=_digest(found, self._folder),
            method=found.method,
            base=found.base,
            base_sha256=found.base_sha256,
            tasks=len(self._teaching),
            apis=len({task.api_name for task in self._teaching}),
            seconds=read_manifest(self._folder / MANIFEST).counts.get("seconds"),
            settings=found.settings,
        )

    @property
    def note(self) -> str:
        """Why no weights are asked, and what to do about it; empty where some are."""
        if self.weights is not None:
            return ""
        if self._hindrance:
            return f"Tuned weights were not asked: {self._hindrance}."
        found = read_adapted(self._folder)
        if found is not None:
            return (
                f"The weights in {self._folder} were not asked: {self._objection(found)}. Remove that folder, tune "
                f"again, and run the same close again: {self.command}"
            )
        if (self._folder / MANIFEST).exists():
            return f"Tuned weights were not asked: their tuning was ended early. It goes on with: {self.command}"
        others = self._tuned_before()
        before = (
            f"what is in {' and '.join(map(str, others))} was tuned on other tasks or prompts than these"
            if others
            else "there are none yet"
        )
        return f"Tuned weights were not asked: {before}. Make them, and run the same close again: {self.command}"

    @property
    def command(self) -> str:
        """The command that tunes weights on the choosing half, as a shell takes it."""
        files = self._files
        words = ["apigap", "adapt", _METHOD, "--tasks", files.teaching, "--knowledge", files.bundles]
        words += ["--group", self._group, "--model", self._model, "--condition", _CONDITION, "--preset", _PRESET]
        if self._longest > CPU[_METHOD]["max_length"]:
            words += ["--set", f"max_length={self._longest}"]
        if self._settings.layout != load_settings().generation.layout:
            words += ["--layout", self._settings.layout]
        return shlex.join(map(str, [*words, *([] if files.root == Path("data") else ["--data", files.root])]))

    @cached_property
    def _hindrance(self) -> str:
        """The reason why no weights can be tuned here at all."""
        model = self._model
        if not self._teaching:
            return "no API that the model lacks has a task in the choosing half, so there is nothing to tune them on"
        if not model.startswith((LOCAL, IN_PROCESS)):
            return (
                f"{model} is asked elsewhere, and apigap tunes only models that it runs itself (gguf/..., "
                f"transformers/...). Conversations for its provider's own tuning: {self._export}"
            )
        if model.startswith(IN_PROCESS) and folder_of(model):
            return f"{model} has been adapted itself, and what it was taught would be left out"
        if self._settings.layout == "tools":
            return "with the layout tools an answer is a call, and what tuning teaches is code"
        return ""

    @property
    def _export(self) -> str:
        words = ["apigap", "export", "sft", "--tasks", self._files.teaching, "--knowledge", self._files.bundles]
        return shlex.join(map(str, [*words, "--out", self._files.folder / "sft.jsonl"]))

    def _objection(self, found: AdaptedModel) -> str:
        """The reason why weights that are there do not count; empty where they do."""
        path = self._folder / EXAMPLES
        taught = load_records(path, Example) if path.is_file() else []
        wanted = self._examples(whole_program=found.settings.get("whole_program") is True)
        if _lines(taught) != _lines(wanted) or content_hash([one.to_line() for one in taught]) != found.data:
            others = len({one.task_id for one in taught} - {one.task_id for one in wanted})
            return f"they were tuned on other prompts than these, {others} of them on other tasks"
        if found.base_sha256 not in (None, weights_hash(self._model)):
            return f"{self._model} is no longer what they were tuned from"
        if not _digest(found, self._folder):
            return "their file is not there any more"
        return ""

    def _examples(self, *, whole_program: bool = False) -> list[Example]:
        return sft_examples(self._teaching, {}, _CONDITION, self._settings, whole_program=whole_program)

    @cached_property
    def _group(self) -> str:
        """The name of the tasks, with a hash of what they teach: each division of the tasks has weights of its own."""
        return f"close-{self._files.experiment}-{content_hash(_lines(self._examples()))[:8]}"

    @property
    def _folder(self) -> Path:
        return Layout(self._files.root, self._model).adapted(self._group, _METHOD, _CONDITION)

    def _tuned_before(self) -> list[Path]:
        """The folders of weights that were tuned for the same experiment and model on something else."""
        folders = (self._files.root / _METHOD).glob(f"*/{self._folder.parent.name}/{self._folder.name}")
        own = (path for path in folders if closing_of(path.parents[1].name) == self._files.experiment)
        return sorted(path for path in own if (path / ADAPTED).is_file())

    @property
    def _longest(self) -> int:
        """Tokens that prompt and answer have at most, rounded up: a bound by their characters."""
        lengths = (sum(len(message.content) for message in example.messages) for example in self._examples())
        return -(-(most_tokens(max(lengths)) + _TEMPLATE_TOKENS) // _STEP) * _STEP


def closing_of(group: str) -> str | None:
    """The experiment whose closing teaches the tasks of a group; None of another group."""
    found = re.fullmatch(r"close-(.+)-[0-9a-f]{8}", group)
    return found[1] if found else None


def _lines(examples: Sequence[Example]) -> list[str]:
    """The conversations in an order of their own: that of training does not count."""
    return sorted(example.to_line() for example in examples)


def _digest(found: AdaptedModel, folder: Path) -> str:
    """The sha256 of what is asked; empty where it is not there."""
    name = found.name_in(folder)
    if name.startswith(IN_PROCESS):
        return found.sha256 if (folder / found.artefact).exists() else ""
    path = name.removeprefix(LOCAL)
    return find_model(path).sha256 if Path(path).is_file() else ""
