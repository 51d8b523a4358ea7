"""Stage 4 of libraries in a data folder: C1 of each, C2 and C3 over the valid tasks of all, and their files."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.evaluation.model_pool import Models, prompts_in_force
from apigap.gates.library_run import LibraryRun
from apigap.gates.model_gates import ModelGates
from apigap.gates.provenance import execution_in_force, release_in_force
from apigap.gates.record import GateRecord, undecided_counts
from apigap.gates.validity import ValidityGate
from apigap.gates.validity_records import decide_validity
from apigap.models.generate import describe
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.records.layout import Layout
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.task_choice import select_tasks


@dataclass(frozen=True)
class LibraryGates:
    """The gates of the model of `layout`, with their files in its folder."""

    settings: Settings
    layout: Layout
    engine: Engine
    progress: Progress

    def c1(self, run: LibraryRun, gate: ValidityGate) -> list[GateRecord]:
        """C1, which is complete when no task is undecided: those that are, the next run judges again."""
        path = self.layout.stage(run.target.library, "stage4_c1")
        stage3 = file_hash(self.layout.stage(run.target.library, "stage3_tasks"))
        terms = release_in_force(run.target, run.new, run.old, self.settings, self.engine)
        stage = Stage(self.layout.manifest(path), "stage 4: C1", {**terms, "stage3": stage3})
        records = load_records(path, GateRecord) if stage.complete else []
        decided = {record.task_id for record in records if not record.undecided}
        if not stage.complete or any(task.task_id not in decided for task in run.tasks):
            title = f"{run.target.library}: C1, references, no-ops and mutants"
            records = decide_validity(path, run.tasks, lambda tasks: gate, self.progress, title)
            if not undecided_counts(records):
                stage.finish(dict(Counter(record.status for record in records)))
        return records

    def c2_and_c3(self, runs: Sequence[LibraryRun], models: Models, path: Path) -> None:
        """C2 and C3 over the tasks of `runs`; the records go to `path` and to the runs.

        Each library's `stage4_gates` then holds the record of every gate on every task, with its reason, and
        `stage4_filtered` the tasks that are left; the manifest of the latter is complete when no gate is undecided.
        """
        valid = [task for run in runs for task in run.passing("c1")]
        places = {name: place for run in runs for place, name in enumerate(run.in_rank_order)}
        chosen = select_tasks(valid, self.settings.audit.max_tasks, places)
        # Other tasks are not another making: C1 may have decided more of them since, and answers are kept by task.
        made_from = self._made_from(runs, chosen, models)
        stage = Stage(self.layout.manifest(path), "stage 4: C2 and C3", made_from, ("tasks",))
        if not stage.complete:
            gates = self.model_gates(runs, models, path)
            records = [*gates.c2(chosen), *gates.c3(chosen)]
            records.sort(key=lambda record: (record.api_name, record.task_id, record.gate))
            write_records(path, records)
            if not undecided_counts(records):
                new = sum(record.gate == "c2" and record.status == "passed" for record in records)
                stage.finish({"asked": len(chosen), "new": new, **gates.controls()})
        records = load_records(path, GateRecord)
        for run in runs:
            own = {task.task_id for task in run.tasks}
            run.gates.extend(record for record in records if record.task_id in own)
            self._write_filtered(run)

    def model_gates(self, runs: Sequence[LibraryRun], models: Models, path: Path) -> ModelGates:
        """C2 and C3 of the tasks of `runs`, which are judged as any evaluation judges them."""
        return ModelGates(
            model=self.layout.model,
            settings=self.settings,
            engine=self.engine,
            models=models,
            progress=self.progress,
            homes=homes_of([task for run in runs for task in run.tasks], self.engine),
            bundles={bundle.api_name: bundle for run in runs for bundle in run.bundles},
            records=path,
            solver_folder=self.layout.root / "raw",
            candidates={candidate.api_name: candidate for run in runs for candidate in run.candidates},
        )

    def _write_filtered(self, run: LibraryRun) -> None:
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

    def _made_from(self, runs: Sequence[LibraryRun], tasks: Sequence[Task], models: Models) -> dict[str, Json]:
        """Entries of the manifest that decide the answers to `tasks`, the verdicts on them and the gates."""
        model = self.layout.model
        return {
            "model": describe(model, models.decoding(model)),
            "tasks": [task.task_id for task in tasks],
            "execution": execution_in_force(self.settings.execution, self.engine),
            "generation": prompts_in_force(self.settings.generation),
            "knowledge": {
                run.target.library: file_hash(self.layout.stage(run.target.library, "stage2_knowledge")) for run in runs
            },
            "gates": self.settings.gates.model_dump(mode="json"),
            "evaluator": evaluator_hash(),
        }
