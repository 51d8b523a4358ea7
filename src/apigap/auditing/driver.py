"""The main job: releases in, report out. Its own part is the order of stages, experiment and report."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.analysis.experiment_report import ReportedCell, build_report
from apigap.auditing.ladder import AskedLadder, AuditLadder
from apigap.auditing.report import facts_of, library_audit, notes_of, of_few_tasks, title_of
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.mock_answers import mock_generator
from apigap.evaluation.answers import answered
from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.experiments.experiment import Experiment, Plan, check_can_ask
from apigap.experiments.grid import oracle_cells
from apigap.exports.gap_export import gap_tasks, write_llms, write_tuning_set
from apigap.gates.library_run import LibraryRun
from apigap.gates.model_gates import answers_of
from apigap.ladder.release import ItemsRun
from apigap.models.generate import MOCK_MODEL, Generator, describe
from apigap.models.model_facts import decoding_within
from apigap.models.trial import try_models
from apigap.packages.environments import EnvironmentStore
from apigap.packages.workshop import environment_store
from apigap.records.configuration import Settings
from apigap.records.errors import InfrastructureError
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.store import write_text
from apigap.records.target import Target
from apigap.reporting.api_pages import INDEX
from apigap.reporting.entries import TITLES
from apigap.reporting.model import AuditReport, Condition
from apigap.reporting.render import render_report
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import NOBODY, Authors
from apigap.stages.driver import Stages

REPORT, LLMS, TUNING = "report.html", "llms", "sft.jsonl"
_SEED = 0
"""Of every draw of the ladder's items."""


@dataclass(frozen=True)
class Outcome:
    """An audit's report, and the folder of its page and of what closes the gap."""

    folder: Path
    report: AuditReport

    @property
    def page(self) -> Path:
        """The report as a page."""
        return self.folder / REPORT

    @property
    def closing(self) -> dict[str, Path]:
        """Files that close the gap: pages for tools that write code, a tuning set where the model lacks something."""
        paths = {"llms_txt": self.folder / LLMS / INDEX, "sft": self.folder / TUNING}
        return {name: path for name, path in paths.items() if path.exists()}


class Audit:
    """One audit of one or more targets with one model; `run` does what is not done yet.

    Without a `model` a mock is asked, which answers rightly where documentation is shown (see `mock_generator`).
    """

    def __init__(
        self,
        targets: Sequence[Target],
        model: str | None,
        settings: Settings,
        root: Path,
        engine: Engine,
        progress: Progress,
        store: EnvironmentStore | None = None,
        authors: Authors = NOBODY,
    ) -> None:
        self._cells = oracle_cells(settings.audit.conditions)
        self._mocked = model is None
        self._model = model or MOCK_MODEL
        check_can_ask(self._model, settings)
        self._targets = targets
        self._settings = settings
        self._layout = Layout(root, self._model)
        self._engine = engine
        self._progress = progress
        self._store = store
        self._authors = authors
        self._stages = Stages(self._layout, settings, engine, progress, authors, store)
        self.experiment = f"audit-{self._layout.slug}"

    def run(self) -> Outcome:
        """Run the stages, the ladder, the experiment on the tasks that were asked, and write the report.

        Raises:
            InfrastructureError: when a task could not be judged, since the report would be of other tasks than that of
                the run that judges it.
        """
        self._try_models()
        runs = [self._stages.run(target, last=4) for target in self._targets]
        ladder = self._ladder.run(self._maker, runs)
        records = self._layout.root / "raw" / f"stage4_novelty.{self._layout.slug}.jsonl"
        with Models(self._settings.generation, self._generator(runs)) as models:
            self._stages.gate(runs, models, records)
            wanting = ", ".join(f"{run.target.library}: {run.wanting}" for run in runs if run.wanting)
            if wanting:
                raise InfrastructureError(
                    f"some tasks could not be judged ({wanting}); the same command goes on with them"
                )
            experiment = self._experiment(runs)
            experiment.generate(models, answered(answers_of(records)), self._engine)
        experiment.evaluate(self._engine)
        return self._write(runs, experiment, ladder)

    def _try_models(self) -> None:
        """Ask each model for one word before anything is built; a run that is done asks nobody."""
        if not (self._layout.analysis(self.experiment) / REPORT).exists():
            asked = [(self._model, self._settings.generation.max_tokens), (self._settings.gates.c3_solver, None)]
            try_models([*asked, *self._authors.asked(self._settings.author)], self._progress)

    @property
    def _ladder(self) -> AuditLadder:
        return AuditLadder(self._layout, self._settings, self._progress, self._cells, self._mocked)

    @property
    def _maker(self) -> ItemsRun:
        store = self._store or environment_store(self._engine, self._settings.packages)
        return ItemsRun(self._engine, store, self._progress, self._settings.audit.items, _SEED, self._settings)

    def _generator(self, runs: Sequence[LibraryRun]) -> MakeGenerator:
        if not self._mocked:
            return Generator
        return mock_generator([task for run in runs for task in run.tasks], self._settings.generation)

    def _experiment(self, runs: Sequence[LibraryRun]) -> Experiment:
        """Every condition on all tasks that were asked: a set that was chosen by failing would say nothing of it."""
        tasks = [task for run in runs for task in run.asked()]
        bundles = [bundle for run in runs for bundle in run.bundles]
        plan = Plan(self.experiment, self.experiment, self._model, tasks, bundles, self._cells)
        return Experiment(plan, self._settings, self._layout.root, self._progress)

    def _report(self, runs: Sequence[LibraryRun], experiment: Experiment, ladder: AskedLadder | None) -> AuditReport:
        model_facts = describe(self._model, decoding_within(self._model, self._settings.generation.max_tokens))
        return build_report(
            [
                ReportedCell(Condition(name=c.condition, title=TITLES[c.condition]), experiment.folder(c))
                for c in self._cells
            ],
            {task.task_id: task for task in experiment.plan.tasks},
            title=title_of(runs),
            model=self._model,
            model_facts=model_facts,
            isolation=self._engine.profile.name,
            evaluator=evaluator_hash(),
            facts=facts_of(runs, self._settings, model_facts),
            libraries=[library_audit(run) for run in runs],
            notes=(*notes_of(runs, self._model), *of_few_tasks(runs, self._settings)),
            retired=[one for run in runs for one in run.retired],
            ladder=ladder.report(runs) if ladder else None,
        )

    def _write(self, runs: Sequence[LibraryRun], experiment: Experiment, ladder: AskedLadder | None) -> Outcome:
        """The page, the pages for tools that write code, and the tuning set."""
        folder = self._layout.analysis(self.experiment)
        report = self._report(runs, experiment, ladder)
        write_text(folder / REPORT, render_report(report))
        bundles, tasks = experiment.plan.bundles, experiment.plan.tasks
        write_llms(folder / LLMS, bundles, report)
        (folder / TUNING).unlink(missing_ok=True)
        if lacking := gap_tasks(tasks, report):
            write_tuning_set(folder / TUNING, lacking, bundles, "baseline", self._settings.generation)
        return Outcome(folder, report)
