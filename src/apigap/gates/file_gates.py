"""Stage 4 by itself, on a file of tasks of any origin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, preload_of
from apigap.discovery.discover import environment_at
from apigap.discovery.pythons import beside_of_tasks, python_of_tasks
from apigap.evaluation.model_pool import Models, prompts_in_force
from apigap.gates.model_gates import ModelGates
from apigap.gates.older_version import former_environment
from apigap.gates.provenance import execution_in_force
from apigap.gates.reading import Reader, ReadingGate
from apigap.gates.record import GATES, Gate, GateRecord, undecided_counts
from apigap.gates.validity import ValidityGate
from apigap.gates.validity_records import decide_validity
from apigap.models.generate import describe
from apigap.packages.workshop import environment_store
from apigap.records.base import Json, content_hash
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import Manifest, Stage
from apigap.records.progress import Progress
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine


@dataclass(frozen=True)
class FileGates:
    """The gates of a model on tasks at hand. `bundles` (by API) are what C3 shows its solver.

    `reader` is whom the gate `reading` asks.
    """

    model: str
    settings: Settings
    engine: Engine
    models: Models
    progress: Progress
    bundles: Mapping[str, KnowledgeBundle]
    reader: Reader | None = None

    def run(self, tasks: Sequence[Task], gates: Sequence[Gate], out: Path) -> Manifest:
        """Write the tasks that no gate fails to `out`, and every gate's record beside it, in `*.gates.jsonl`.

        A task that fails a gate is not put to the next one, nor one that a gate could not judge. The same call goes on
        where it was ended, and judges again what could not be judged.

        Raises:
            UsageError: when the files there were made from something else.
            EnvironmentFailure: when C2 or C3 is asked for and no library of the tasks can be installed.
        """
        stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "stage 4: gates", self._made_from(tasks, gates))
        if not stage.complete:
            records: list[GateRecord] = []
            left = list(tasks)
            counts: dict[str, Json] = {"tasks": len(tasks)}
            for gate in sorted(gates, key=GATES.index):
                records += self.decide(gate, left, out)
                stopped = {record.task_id for record in records if not record.lets_pass}
                left = [task for task in left if task.task_id not in stopped]
                counts[f"after {gate}"] = len(left)
            records.sort(key=lambda record: (record.api_name, record.task_id, record.gate))
            write_records(out.with_name(f"{out.stem}.gates.jsonl"), records)
            write_records(out, left)
            if "c2" in gates:
                counts |= self._model_gates((), out).controls()
            wanting = undecided_counts(records)
            if wanting:
                return stage.manifest.model_copy(update={"counts": {**counts, **wanting}})
            stage.finish(counts)
        return stage.manifest

    def decide(self, gate: Gate, tasks: Sequence[Task], out: Path) -> list[GateRecord]:
        """The records of one gate."""
        if gate == "c1":
            path, title = out.with_name(f"{out.stem}.c1.jsonl"), "C1, references, no-ops and mutants"
            return decide_validity(path, tasks, partial(validity_gate, self.engine), self.progress, title)
        if gate == "reading":
            return self._read(tasks, out.with_name(f"{out.stem}.reading_transcripts.jsonl"))
        gates = self._model_gates(tasks, out)
        return gates.c2(tasks) if gate == "c2" else gates.c3(tasks)

    def _read(self, tasks: Sequence[Task], path: Path) -> list[GateRecord]:
        assert self.reader is not None, "the gate `reading` is asked for with its reader"
        with self.reader.transcripts(path) as transcripts:
            return ReadingGate(transcripts, self.progress).check(tasks)

    def _model_gates(self, tasks: Sequence[Task], out: Path) -> ModelGates:
        return ModelGates(
            model=self.model,
            settings=self.settings,
            engine=self.engine,
            models=self.models,
            progress=self.progress,
            homes=homes_at_hand(tasks, self.engine, self.progress),
            bundles=self.bundles,
            records=out.with_name(f"{out.stem}.jsonl"),
            solver_folder=out.parent,
        )

    def _made_from(self, tasks: Sequence[Task], gates: Sequence[Gate]) -> dict[str, Json]:
        return {
            "model": describe(self.model, self.models.decoding(self.model)),
            "tasks": content_hash([task.task_id for task in tasks]),
            **({"knowledge": content_hash(sorted(b.to_line() for b in self.bundles.values()))} if self.bundles else {}),
            "gates": [*gates],
            **({"reader": describe(self.reader.model, self.reader.decoding)} if self.reader else {}),
            "settings": self.settings.gates.model_dump(mode="json"),
            "generation": prompts_in_force(self.settings.generation),
            "execution": execution_in_force(self.settings.execution, self.engine),
            "evaluator": evaluator_hash(),
        }


def validity_gate(engine: Engine, tasks: Sequence[Task]) -> ValidityGate:
    """C1 for tasks of one release, whose environments are made.

    Raises:
        EnvironmentFailure: when one of its two versions cannot be installed.
    """
    library, version, old = tasks[0].library, tasks[0].version, tasks[0].old_version
    beside = beside_of_tasks(tasks)
    new = environment_at(library, version, environment_store(engine), python_of_tasks(tasks), beside)
    before = former_environment(tasks, old, engine) if old else None
    apis = sorted({task.api_name for task in tasks})
    return ValidityGate(engine, new, before, preload_of(apis, new, engine, beside))
