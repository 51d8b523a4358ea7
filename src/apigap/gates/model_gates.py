"""C2 and C3 of stage 4: what the model and, where one is configured, the solver make of the valid tasks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.evaluation.answers import Ask, collect
from apigap.evaluation.item import Item
from apigap.gates.novelty import Boundary, not_run, novelty_record
from apigap.gates.record import GateRecord
from apigap.gates.solvability import solvability_record
from apigap.models.request import GenerationRequest
from apigap.records.configuration import Settings
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task

Adapter = Callable[[str], NovelApi]
Boundaries = Callable[[Sequence[Task]], Mapping[str, Boundary]]


@dataclass(frozen=True)
class NoveltyRun:
    """What C2 and C3 need: adapters by condition, settings, where answers go, and where tasks lie (by their ids).

    `adapter` makes prompts for the model, `solving` for C3's solver, whose window may be another.

    `answers` is C2's file, of one model; `solved` is C3's, of one solver, whatever model the tasks are for: a task is
    put to a solver once.
    """

    adapter: Adapter
    solving: Adapter
    settings: Settings
    progress: Progress
    answers: Path
    solved: Path
    boundaries: Boundaries

    def c2(self, tasks: Sequence[Task], ask: Ask) -> list[GateRecord]:
        """C2 for each task: rounds of one answer, in which those are left that have not passed yet.

        Where the boundary is required, nothing is asked of a task that may be older than the model's cutoff.
        """
        gates = self.settings.gates
        results: dict[str, list[Result]] = {task.task_id: [] for task in tasks}
        boundaries = self.boundaries(tasks)
        required = gates.boundary == "require"
        decided = ("open", "untold") if required else ()
        waiting = [task for task in tasks if boundaries[task.task_id].status not in decided]
        for number in range(gates.c2_samples):
            requests = [self._request(task, number) for task in waiting]
            title = f"C2: answer {number + 1} of at most {gates.c2_samples} without knowledge"
            for result in self._judged(waiting, requests, ask, self.answers, title, number):
                results[result.task_id].append(result)
            waiting = [task for task in waiting if results[task.task_id][-1].outcome != "pass"]
        return [novelty_record(task, results[task.task_id], boundaries[task.task_id], required) for task in tasks]

    def c3(self, tasks: Sequence[Task], ask: Ask | None) -> list[GateRecord]:
        """C3 for each task; `not run` where no solver is configured."""
        gates = self.settings.gates
        solver = gates.c3_solver
        if ask is None or solver is None:
            return not_run(tasks, "c3", "no solver is configured (setting gates.c3_solver)")
        full, seed = self.solving("full"), self.settings.generation.seed
        shown = [task for task in tasks if full.applies(task)]
        # The temperature of the published solver runs (NovelAPIBench, stage 4).
        requests = [full.request(task, "c3", gates.c3_samples, 0.2, seed) for task in shown]
        title = f"C3: {gates.c3_samples} answers of {solver} per task"
        found = self._judged(shown, requests, ask, self.solved, title)
        records = [solvability_record(t, solver, [r for r in found if r.task_id == t.task_id]) for t in shown]
        without = [task for task in tasks if task not in shown]
        return [*records, *not_run(without, "c3", "its API has no bundle to show")]

    def _request(self, task: Task, number: int) -> GenerationRequest:
        """The greedy answer, which is the evaluation's own baseline, then answers at a temperature."""
        baseline, seed = self.adapter("baseline"), self.settings.generation.seed
        if number == 0:
            return baseline.request(task, "baseline", 1, 0.0, seed)
        return baseline.request(task, f"c2.{number}", 1, self.settings.gates.c2_temperature, seed)

    def _judged(
        self,
        tasks: Sequence[Task],
        requests: Sequence[GenerationRequest],
        ask: Ask,
        path: Path,
        title: str,
        first: int = 0,
    ) -> list[Result]:
        """The verdicts on the answers to each task's request, whose samples are numbered from `first`."""
        if not requests:
            return []
        predictions = collect({path: requests}, ask, {}, self.progress.step(title), shared=True)
        adapter = self.adapter("baseline")
        items = [
            Item(task, first + number, adapter.parse(text, task))
            for task, request in zip(tasks, requests, strict=True)
            for number, text in enumerate(predictions[request.key].samples)
        ]
        step = self.progress.step(f"{title}: verdicts")
        judged: list[Result] = []

        def ready(result: Result) -> None:
            judged.append(result)
            step(len(judged), len(items))

        step(0, len(items))
        return adapter.score_all(items, ready)
