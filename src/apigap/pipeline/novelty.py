"""C2 and C3 of stage 4: what the model and, where one is configured, the solver make of the valid tasks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi import Item, NovelApi
from apigap.gates.novelty import not_run, novelty_record
from apigap.gates.record import GateRecord
from apigap.gates.solvability import solvability_record
from apigap.models.request import GenerationRequest
from apigap.pipeline.answers import Ask, collect
from apigap.pipeline.progress import Progress
from apigap.records.configuration import Settings
from apigap.records.result import Prediction, Result
from apigap.records.task import Task

Adapter = Callable[[str], NovelApi]


@dataclass(frozen=True)
class NoveltyRun:
    """What C2 and C3 need: adapters by condition, who answers, settings, and where answers go."""

    adapter: Adapter
    settings: Settings
    progress: Progress
    answers: Path

    def c2(self, tasks: Sequence[Task], ask: Ask) -> list[GateRecord]:
        """C2 for each task."""
        gates = self.settings.gates
        requests = [request for task in tasks for request in self._c2_requests(task)]
        title = f"C2: {gates.c2_samples} answers without knowledge per task"
        predictions = collect({self.answers: requests}, ask, {}, self.progress.step(title))
        return [
            novelty_record(task, results)
            for task, results in self._judged(tasks, requests, predictions, "judging C2's answers")
        ]

    def c3(self, tasks: Sequence[Task], ask: Ask | None) -> list[GateRecord]:
        """C3 for each task; `not run` where no solver is configured."""
        solver = self.settings.gates.c3_solver
        if ask is None or solver is None:
            return not_run(tasks, "c3", "no solver is configured (setting gates.c3_solver)")
        full = self.adapter("full")
        gates, seed = self.settings.gates, self.settings.generation.seed
        # The temperature of the published solver runs (NovelAPIBench, stage 4).
        requests = [full.request(t, "c3", gates.c3_samples, 0.2, seed) for t in tasks if full.applies(t)]
        title = f"C3: {gates.c3_samples} answers of {solver} per task"
        path = self.answers.with_stem(f"{self.answers.stem}.c3")
        predictions = collect({path: requests}, ask, {}, self.progress.step(title))
        return [
            solvability_record(task, solver, results)
            for task, results in self._judged(tasks, requests, predictions, "judging C3's answers")
        ]

    def _c2_requests(self, task: Task) -> list[GenerationRequest]:
        """The greedy answer, which is the evaluation's own baseline, and the others at a temperature."""
        baseline, gates, seed = self.adapter("baseline"), self.settings.gates, self.settings.generation.seed
        greedy = baseline.request(task, "baseline", 1, 0.0, seed)
        if gates.c2_samples == 1:
            return [greedy]
        return [greedy, baseline.request(task, "c2", gates.c2_samples - 1, gates.c2_temperature, seed)]

    def _judged(
        self,
        tasks: Sequence[Task],
        requests: Sequence[GenerationRequest],
        predictions: dict[str, Prediction],
        title: str,
    ) -> list[tuple[Task, list[Result]]]:
        """The verdicts on all answers to each task, in the order of the requests."""
        adapter = self.adapter("baseline")
        by_id = {task.task_id: task for task in tasks}
        texts = [(by_id[r.key.partition("/")[0]], text) for r in requests for text in predictions[r.key].samples]
        items = [Item(task, number, adapter.parse(text, task)) for number, (task, text) in enumerate(texts)]
        step = self.progress.step(title)
        judged: list[Result] = []

        def ready(result: Result) -> None:
            judged.append(result)
            step(len(judged), len(items))

        step(0, len(items))
        results = adapter.score_all(items, ready)
        return [(task, [r for r in results if r.task_id == task.task_id]) for task in tasks]
