"""One model on one set of tasks under the cells of a grid: generation, verdicts, and what they come to.

Generation needs neither the tasks' libraries nor a sandbox, and can be ended and begun again anywhere.
"""

import json
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from apigap.benchmarks.novelapi.cells import (
    PREDICTIONS,
    SUMMARY,
    complete_for,
    generate_cells,
    requests_of,
)
from apigap.benchmarks.novelapi.prompting import KnowledgeOf, Prompter, from_bundles
from apigap.evaluation.answers import answered as answers_in
from apigap.evaluation.model_pool import MakeGenerator, Models, asked_of
from apigap.experiments.agents import Agents
from apigap.experiments.cell_judge import CellJudge
from apigap.experiments.group_config import find_group, group_names
from apigap.experiments.judging_ahead import JudgingAhead, answers_elsewhere
from apigap.experiments.rag import Retrieval, rag_folder
from apigap.models.adapted import read_adapted
from apigap.models.generate import Generator, describe
from apigap.models.model_facts import decoding_within, room_for, window_of
from apigap.models.spending.cell_cost import tokens
from apigap.models.spending.workload import Workload
from apigap.models.trial import try_models
from apigap.records.configuration import Settings
from apigap.records.errors import AnswersAwaited, UsageError
from apigap.records.experiment import Cell
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.result import Prediction
from apigap.records.store import read_bytes
from apigap.records.task import Task
from apigap.sandbox.engine import Engine


@dataclass(frozen=True)
class Plan:
    """The tasks of an experiment, in order. Each has its API's bundle among `bundles`, all of which are searched.

    `group` names them, for the folders of indexes and of tuned weights.
    """

    experiment: str
    group: str
    model: str
    tasks: Sequence[Task]
    bundles: Sequence[KnowledgeBundle]
    cells: Sequence[Cell]

    def with_model(self, model: str) -> "Plan":
        """The same, asked of another model."""
        return replace(self, model=model)


class Experiment:
    """The steps of an experiment, in `root`/results/EXPERIMENT; each goes on where it was ended."""

    def __init__(
        self,
        plan: Plan,
        settings: Settings,
        root: Path,
        progress: Progress,
        make_generator: MakeGenerator = Generator,
    ) -> None:
        check_can_ask(plan.model, settings)
        self.plan = plan
        self._settings = settings
        self._layout = Layout(root, plan.model)
        self._models = {cell.name: self._model_of(cell) for cell in plan.cells}
        self.skipped = {cell.name: _adaptation(cell, plan, root) for cell in plan.cells if not self._models[cell.name]}
        self.cells = [cell for cell in plan.cells if cell.name not in self.skipped]
        self._progress = progress
        self._make_generator = make_generator
        for command in dict.fromkeys(self.skipped.values()):
            names = " and ".join(name for name, needed in self.skipped.items() if needed == command)
            progress.note(f"skipped: {names}; first adapt the model with: {command}")

    def generate(
        self,
        models: Models | None = None,
        known: Mapping[str, Prediction] = MappingProxyType({}),
        engine: Engine | None = None,
    ) -> None:
        """The predictions of every cell: task by task, all cells that ask the same weights together.

        `models` are those of a larger run, in whose memory the model stays; answers that are `known` are not asked.
        With an `engine` the answers of a model elsewhere are judged while further ones are awaited (`JudgingAhead`);
        agents work in its sandboxes.

        Raises:
            ModelUnavailable: when the model cannot be asked; what was answered before is kept.
            AnswersAwaited: when the model is a folder that lacks answers; all requests have been written then.
            UsageError: when the folder of a cell was made from something else.
        """
        if models is None:
            try_models(((model, self._settings.generation.max_tokens) for model in self.asked), self._progress)
        awaited: AnswersAwaited | None = None
        with (
            nullcontext(models) if models else Models(self._settings.generation, self._make_generator) as pool,
            self._judging_ahead(engine) as ahead,
        ):
            last = ""
            for cells in self._phases():
                model = self._models[cells[0].name]
                if model != last:
                    pool.close(last)
                last = model
                room = pool.room(model)
                try:
                    if cells[0].uses_tools:
                        self._agents.run(cells[0], self.folder(cells[0]), pool.ask(model), engine)
                        continue
                    generate_cells(
                        {self.folder(cell): self._prompter(cell, room) for cell in cells},
                        self.plan.tasks,
                        self._settings.generation,
                        ahead.listening(pool.ask(model)) if ahead else pool.ask(model),
                        known,
                        self._made_from(cells[0]),
                        self._progress,
                    )
                except AnswersAwaited as error:  # the requests of the other phases go into files as well
                    awaited = error
        if awaited:
            raise awaited

    def _judging_ahead(self, engine: Engine | None) -> AbstractContextManager[JudgingAhead | None]:
        """A judge at work beside the asking, where it has a memory and time."""
        waits = any(map(answers_elsewhere, self.asked))
        if engine and waits and self._settings.execution.cache:
            return JudgingAhead(engine, self.plan.tasks)
        return nullcontext()

    def evaluate(self, engine: Engine) -> dict[str, dict[str, Any]]:
        """Judge every cell that is answered in full; the summary of each, by the cell's name.

        Raises:
            EnvironmentFailure: when no library of the tasks can be installed.
        """
        answered = self.answered
        ready = [cell for cell in self.cells if cell.name in answered]
        for cell in self.cells:
            if cell not in ready:
                self._progress.note(f"{cell.name} is not answered in full yet: the step `run` goes on with it")
        if not ready:
            return {}
        judge = CellJudge(self.plan.tasks, self._settings, engine, self._progress)
        summaries: dict[str, dict[str, Any]] = {}
        for cell in ready:
            results = judge.score(self.plan.tasks, self.folder(cell), self._model_of(cell))
            if cell.uses_tools:
                self._agents.judge(cell, self.folder(cell), judge.verdicts, results, judge.made_from)
            summaries[cell.name] = json.loads(read_bytes(self.folder(cell) / SUMMARY))
        return summaries

    @property
    def asked(self) -> list[str]:
        """The models whose answers are not all there yet, in the order in which they are asked."""
        answered = self.answered
        cells = (cell for phase in self._phases() for cell in phase if cell.name not in answered)
        return list(dict.fromkeys(self._models[cell.name] for cell in cells))

    @property
    def answered(self) -> tuple[str, ...]:
        """The cells that are answered in full."""
        return tuple(cell.name for cell in self.cells if complete_for(self.folder(cell), self.plan.tasks))

    def answers(self, cell: Cell) -> dict[str, Prediction]:
        """The answers to the plan's tasks that a cell has, by the key of their request; it may keep those of others."""
        asked = {task.task_id for task in self.plan.tasks}
        there = answers_in(self.folder(cell) / PREDICTIONS)
        return {key: one for key, one in there.items() if one.task_id in asked}

    def endings(self, cell: Cell) -> Counter[str]:
        """Ends of the samples of a cell that are there: by stop reasons, agents by what ended them (`Over`)."""
        answers = self.answers(cell).values()
        return Counter(end for one in answers for end in (one.model_extra or {}).get("ended", one.endings))

    def workload(self, cell: Cell, known: Container[str] = ()) -> Workload:
        """The work that a cell's missing answers are; requests whose keys are `known` need not be made.

        A prompt that shows what is found counts with as much as may be found, so that no index is needed for it.
        """
        model, generation = self._models[cell.name], self._settings.generation
        if cell.uses_tools:
            return self._agents.workload(cell, len(self.answers(cell)))
        decoding = decoding_within(model, generation.max_tokens)
        room = room_for(window_of(model), decoding.max_tokens)
        prompter = Prompter(generation, cell.condition, self._knowledge(cell, estimated=True), room)
        there = self.answers(cell)
        requests = requests_of(prompter, self.plan.tasks, generation)
        missing = [request for request in requests if request.key not in there and request.key not in known]
        spent = (tokens(there.values()) or {}).get("output", 0)
        done = sum(len(answer.samples) for answer in there.values()) if spent else 0
        return replace(Workload.of(missing, decoding.max_tokens), answers=done, wrote=spent)

    def model_of(self, cell: Cell) -> str:
        """The model that a cell asks."""
        return self._models[cell.name]

    def folder(self, cell: Cell) -> Path:
        """The folder of a cell's files."""
        return self._layout.cell(self.plan.experiment, cell.name)

    @property
    def runs_code(self) -> bool:
        """True where answers cannot be asked for without sandboxes: agents use tools on their way."""
        return any(cell.uses_tools and cell.condition != "none" for cell in self.cells)

    @cached_property
    def _agents(self) -> Agents:
        return Agents(self.plan.model, self.plan.tasks, self._settings, self._progress)

    def _phases(self) -> list[list[Cell]]:
        """The cells that show the bundle itself; then each delivery that needs an index; agents and tuned weights one
        by one.

        All that one model is asked stands together, so that no two are in memory.
        """
        phases: dict[str, dict[str, list[Cell]]] = {}
        for cell in self.cells:
            way = "oracle" if cell.delivery == "baseline" else cell.name if cell.uses_tools else cell.delivery
            phases.setdefault(self._models[cell.name], {}).setdefault(way, []).append(cell)
        return [cells for ways in phases.values() for cells in ways.values()]

    def _model_of(self, cell: Cell) -> str:
        """The model that a cell asks; empty where its weights have not been tuned."""
        if not cell.tuned:
            return self.plan.model
        folder = self._layout.adapted(self.plan.group, "sft", cell.condition)
        found = read_adapted(folder)
        return found.name_in(folder) if found else ""

    @cached_property
    def _retrieval(self) -> Retrieval:
        folder = rag_folder(self._layout.root, self.plan.group)
        return Retrieval(self.plan.bundles, folder, self._settings.retrieval, self._progress)

    def _prompter(self, cell: Cell, room: int | None) -> Prompter:
        return Prompter(self._settings.generation, cell.condition, self._knowledge(cell), room)

    def _knowledge(self, cell: Cell, *, estimated: bool = False) -> KnowledgeOf:
        if cell.retrieved and estimated:
            return self._retrieval.most_shown(cell.condition, control=cell.delivery == "chunked")
        if cell.retrieved:
            control = cell.delivery == "chunked"
            return self._retrieval.knowledge_of(cell.condition, self.plan.tasks, control=control)
        shown = "baseline" if cell.tuned else cell.condition
        return from_bundles({bundle.api_name: bundle for bundle in self.plan.bundles}, shown)

    def _made_from(self, cell: Cell) -> dict[str, Any]:
        """Entries of a manifest that decide the answers of a cell and its like, whichever of the tasks are asked."""
        shown = sorted(bundle.to_line() for bundle in self.plan.bundles)
        return {
            **asked_of(self._models[cell.name], self._settings.generation, shown),
            **({"retrieval": self._settings.retrieval.model_dump(mode="json")} if cell.retrieved else {}),
        }


def check_can_ask(model: str, settings: Settings) -> None:
    """Refuse what would fail after hours, before anything is done.

    Raises:
        UsageError: for several samples that would all be the same.
        ModelUnavailable: for a local model that is not known.
    """
    if settings.generation.samples > 1 and settings.generation.temperature == 0:
        raise UsageError("several samples at temperature 0 are all the same; set generation.temperature too")
    describe(model)


def _adaptation(cell: Cell, plan: Plan, root: Path) -> str:
    """The command that makes the weights that a cell asks; a group that is split has its own tasks for training."""
    trains = plan.group in group_names() and find_group(plan.group).split != "none"
    taught = "" if trains else "--tasks TRAINING.jsonl "
    where = "" if root == Path("data") else f" --data {root}"
    return f"apigap adapt sft {taught}--group {plan.group} --model {plan.model} --condition {cell.condition}{where}"
