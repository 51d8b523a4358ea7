"""One model on one set of tasks under the cells of a grid: generation, verdicts, and what they come to.

Generation needs neither the tasks' libraries nor a sandbox, and can be ended and begun again anywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi import NovelApi
from apigap.benchmarks.prompting import KnowledgeOf, Prompter, from_bundles
from apigap.execution.engine import Engine
from apigap.execution.judge import evaluator_hash
from apigap.execution.verdicts import VerdictCache
from apigap.models.generate import Generator, decoding_of, describe
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.pipeline.evaluate import PREDICTIONS, generate_cells, score_cell
from apigap.pipeline.layout import Layout
from apigap.pipeline.progress import Progress
from apigap.pipeline.score import homes_of
from apigap.pipeline.stages import execution_in_force
from apigap.records.base import content_hash
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.experiment import Cell
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import Manifest
from apigap.records.result import Result
from apigap.records.store import read_bytes
from apigap.records.task import Task

Retrieve = Callable[[Cell], KnowledgeOf]
"""What retrieval finds for a task under a cell's condition."""


@dataclass(frozen=True)
class Plan:
    """What an experiment asks: `tasks` in order, of which each has a bundle in `bundles` (by API)."""

    experiment: str
    model: str
    tasks: Sequence[Task]
    bundles: Mapping[str, KnowledgeBundle]
    cells: Sequence[Cell]


class Experiment:
    """The steps of an experiment, in `root`/results/EXPERIMENT; each goes on where it was ended."""

    def __init__(
        self,
        plan: Plan,
        settings: Settings,
        root: Path,
        progress: Progress,
        retrieve: Retrieve | None = None,
        make_generator: Callable[[str, Decoding], Generator] = Generator,
    ) -> None:
        if settings.generation.samples > 1 and settings.generation.temperature == 0:
            raise UsageError("several samples at temperature 0 are all the same; set generation.temperature too")
        describe(plan.model)  # an unknown model is told before anything is done
        self.plan = plan
        self.cells, self.skipped = _possible(plan.cells, retrieve is not None)
        self._settings = settings
        self._layout = Layout(root, plan.model)
        self._progress = progress
        self._retrieve = retrieve
        self._make_generator = make_generator
        for reason in self.skipped.values():
            progress.note(reason)

    def generate(self) -> None:
        """The predictions of every cell: task by task, all cells that ask the same weights together.

        Raises:
            ModelUnavailable: when the model cannot be asked; what was answered before is kept.
            UsageError: when the folder of a cell was made from something else.
        """
        generator: list[Generator] = []

        def ask(requests: Sequence[GenerationRequest], on_answer: Callable[[str, int, Answer], None]) -> None:
            generator.append(self._make_generator(self.plan.model, self._decoding()))
            generator[-1].generate(requests, on_answer)

        try:
            for cells in self._phases():
                prompters = {self.folder(cell): self._prompter(cell) for cell in cells}
                generate_cells(
                    prompters, self.plan.tasks, self._settings.generation, ask, {}, self._made_from(), self._progress
                )
        finally:
            for one in generator:
                one.close()

    def evaluate(self, engine: Engine) -> dict[str, list[Result]]:
        """The verdicts of every cell that is answered in full, by the cell's name.

        Raises:
            EnvironmentFailure: when a library of the tasks cannot be installed.
        """
        ready = [cell for cell in self.cells if self._answered(cell)]
        for cell in self.cells:
            if cell not in ready:
                self._progress.note(f"{cell.name} is not answered in full yet: the step `run` goes on with it")
        tasks = self.plan.tasks
        homes = homes_of(tasks) if ready else {}
        verdicts = VerdictCache(engine) if self._settings.execution.cache else None
        made_from = {
            "tasks": content_hash([task.task_id for task in tasks]),
            "execution": execution_in_force(self._settings, engine),
            "evaluator": evaluator_hash(),
        }
        results: dict[str, list[Result]] = {}
        for cell in ready:
            scorer = NovelApi(engine, homes, {}, self._settings.generation, cell.condition, verdicts)
            results[cell.name] = score_cell(scorer, tasks, self.folder(cell), made_from, self._progress)
        return results

    def folder(self, cell: Cell) -> Path:
        """Where the files of a cell are."""
        return self._layout.cell(self.plan.experiment, cell.name)

    def _phases(self) -> list[list[Cell]]:
        """The cells that show the bundle itself, then those that need an index first."""
        direct = [cell for cell in self.cells if cell.delivery in ("baseline", "oracle")]
        return [phase for phase in (direct, [cell for cell in self.cells if cell not in direct]) if phase]

    def _prompter(self, cell: Cell) -> Prompter:
        if cell.delivery == "rag":
            assert self._retrieve is not None
            knowledge = self._retrieve(cell)
        else:
            knowledge = from_bundles(self.plan.bundles, cell.condition)
        return Prompter(self._settings.generation, cell.condition, knowledge)

    def _answered(self, cell: Cell) -> bool:
        manifest = self.folder(cell) / "predictions.manifest.json"
        done = manifest.exists() and Manifest.model_validate_json(read_bytes(manifest)).complete
        return done and (self.folder(cell) / PREDICTIONS).exists()

    def _decoding(self) -> Decoding:
        return decoding_of(self.plan.model).model_copy(update={"max_tokens": self._settings.generation.max_tokens})

    def _made_from(self) -> dict[str, Any]:
        asked = {task.api_name for task in self.plan.tasks}
        bundles = [b.model_dump(mode="json") for name, b in sorted(self.plan.bundles.items()) if name in asked]
        return {
            "model": describe(self.plan.model, self._decoding()),
            "generation": self._settings.generation.model_dump(mode="json"),
            "knowledge": content_hash(bundles),
        }


def _possible(cells: Sequence[Cell], retrieval: bool) -> tuple[list[Cell], dict[str, str]]:
    """The cells that can be run, and why each of the others cannot."""
    skipped: dict[str, str] = {}
    for cell in cells:
        if cell.tuned:
            skipped[cell.name] = (
                f"{cell.name} is skipped: it asks weights tuned on `{cell.condition}`; "
                f"make them with: apigap adapt sft --condition {cell.condition}"
            )
        elif cell.delivery == "rag" and not retrieval:
            skipped[cell.name] = f"{cell.name} is skipped: retrieval is not installed; install apigap[rag]"
    return [cell for cell in cells if cell.name not in skipped], skipped
