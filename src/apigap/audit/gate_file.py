"""Stage 4 by itself, on a file of tasks of any origin."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, preload_of
from apigap.discovery.discover import environment_at
from apigap.evaluation.model_pool import Models, prompts_in_force
from apigap.gates.battery import read_signatures
from apigap.gates.battery.signature import neighbours
from apigap.gates.boundary import boundary_of
from apigap.gates.boundary_runs import settle
from apigap.gates.known_controls import ask_controls
from apigap.gates.model_gates import NoveltyRun
from apigap.gates.novelty import not_run
from apigap.gates.record import Gate, GateRecord, undecided_counts
from apigap.gates.validity import ValidityGate
from apigap.models.generate import describe
from apigap.packages.workshop import environment_store
from apigap.records.base import content_hash
from apigap.records.configuration import Settings
from apigap.records.errors import EnvironmentFailure
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest, Stage
from apigap.records.progress import Progress
from apigap.records.store import Journal, write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.stages.chain import execution_in_force

GATES: tuple[Gate, ...] = ("c1", "c2", "c3")
_BATCH = 8


@dataclass(frozen=True)
class FileGates:
    """The gates of a model on tasks at hand. `bundles` (by API) are what C3 shows its solver."""

    model: str
    settings: Settings
    engine: Engine
    models: Models
    progress: Progress
    bundles: dict[str, KnowledgeBundle]

    def run(self, tasks: Sequence[Task], gates: Sequence[str], out: Path) -> Manifest:
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
            counts: dict[str, Any] = {"tasks": len(tasks)}
            run = {"c1": self._c1, "c2": self._c2, "c3": self._c3}
            for name in [gate for gate in GATES if gate in gates]:
                records += run[name](left, out)
                stopped = {record.task_id for record in records if not record.lets_pass}
                left = [task for task in left if task.task_id not in stopped]
                counts[f"after {name}"] = len(left)
            records.sort(key=lambda record: (record.api_name, record.task_id, record.gate))
            write_records(out.with_name(f"{out.stem}.gates.jsonl"), records)
            write_records(out, left)
            controls = self._controls(out) if "c2" in gates and self.settings.gates.controls else {}
            wanting = undecided_counts(records)
            if wanting:
                return stage.manifest.model_copy(update={"counts": {**counts, **controls, **wanting}})
            stage.finish({**counts, **controls})
        return stage.manifest

    def _c1(self, tasks: Sequence[Task], out: Path) -> list[GateRecord]:
        releases: defaultdict[tuple[str, str, str | None], list[Task]] = defaultdict(list)
        for task in tasks:
            releases[task.library, task.version, task.old_version].append(task)
        step = self.progress.step("C1, references, no-ops and mutants")
        path = out.with_name(f"{out.stem}.c1.jsonl")
        with Journal(path, GateRecord, again=lambda record: record.status == "not run") as journal:
            done = {record.task_id for record in journal.done}
            step(len(done), len(tasks))
            for release, own in releases.items():
                waiting = [task for task in own if task.task_id not in done]
                try:
                    gate = self._validity(release, waiting) if waiting else None
                except EnvironmentFailure as error:
                    self.progress.note(f"C1 waits for {release[0]}: {error}")
                    for record in not_run(waiting, "c1", f"it could not be judged: {error}"):
                        journal.append(record)
                    continue
                for start in range(0, len(waiting) if gate else 0, _BATCH):
                    assert gate is not None
                    for record in gate.check(waiting[start : start + _BATCH]):
                        journal.append(record)
                    step(len(journal.done), len(tasks))
            journal.finish(lambda record: (record.api_name, record.task_id))
        return list(journal.done)

    def _validity(self, release: tuple[str, str, str | None], tasks: Sequence[Task]) -> ValidityGate:
        library, version, old = release
        store = environment_store(self.engine)
        new = environment_at(library, version, store)
        former = environment_at(library, old, store) if old else None
        apis = sorted({task.api_name for task in tasks})
        signatures = read_signatures(self.engine, new, apis)
        preload = preload_of(apis, new, self.engine)
        gate = ValidityGate(self.engine, new, former, preload, neighbours(library, version, signatures))
        gate.learn(tasks)
        return gate

    def _c2(self, tasks: Sequence[Task], out: Path) -> list[GateRecord]:
        return self._novelty(tasks, out).c2(tasks, self.models.ask(self.model))

    def _c3(self, tasks: Sequence[Task], out: Path) -> list[GateRecord]:
        solver = self.settings.gates.c3_solver
        return self._novelty(tasks, out).c3(tasks, self.models.ask(solver) if solver else None)

    def _novelty(self, tasks: Sequence[Task], out: Path) -> NoveltyRun:
        homes = homes_at_hand(tasks, self.engine, self.progress)
        verdicts = VerdictCache(self.engine) if self.settings.execution.cache else None
        generation, solver = self.settings.generation, self.settings.gates.c3_solver
        pairs = {(task.library, task.old_version, task.version) for task in tasks}
        cutoff = self.settings.gates.cutoff
        boundaries = {pair: boundary_of(*pair, self.model, cutoff) for pair in sorted(pairs, key=str)}

        def adapter_for(model: str) -> Callable[[str], NovelApi]:
            room = self.models.room(model)
            return lambda name: NovelApi(self.engine, homes, self.bundles, generation, name, verdicts, room)

        return NoveltyRun(
            adapter=adapter_for(self.model),
            solving=adapter_for(solver or self.model),
            settings=self.settings,
            progress=self.progress,
            answers=out.with_name(f"{out.stem}.answers.jsonl"),
            solved=out.with_name(f"stage4_solved.{Layout(out.parent, solver or 'none').slug}.answers.jsonl"),
            boundaries=lambda asked: settle(
                asked,
                lambda task: boundaries[task.library, task.old_version, task.version],
                self.engine,
                self.progress,
            ),
        )

    def _controls(self, out: Path) -> dict[str, Any]:
        answers = out.with_name(f"{out.stem}.controls.jsonl")
        report = ask_controls(self.model, self.settings, self.engine, self.models, self.progress, answers)
        return {"known_controls": report.model_dump(mode="json")}

    def _made_from(self, tasks: Sequence[Task], gates: Sequence[str]) -> dict[str, Any]:
        return {
            "model": describe(self.model, self.models.decoding(self.model)),
            "tasks": content_hash([task.task_id for task in tasks]),
            **({"knowledge": content_hash(sorted(b.to_line() for b in self.bundles.values()))} if self.bundles else {}),
            "gates": [*gates],
            "settings": self.settings.gates.model_dump(mode="json"),
            "generation": prompts_in_force(self.settings.generation),
            "execution": execution_in_force(self.settings, self.engine),
            "evaluator": evaluator_hash(),
        }
