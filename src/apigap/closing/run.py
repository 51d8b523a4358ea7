"""A gap closed and measured closed: texts are chosen by one half of the tasks, and each way of giving them is asked on
the other half. The same command goes on where it ended.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apigap.benchmarks.novelapi.prompting import Prompter
from apigap.closing.asker import CellAsker, rates_of
from apigap.closing.files import ClosingFiles
from apigap.closing.halves import halves_of
from apigap.closing.page_items import ItemAsker
from apigap.closing.pieces import PIECES, page_of
from apigap.closing.smallest import Choice, Chooser, Combination, usual
from apigap.closing.summing_up import MeasuredWay, text_row, way_row
from apigap.closing.tuned import Tuning
from apigap.closing.ways import TITLES, Ways
from apigap.evaluation.answers import answered
from apigap.evaluation.model_pool import MakeGenerator, Models
from apigap.experiments.cell_judge import CellJudge
from apigap.models.generate import Generator
from apigap.models.trial import try_models
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.experiment import BASELINE
from apigap.records.extras import is_installed
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.progress import Progress
from apigap.records.result import Result
from apigap.records.task import Task
from apigap.reporting.closing_model import ClosingReport, TunedWeights
from apigap.sandbox.engine import Engine


@dataclass(frozen=True)
class Closing:
    """The gap to close: tasks that a `model` was asked in `experiment`, and all bundles (a page is made of each).

    With `reuse` the experiment's own answers without help, which are this model's, are not asked again. `seed` divides
    the tasks; at most `longest` pieces are put together one by one, before all are tried. The server's tools may be
    called for `turns` turns, with `native` in the provider's own way. `items` are files of single questions, which are
    asked too.
    """

    experiment: str
    model: str
    tasks: Sequence[Task]
    bundles: Sequence[KnowledgeBundle]
    reuse: bool = False
    seed: int = 0
    longest: int = 3
    turns: int = 3
    native: bool = False
    items: Sequence[Path] = ()


@dataclass(frozen=True)
class Closed:
    """The report of a closing, and its files."""

    report: ClosingReport
    files: ClosingFiles
    without_verdict: Sequence[Result]


def close(
    closing: Closing,
    root: Path,
    settings: Settings,
    engine: Engine,
    progress: Progress,
    make: MakeGenerator = Generator,
) -> Closed:
    """Choose the smallest texts, write what is made of them, ask again with each in use, and report.

    Raises:
        UsageError: when no task has a bundle, or the folder was made from something else.
        AnswersAwaited: when the model is a folder that lacks answers; the same command goes on.
        ModelUnavailable: when it cannot be asked; what was answered before is kept.
        InfrastructureError: when the MCP server cannot be reached.
    """
    bundles = {bundle.api_name: bundle for bundle in closing.bundles}
    tasks = [task for task in closing.tasks if set(task.apis) <= bundles.keys()]
    if not tasks:
        raise UsageError(
            f"none of the {len(closing.tasks)} tasks of {closing.experiment} has its API's bundle; give the file of "
            "bundles with --knowledge"
        )
    try_models([(closing.model, settings.generation.max_tokens)], progress)
    with Models(settings.generation, make) as models:
        judge = CellJudge(tasks, settings, engine, progress)
        asker = CellAsker(closing.model, settings, models, judge, progress)
        run = _Run(closing, bundles, tasks, ClosingFiles(root, closing.experiment), asker)
        closed = run.run()
        models.close(closing.model)  # items are decoded otherwise
        return run.with_items(closed, engine, make) if closing.items else closed


class _Run:
    def __init__(
        self,
        closing: Closing,
        bundles: Mapping[str, KnowledgeBundle],
        tasks: Sequence[Task],
        files: ClosingFiles,
        asker: CellAsker,
    ) -> None:
        self._closing = closing
        self._bundles = bundles
        self._halves = halves_of(tasks, closing.seed)
        self._tasks = tasks
        self._files = files
        self._asker = asker

    def run(self) -> Closed:
        """All steps; see `close`."""
        choosing, _ = self._halves
        before = self._files.way("baseline")
        plain = Prompter(self._asker.settings.generation, "baseline", lambda task: None, self._asker.room)
        known = answered(self._files.asked_before(BASELINE.name)) if self._closing.reuse else {}
        self._asker.answer({before: plain}, self._tasks, None, known)
        verdicts = self._asker.judged(before, self._tasks)
        chooser = Chooser(self._asker, choosing, self._bundles, self._files.tries, self._closing.longest)
        choices = {choice.api_name: choice for choice in chooser.choose(rates_of(verdicts))}
        texts = self._texts(list(choices.values()))
        held = [task for task in self._halves.held if task.api_name in texts]
        teaching = [task for task in choosing if task.api_name in texts]
        self._files.write_closers(self._bundles, texts, choices, teaching, self._closing.model)
        tuning = Tuning(self._files, self._closing.model, self._asker.settings.generation, teaching)
        ways = self._ways(held, texts, verdicts, tuning.weights) if held else []
        wanting = [r for way in ways for r in way.results if not r.has_verdict] + chooser.without_verdict
        return Closed(self._report(choices, texts, held, ways, tuning), self._files, wanting)

    def with_items(self, closed: Closed, engine: Engine, make: MakeGenerator) -> Closed:
        """The same with single questions about the APIs that are lacking, asked without a page and with each."""
        pages = {row.api_name: row.page for row in closed.report.texts}
        bundles = {name: self._bundles[name] for name in pages}
        model, settings, progress = self._closing.model, self._asker.settings, self._asker.progress
        asker = ItemAsker(model, self._closing.items, bundles, self._files.items, settings)
        items = asker.items
        if not items:
            progress.note("no item asks what an API that is lacking does or how it is called: none was asked")
            return closed
        whole = {name: page_of(bundle, PIECES) for name, bundle in bundles.items()}
        ways = {"baseline": {}, "smallest": pages, "whole": whole}
        found = {way: asker.results(way, shown, engine, progress, make) for way, shown in ways.items()}
        before = rates_of(found["baseline"])
        rows = tuple(
            way_row(
                MeasuredWay(way, TITLES[way], asker.folder(way), model, results),
                items,
                None if way == "baseline" else before,
            )
            for way, results in found.items()
        )
        report = closed.report.model_copy(update={"items": rows})
        self._files.write_report(report)
        wanting = [result for several in found.values() for result in several if not result.has_verdict]
        return replace(closed, report=report, without_verdict=[*closed.without_verdict, *wanting])

    def _texts(self, choices: Sequence[Choice]) -> dict[str, Combination]:
        """The pieces of each API that the model lacks: chosen, all where nothing is enough, else the usual ones."""
        common = usual(choices)
        chosen = {
            choice.api_name: choice.chosen if choice.chosen is not None else PIECES
            for choice in choices
            if choice.before is not None and not choice.known
        }
        decided = {choice.api_name for choice in choices}
        alone = {task.api_name for task in self._halves.held} - decided
        return {**chosen, **dict.fromkeys(sorted(alone), common)}

    def _ways(
        self,
        held: Sequence[Task],
        texts: Mapping[str, Combination],
        verdicts: Sequence[Result],
        tuned: TunedWeights | None,
    ) -> list[MeasuredWay]:
        ids = {task.task_id for task in held}
        without_help = [result for result in verdicts if result.task_id in ids]
        ways = Ways(self._asker, self._files, held, self._bundles, texts, self._closing.turns, self._closing.native)
        return ways.measured(without_help, tuned)

    def _report(
        self,
        choices: Mapping[str, Choice],
        texts: Mapping[str, Combination],
        held: Sequence[Task],
        ways: Sequence[MeasuredWay],
        tuning: Tuning,
    ) -> ClosingReport:
        rates = {way.way: rates_of(way.results) for way in ways}
        before = rates.get("baseline")
        rows = [
            text_row(name, pieces, choices.get(name), self._bundles[name], _of(name, held), rates)
            for name, pieces in sorted(texts.items())
        ]
        report = ClosingReport(
            title=f"Closing {self._closing.experiment}",
            model=self._closing.model,
            seed=self._closing.seed,
            ways=tuple(way_row(way, held, None if way.way == "baseline" else before) for way in ways),
            texts=tuple(rows),
            tuned=tuning.weights if held else None,
            known=sum(choice.known for choice in choices.values()),
            notes=tuple(self._notes(held, texts, tuning)),
            facts=(
                ("tasks that texts were chosen by", str(len(self._halves.choosing))),
                ("tasks that were held back", f"{len(self._halves.held)}, {len(held)} of them on what is lacking"),
                ("turns with tools", f"{self._closing.turns}, {'native' if self._closing.native else 'in text'}"),
            ),
        )
        self._files.write_report(report)
        return report

    def _notes(self, held: Sequence[Task], texts: Mapping[str, Combination], tuning: Tuning) -> list[str]:
        checks: list[tuple[bool, Callable[[], str]]] = [
            (not texts, lambda: "The model lacks nothing that the choosing half asks about: nothing is to be closed."),
            (
                bool(texts) and not held,
                lambda: "No task was held back on what the model lacks; give more with --tasks.",
            ),
            (not is_installed("fastmcp"), lambda: "The MCP server was not asked with: it needs the extra mcp."),
            (bool(held) and bool(tuning.note), lambda: tuning.note),
        ]
        return [note() for applies, note in checks if applies]


def _of(name: str, tasks: Sequence[Task]) -> list[Task]:
    return [task for task in tasks if task.api_name == name]
