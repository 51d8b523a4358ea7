"""The whole chain: releases in, report out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi import NovelApi
from apigap.execution.engine import Engine
from apigap.execution.environments import EnvironmentStore
from apigap.execution.judge import evaluator_hash
from apigap.execution.verdicts import VerdictCache
from apigap.gates.record import GateRecord
from apigap.knowledge.conditions import CONDITIONS
from apigap.models.generate import Generator, decoding_of, describe
from apigap.models.request import Answer, Decoding, GenerationRequest
from apigap.pipeline.answers import Ask, answered
from apigap.pipeline.evaluate import generate_cells, score_cell
from apigap.pipeline.layout import Layout
from apigap.pipeline.novelty import NoveltyRun
from apigap.pipeline.progress import Progress
from apigap.pipeline.report import Audited, LibraryRun, build_report
from apigap.pipeline.select import select_tasks
from apigap.pipeline.stages import LibraryChain, Target, execution_in_force
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.manifest import Stage, file_hash
from apigap.records.result import Result
from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from apigap.reporting.render import render_report


@dataclass(frozen=True)
class Outcome:
    """Where an audit's results are."""

    report: Path
    audited: Audited


class Audit:
    """One audit of one or more targets with one model; `run` does what is not done yet."""

    def __init__(
        self,
        targets: Sequence[Target],
        model: str,
        settings: Settings,
        root: Path,
        engine: Engine,
        progress: Progress,
        store: EnvironmentStore | None = None,
    ) -> None:
        unknown = [name for name in settings.audit.conditions if name not in CONDITIONS]
        if unknown:
            raise UsageError(f"unknown condition {unknown[0]!r}; the conditions are {', '.join(CONDITIONS)}")
        if settings.generation.samples > 1 and settings.generation.temperature == 0:
            raise UsageError("several samples at temperature 0 are all the same; set generation.temperature too")
        describe(model)  # an unknown local model is told now, not after the stages that need none
        self._targets = targets
        self._model = model
        self._settings = settings
        self._layout = Layout(root, model)
        self._engine = engine
        self._progress = progress
        self._store = store or EnvironmentStore()
        self._generators: dict[str, Generator] = {}
        self.experiment = f"audit-{self._layout.slug}"

    def run(self) -> Outcome:
        """Run the chain and write the report."""
        try:
            runs = [self._library(target) for target in self._targets]
            self._novelty(runs)
            return self._evaluate(runs)
        finally:
            for generator in self._generators.values():
                generator.close()

    def _library(self, target: Target) -> LibraryRun:
        """Stages 1 to 3 and C1 of one target."""
        chain = LibraryChain(target, self._layout, self._settings, self._engine, self._store, self._progress)
        chain.prepare()
        candidates = chain.discover()
        bundles = chain.extract(candidates)
        tasks = chain.generate(candidates)
        return LibraryRun(target, chain.home, candidates, bundles, tasks, chain.check(candidates, tasks))

    def _novelty(self, runs: Sequence[LibraryRun]) -> None:
        """C2 and C3 over all targets; writes each library's `stage4_gates` and `stage4_filtered`."""
        valid = [task for run in runs for task in run.passing("c1")]
        chosen = select_tasks(valid, self._settings.audit.max_tasks)
        path = self._layout.root / "raw" / f"stage4_novelty.{self._layout.slug}.jsonl"
        stage = Stage(self._layout.manifest(path), "stage 4: C2 and C3", self._novelty_made_from(runs, chosen))
        if not stage.complete:
            run = NoveltyRun(
                self._adapter(runs), self._settings, self._progress, path.with_stem(f"{path.stem}.answers")
            )
            records = run.c2(chosen, self._ask(self._model))
            solver = self._settings.gates.c3_solver
            records += run.c3(chosen, self._ask(solver) if solver else None)
            ordered = sorted(records, key=lambda record: (record.api_name, record.task_id, record.gate))
            write_records(path, ordered)
            stage.finish({"asked": len(chosen), "new": sum(r.gate == "c2" and r.status == "passed" for r in records)})
        for run in runs:
            run.gates.extend(r for r in load_records(path, GateRecord) if r.task_id in run.task_ids)
            write_records(self._layout.stage(run.target.library, "stage4_gates"), run.gates)
            write_records(self._layout.stage(run.target.library, "stage4_filtered"), run.filtered())

    def _evaluate(self, runs: Sequence[LibraryRun]) -> Outcome:
        """Every condition on the filtered tasks, then the report."""
        tasks = [task for run in runs for task in run.filtered()]
        adapter = self._adapter(runs)
        made_from = self._made_from(runs, tasks)
        known = answered(self._layout.root / "raw" / f"stage4_novelty.{self._layout.slug}.answers.jsonl")
        adapters = {self._cell(condition): adapter(condition) for condition in self._settings.audit.conditions}
        ask = self._ask(self._model)
        generate_cells(adapters, tasks, self._settings.generation, ask, known, made_from, self._progress)
        judged = {**made_from, "evaluator": evaluator_hash()}
        results = {
            cell.condition: score_cell(cell, tasks, folder, judged, self._progress) for folder, cell in adapters.items()
        }
        return self._report(runs, tasks, results)

    def _report(self, runs: Sequence[LibraryRun], tasks: Sequence[Task], results: dict[str, list[Result]]) -> Outcome:
        predictions = {
            condition: answered(self._cell(condition) / "predictions.jsonl")
            for condition in self._settings.audit.conditions
        }
        audited = Audited(
            model=self._model,
            model_facts=describe(self._model, self._decoding(self._model)),
            settings=self._settings,
            runs=tuple(runs),
            tasks=tuple(tasks),
            predictions=predictions,
            results=results,
            isolation=self._engine.profile.name,
        )
        path = self._layout.analysis(self.experiment) / "report.html"
        write_text(path, render_report(build_report(audited)))
        return Outcome(path, audited)

    def _cell(self, condition: str) -> Path:
        name = condition if condition == "baseline" else f"oracle.{condition}"
        return self._layout.cell(self.experiment, name)

    def _adapter(self, runs: Sequence[LibraryRun]) -> Callable[[str], NovelApi]:
        homes = {(run.target.library, run.target.new): run.home for run in runs}
        bundles: dict[str, KnowledgeBundle] = {b.api_name: b for run in runs for b in run.bundles}
        verdicts = VerdictCache(self._engine) if self._settings.execution.cache else None
        generation = self._settings.generation
        return lambda condition: NovelApi(self._engine, homes, bundles, generation, condition, verdicts)

    def _ask(self, model: str) -> Ask:
        """How requests reach `model`: it is loaded when the first one is really asked."""

        def ask(requests: Sequence[GenerationRequest], on_answer: Callable[[str, int, Answer], None]) -> None:
            self._generator(model).generate(requests, on_answer)

        return ask

    def _generator(self, model: str) -> Generator:
        if model not in self._generators:
            self._generators[model] = Generator(model, self._decoding(model))
        return self._generators[model]

    def _decoding(self, model: str) -> Decoding:
        return decoding_of(model).model_copy(update={"max_tokens": self._settings.generation.max_tokens})

    def _novelty_made_from(self, runs: Sequence[LibraryRun], chosen: Sequence[Task]) -> dict[str, Any]:
        gates = self._settings.gates.model_dump(mode="json")
        return {**self._made_from(runs, chosen), "gates": gates, "evaluator": evaluator_hash()}

    def _made_from(self, runs: Sequence[LibraryRun], tasks: Sequence[Task]) -> dict[str, Any]:
        return {
            "model": describe(self._model, self._decoding(self._model)),
            "tasks": [task.task_id for task in tasks],
            "execution": execution_in_force(self._settings, self._engine),
            "generation": self._settings.generation.model_dump(mode="json"),
            "knowledge": {
                run.target.library: file_hash(self._layout.stage(run.target.library, "stage2_knowledge"))
                for run in runs
            },
        }
