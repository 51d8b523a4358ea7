"""The whole chain: releases in, report out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.audit.gate_stage import Gating, answers_of
from apigap.audit.report import Audited, LibraryRun, build_report
from apigap.benchmarks.novelapi.cells import generate_cells, score_cell
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.evaluation.answers import answered
from apigap.evaluation.model_pool import Models
from apigap.exports.gap_export import gap_tasks, write_llms, write_tuning_set
from apigap.knowledge.conditions import CONDITIONS
from apigap.models.generate import describe
from apigap.models.model_facts import decoding_within
from apigap.packages.environments import EnvironmentStore
from apigap.packages.workshop import environment_store
from apigap.records.configuration import Settings
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.store import write_text
from apigap.records.task import Task
from apigap.reporting.api_pages import INDEX
from apigap.reporting.render import render_report
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.chain import LibraryChain, Target

REPORT, LLMS, TUNING = "report.html", "llms", "sft.jsonl"


@dataclass(frozen=True)
class Outcome:
    """An audit, and the folder of its report and of what closes the gap."""

    folder: Path
    audited: Audited

    @property
    def report(self) -> Path:
        """The page."""
        return self.folder / REPORT

    @property
    def closing(self) -> dict[str, Path]:
        """What closes the gap: pages for tools that write code, and a tuning set where the model lacks something."""
        paths = {"llms_txt": self.folder / LLMS / INDEX, "sft": self.folder / TUNING}
        return {name: path for name, path in paths.items() if path.exists()}


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
        authors: Authors = NOBODY,
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
        self._store = store or environment_store(engine)
        self._authors = authors
        self.experiment = f"audit-{self._layout.slug}"

    def run(self) -> Outcome:
        """Run the chain and write the report.

        Raises:
            InfrastructureError: when a task could not be judged, since the report would be of other tasks than that of
                the run that judges it.
        """
        runs = [self._library(target) for target in self._targets]
        with Models(self._settings.generation) as models:
            gating = Gating(self._model, self._settings, self._layout, self._engine, models, self._progress)
            gating.run(runs, self._novelty_path)
            wanting = ", ".join(f"{run.target.library}: {run.wanting}" for run in runs if run.wanting)
            if wanting:
                raise InfrastructureError(
                    f"some tasks could not be judged ({wanting}); the same command goes on with them"
                )
            return self._evaluate(runs, gating)

    def _library(self, target: Target) -> LibraryRun:
        """Stages 1 to 3 and C1 of one target."""
        chain = LibraryChain(
            target, self._layout, self._settings, self._engine, self._store, self._progress, self._authors
        )
        chain.prepare()
        candidates = chain.discover()
        bundles = chain.extract(candidates)
        tasks = chain.generate(candidates)
        return LibraryRun(target, chain.home(tasks), candidates, bundles, tasks, chain.check(candidates, tasks))

    @property
    def _novelty_path(self) -> Path:
        return self._layout.root / "raw" / f"stage4_novelty.{self._layout.slug}.jsonl"

    def _evaluate(self, runs: Sequence[LibraryRun], gating: Gating) -> Outcome:
        """Every condition on the filtered tasks, then the report."""
        tasks = [task for run in runs for task in run.filtered()]
        adapter = gating.adapter(runs)
        made_from = gating.made_from(runs, tasks)
        known = answered(answers_of(self._novelty_path))
        adapters = {self._cell(condition): adapter(condition) for condition in self._settings.audit.conditions}
        ask = gating.models.ask(self._model)
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
            model_facts=describe(self._model, decoding_within(self._model, self._settings.generation.max_tokens)),
            settings=self._settings,
            runs=tuple(runs),
            tasks=tuple(tasks),
            predictions=predictions,
            results=results,
            isolation=self._engine.profile.name,
        )
        folder = self._layout.analysis(self.experiment)
        report = build_report(audited)
        write_text(folder / REPORT, render_report(report))
        bundles = [bundle for run in runs for bundle in run.bundles]
        write_llms(folder / LLMS, bundles, report)
        (folder / TUNING).unlink(missing_ok=True)
        if lacking := gap_tasks(tasks, report):
            write_tuning_set(folder / TUNING, lacking, bundles, "baseline", self._settings.generation)
        return Outcome(folder, audited)

    def _cell(self, condition: str) -> Path:
        name = condition if condition == "baseline" else f"oracle.{condition}"
        return self._layout.cell(self.experiment, name)
