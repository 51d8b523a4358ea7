"""C2 and C3 of stage 4: what the model and, where one is configured, the solver make of the valid tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.novelapi.prompting import Prompter, from_bundles
from apigap.benchmarks.task_environment import Homes
from apigap.evaluation.model_pool import Models
from apigap.gates.boundary import boundary_of
from apigap.gates.boundary_dates import settled_by_date
from apigap.gates.boundary_runs import boundaries_of
from apigap.gates.judged_answers import judge_answers
from apigap.gates.known_controls import ask_controls
from apigap.gates.novelty import Boundary, novelty_record
from apigap.gates.record import GateRecord, not_run
from apigap.gates.solvability import solvability_record
from apigap.models.model_facts import cutoff_of
from apigap.models.request import GenerationRequest
from apigap.records.base import Json
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache

_SOLVER_TEMPERATURE = 0.2
"""The temperature of the published solver runs (NovelAPIBench, stage 4)."""


@dataclass(frozen=True)
class ModelGates:
    """C2 and C3 of one model. `homes` say where tasks run, `bundles` (by API) are what C3 shows its solver.

    `candidates` (by API) are what the tasks are about, where stage 1 is at hand: their dates decide in C2.

    C2's answers are kept beside its `records`, in a file of one model. C3's are in `solver_folder`, in a file of one
    solver, whatever model the tasks are for: a task is put to a solver once.
    """

    model: str
    settings: Settings
    engine: Engine
    models: Models
    progress: Progress
    homes: Homes
    bundles: Mapping[str, KnowledgeBundle]
    records: Path
    solver_folder: Path
    candidates: Mapping[str, Candidate] = field(default_factory=dict[str, Candidate])

    def c2(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """C2 for each task: rounds of one answer, in which those are left that have not passed yet.

        Where the boundary is required, nothing is asked of a task that may be older than the model's cutoff.
        """
        gates = self.settings.gates
        results: dict[str, list[Result]] = {task.task_id: [] for task in tasks}
        boundaries = self.boundaries(tasks)
        required = gates.boundary == "require"
        decided = ("open", "untold") if required else ()
        waiting = [task for task in tasks if boundaries[task.task_id].status not in decided]
        baseline = self.prompter("baseline", self.model)
        for number in range(gates.c2_samples):
            requests = [self._request(baseline, task, number) for task in waiting]
            title = f"C2: answer {number + 1} of at most {gates.c2_samples} without knowledge"
            for result in self._judged(waiting, requests, self.model, answers_of(self.records), title, number):
                results[result.task_id].append(result)
            waiting = [task for task in waiting if results[task.task_id][-1].outcome != "pass"]
        return [novelty_record(task, results[task.task_id], boundaries[task.task_id], required) for task in tasks]

    def c3(self, tasks: Sequence[Task]) -> list[GateRecord]:
        """C3 for each task; `not run` where no solver is configured."""
        gates = self.settings.gates
        solver = gates.c3_solver
        if solver is None:
            return not_run(tasks, "c3", "no solver is configured (setting gates.c3_solver)")
        full, seed = self.prompter("full", solver), self.settings.generation.seed
        asked = [task for task in tasks if full.applies(task)]
        requests = [full.request(task, "c3", gates.c3_samples, _SOLVER_TEMPERATURE, seed) for task in asked]
        title = f"C3: {gates.c3_samples} answers of {solver} per task"
        answers = self.solver_folder / f"stage4_solved.{Layout(self.solver_folder, solver).slug}.answers.jsonl"
        results = self._judged(asked, requests, solver, answers, title)
        records = [solvability_record(t, solver, [r for r in results if r.task_id == t.task_id]) for t in asked]
        without = [task for task in tasks if task not in asked]
        return [*records, *not_run(without, "c3", "its API has no bundle to show")]

    def controls(self) -> dict[str, Json]:
        """The model's rate on APIs that it must know, for a manifest; empty unless the settings ask for it."""
        if not self.settings.gates.controls:
            return {}
        answers = self.records.with_stem(f"{self.records.stem}.controls")
        report = ask_controls(self.model, self.settings, self.engine, self.models, self.progress, answers)
        return {"known_controls": report.model_dump(mode="json")}

    def boundaries(self, tasks: Sequence[Task]) -> Mapping[str, Boundary]:
        """The boundary of each task against the model's cutoff, by its id."""
        pairs = {(task.library, task.old_version, task.version) for task in tasks}
        cutoff = self.settings.gates.cutoff
        known = {pair: boundary_of(*pair, self.model, cutoff) for pair in sorted(pairs, key=str)}
        found = {task.task_id: known[task.library, task.old_version, task.version] for task in tasks}
        if any(boundary.before for boundary in found.values()):
            day = cutoff_of(self.model, cutoff)
            found = settled_by_date(tasks, found, self.candidates, day, self.progress)
        return boundaries_of(tasks, lambda task: found[task.task_id], self.engine, self.progress)

    def prompter(self, condition: str, model: str) -> Prompter:
        """The prompts of a condition, which fit the window of `model`."""
        knowledge = from_bundles(self.bundles, condition)
        return Prompter(self.settings.generation, condition, knowledge, self.models.room(model))

    @cached_property
    def judge(self) -> NovelApiJudge:
        """The judge of all answers."""
        verdicts = VerdictCache(self.engine) if self.settings.execution.cache else None
        return NovelApiJudge(self.engine, self.homes, verdicts)

    def _request(self, baseline: Prompter, task: Task, number: int) -> GenerationRequest:
        """The greedy answer, which is the evaluation's own baseline, then answers at a temperature."""
        seed = self.settings.generation.seed
        if number == 0:
            return baseline.request(task, "baseline", 1, 0.0, seed)
        return baseline.request(task, f"c2.{number}", 1, self.settings.gates.c2_temperature, seed)

    def _judged(
        self,
        tasks: Sequence[Task],
        requests: Sequence[GenerationRequest],
        model: str,
        path: Path,
        title: str,
        first: int = 0,
    ) -> list[Result]:
        """The verdicts on the answers of `model` to each task's request, whose samples are numbered from `first`."""
        ask = self.models.ask(model)
        return judge_answers(self.judge, tasks, requests, ask, path, self.progress, title, first)


def answers_of(records: Path) -> Path:
    """The file of C2's answers, whose gate's records are in `records`."""
    return records.with_stem(f"{records.stem}.answers")
