"""The cells of a closing: a model is asked about tasks in one way, and every answer is judged."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from types import MappingProxyType
from typing import Any, Protocol

from apigap.benchmarks.novelapi.cells import PREDICTIONS, Adapter, generate_cells
from apigap.evaluation.answers import Ask, answered
from apigap.evaluation.model_pool import Models, asked_of
from apigap.experiments.cell_judge import CellJudge
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.task import Task

Rates = Mapping[str, float]
"""The share of the judged samples of a task that passed, by its id; a task without a verdict is not there."""


class CellAsker:
    """Asks `model`, and judges; the files of each cell are in a folder of its own, which an ended run goes on with."""

    def __init__(self, model: str, settings: Settings, models: Models, judge: CellJudge, progress: Progress) -> None:
        self.model = model
        self.settings = settings
        self.progress = progress
        self._models = models
        self._judge = judge

    @property
    def room(self) -> int | None:
        """The number of characters that a prompt may have; None where the model's window is not known."""
        return self._models.room(self.model)

    @property
    def ask(self) -> Ask:
        """The function that puts requests to the model."""
        return self._models.ask(self.model)

    def answer(
        self,
        cells: Mapping[Path, Adapter],
        tasks: Sequence[Task],
        texts: Json = None,
        known: Mapping[str, Prediction] = MappingProxyType({}),
        model: str | None = None,
    ) -> None:
        """Ask every cell about the tasks, all cells of a task together; `texts` is what the prompts are made of.

        Another `model` is closed again when it has been asked, and this one before: no two are in memory.

        Raises:
            AnswersAwaited: when the model is a folder that lacks answers.
            ModelUnavailable: when it cannot be asked.
        """
        named = model or self.model
        made_from = self.made_from(texts, named)
        ask = self._models.ask(named)
        if named != self.model:
            self._models.close(self.model)
        generate_cells(cells, tasks, self.settings.generation, ask, known, made_from, self.progress)
        if named != self.model:
            self._models.close(named)

    def made_from(self, texts: Json, model: str | None = None) -> dict[str, Any]:
        """The entries of a manifest that decide the answers of a cell."""
        return asked_of(model or self.model, self.settings.generation, texts)

    def judged(self, folder: Path, tasks: Sequence[Task], model: str | None = None) -> list[Result]:
        """The verdicts on the answers of a cell to these tasks."""
        return self._judge.score(tasks, folder, model or self.model)


def rates_of(results: Iterable[Result]) -> Rates:
    """The rate of each task that has a verdict."""
    passes: dict[str, list[bool]] = {}
    for result in results:
        if result.has_verdict:
            passes.setdefault(result.task_id, []).append(result.passed)
    return {task_id: fmean(several) for task_id, several in passes.items()}


class Question(Protocol):
    """A task or an item: what is asked about one API."""

    @property
    def task_id(self) -> str:
        """Its id."""
        ...

    @property
    def api_name(self) -> str:
        """The API that it is about."""
        ...


def predictions_of(folder: Path, tasks: Sequence[Question]) -> list[Prediction]:
    """The answers in the folder of a cell to these tasks."""
    wanted = {task.task_id for task in tasks}
    return [found for found in answered(folder / PREDICTIONS).values() if found.task_id in wanted]
