"""Stage 4 of one or more libraries: C2 and C3 over their valid tasks, and what is left of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.audit.report import LibraryRun
from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.evaluation.model_pool import Models, prompts_in_force
from apigap.gates.boundary import boundary_of
from apigap.gates.boundary_runs import settle
from apigap.gates.known_controls import ask_controls
from apigap.gates.model_gates import NoveltyRun
from apigap.gates.record import GateRecord, undecided_counts
from apigap.models.generate import describe
from apigap.records.configuration import Settings
from apigap.records.layout import Layout
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.stages.chain import execution_in_force
from apigap.tasks.task_choice import select_tasks


@dataclass(frozen=True)
class Gating:
    """What the gates of a model need."""

    model: str
    settings: Settings
    layout: Layout
    engine: Engine
    models: Models
    progress: Progress

    def run(self, runs: Sequence[LibraryRun], path: Path) -> None:
        """C2 and C3 over the tasks of `runs`; the records go to `path` and to the runs.

        Each library's `stage4_gates` then holds the record of every gate on every task, with its reason, and
        `stage4_filtered` the tasks that are left; the manifest of the latter is complete when no gate is undecided.
        """
        valid = [task for run in runs for task in run.passing("c1")]
        chosen = select_tasks(valid, self.settings.audit.max_tasks)
        # Other tasks are not another making: C1 may have decided more of them since, and answers are kept by task.
        stage = Stage(self.layout.manifest(path), "stage 4: C2 and C3", self._made_from(runs, chosen), ("tasks",))
        if not stage.complete:
            novelty = self._novelty(runs, path)
            solver = self.settings.gates.c3_solver
            records = novelty.c2(chosen, self.models.ask(self.model))
            records += novelty.c3(chosen, self.models.ask(solver) if solver else None)
            records.sort(key=lambda record: (record.api_name, record.task_id, record.gate))
            write_records(path, records)
            if not undecided_counts(records):
                new = sum(record.gate == "c2" and record.status == "passed" for record in records)
                stage.finish({"asked": len(chosen), "new": new, **self._controls(path)})
        found = load_records(path, GateRecord)
        for run in runs:
            run.gates.extend(record for record in found if record.task_id in run.task_ids)
            self._leave(run)

    def _leave(self, run: LibraryRun) -> None:
        """Write every gate's records on a library's tasks, and the tasks that are left."""
        gates, left = (self.layout.stage(run.target.library, f"stage4_{name}") for name in ("gates", "filtered"))
        write_records(gates, run.gates)
        made_from = {"gates": file_hash(gates)}
        stage = Stage(self.layout.manifest(left), "stage 4: tasks that are left", made_from, ("gates",))
        write_records(left, run.filtered())
        if run.wanting:
            self.progress.note(
                f"{run.target.library}: {run.wanting}; the next run judges again what could not be judged"
            )
        elif not stage.complete:
            stage.finish({"tasks": len(run.filtered())})

    def adapter(self, runs: Sequence[LibraryRun], model: str | None = None) -> Callable[[str], NovelApi]:
        """The adapter of a condition for the tasks of `runs`; prompts are for `model`, or for the one that is gated."""
        homes = {(run.target.library, run.target.new): run.home for run in runs}
        bundles = {bundle.api_name: bundle for run in runs for bundle in run.bundles}
        verdicts = VerdictCache(self.engine) if self.settings.execution.cache else None
        generation = self.settings.generation
        room = self.models.room(model or self.model)
        return lambda condition: NovelApi(self.engine, homes, bundles, generation, condition, verdicts, room)

    def made_from(self, runs: Sequence[LibraryRun], tasks: Sequence[Task]) -> dict[str, Any]:
        """What decides answers and verdicts on `tasks`."""
        return {
            "model": describe(self.model, self.models.decoding(self.model)),
            "tasks": [task.task_id for task in tasks],
            "execution": execution_in_force(self.settings, self.engine),
            "generation": prompts_in_force(self.settings.generation),
            "knowledge": {
                run.target.library: file_hash(self.layout.stage(run.target.library, "stage2_knowledge")) for run in runs
            },
        }

    def _made_from(self, runs: Sequence[LibraryRun], chosen: Sequence[Task]) -> dict[str, Any]:
        gates = self.settings.gates.model_dump(mode="json")
        return {**self.made_from(runs, chosen), "gates": gates, "evaluator": evaluator_hash()}

    def _controls(self, path: Path) -> dict[str, Any]:
        """How the model does on APIs that it must know, where the settings ask for it."""
        if not self.settings.gates.controls:
            return {}
        answers = path.with_stem(f"{path.stem}.controls")
        report = ask_controls(self.model, self.settings, self.engine, self.models, self.progress, answers)
        return {"known_controls": report.model_dump(mode="json")}

    def _novelty(self, runs: Sequence[LibraryRun], path: Path) -> NoveltyRun:
        solver = Layout(self.layout.root, self.settings.gates.c3_solver or "none").slug
        boundaries = {
            run.target.library: boundary_of(
                run.target.library, run.target.old, run.target.new, self.model, self.settings.gates.cutoff
            )
            for run in runs
        }
        return NoveltyRun(
            adapter=self.adapter(runs),
            solving=self.adapter(runs, self.settings.gates.c3_solver),
            settings=self.settings,
            progress=self.progress,
            answers=answers_of(path),
            solved=self.layout.root / "raw" / f"stage4_solved.{solver}.answers.jsonl",
            boundaries=lambda asked: settle(asked, lambda task: boundaries[task.library], self.engine, self.progress),
        )


def answers_of(path: Path) -> Path:
    """Where C2's answers are, whose records are in `path`."""
    return path.with_stem(f"{path.stem}.answers")
