"""The ladder of an audit: items of its releases, answers with and without knowledge, and what they come to."""

import time
from collections.abc import Generator as Yields
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apigap.analysis.ladder_report import LadderCell, LadderStudy
from apigap.auditing.mock_items import item_replies
from apigap.auditing.report import notes_of_runs, why_no_task
from apigap.benchmarks.items.benchmark import Items, ItemsOptions
from apigap.benchmarks.items.reading_checks import is_reading_check
from apigap.benchmarks.novelapi.cells import PREDICTIONS, RESULTS
from apigap.evaluation.model_pool import MakeGenerator
from apigap.evaluation.predict import Asking, predict
from apigap.evaluation.score import score
from apigap.gates.library_run import LibraryRun
from apigap.ladder.kept import KeptItems, kept_items
from apigap.ladder.release import ItemsRun
from apigap.models.generate import Generator
from apigap.models.model_facts import scores_options
from apigap.models.spending.cell_cost import cost_of
from apigap.records.base import Record
from apigap.records.configuration import Settings
from apigap.records.errors import InfrastructureError
from apigap.records.experiment import Cell
from apigap.records.layout import Layout
from apigap.records.progress import Advance, Progress
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, read_bytes, write_text
from apigap.reporting.entries import TITLES
from apigap.reporting.ladder_model import Ladder, LadderCost
from apigap.reporting.model import Condition
from apigap.sandbox.engine import Engine

_COST = "cost.json"


class AskingTime(Record):
    """The seconds that the runs which asked took together, loading the model included."""

    seconds: float = 0.0


class CureItems(Items):
    """The items that are no reading checks under the condition: whether the model reads at all is asked once."""

    def select(self, tasks: Sequence[LadderItem], limit: int) -> list[LadderItem]:
        """The items that the condition has something to show for that is not their answer."""
        chosen = super().select(tasks, limit)
        return [item for item in chosen if not is_reading_check(item.rung, self.options.condition)]


@dataclass(frozen=True)
class AuditLadder:
    """Single questions to one model about what the targets of an audit brought; `run` does what is not done yet.

    Answers are kept as those of an experiment of its own, a cell per condition. Reading checks are asked under the
    first condition that shows something.
    """

    layout: Layout
    settings: Settings
    progress: Progress
    cells: Sequence[Cell]
    mocked: bool

    @property
    def experiment(self) -> str:
        """The name of the folder of its answers."""
        return f"ladder-{self.layout.slug}"

    def run(self, maker: ItemsRun, runs: Sequence[LibraryRun]) -> "AskedLadder | None":
        """Make the items, ask and judge them; None where the settings want none.

        Raises:
            InfrastructureError: when a release cannot be read, the model not be asked, or an answer not be judged.
            UsageError: when the folder holds answers to other items.
        """
        if not self.settings.audit.items:
            return None
        kept = [kept_items(maker, run.target, self.layout.ladder_items(run.target)) for run in runs]
        asks = any(one.items for one in kept)
        asked = [cell for cell in self.cells if asks and self._ask(cell, kept, runs, maker.engine)]
        return AskedLadder(self, kept, asked)

    def _ask(self, cell: Cell, kept: Sequence[KeptItems], runs: Sequence[LibraryRun], engine: Engine) -> bool:
        """Ask and judge all items under one condition; False where it has nothing to show for any."""
        benchmark = self._benchmark(cell, kept, runs).judged_by(engine)
        if not benchmark.select(benchmark.load(), 0):
            return False
        folder = self.folder(cell)
        named = _Named(self.progress, f"ladder, {TITLES[cell.condition]}")
        with _timed(folder):
            predict(benchmark, folder / PREDICTIONS, Asking(self.layout.model), named, self._generator(kept))
        found = score(benchmark, folder / PREDICTIONS, folder / RESULTS, named, answered_only=True)
        if found.no_verdict:
            reasons = "; ".join(f"{count} times: {reason}" for reason, count in found.no_verdict.items())
            raise InfrastructureError(
                f"answers to some items could not be judged ({reasons}); the same command goes on with them"
            )
        return True

    def _benchmark(self, cell: Cell, kept: Sequence[KeptItems], runs: Sequence[LibraryRun]) -> Items:
        of_tasks = [self.layout.stage(run.target.library, "stage2_knowledge") for run in runs]
        knowledge = [*of_tasks, *(one.knowledge for one in kept if one.items)]  # of two bundles the last one is shown
        options = ItemsOptions.of(
            items=tuple(one.path for one in kept if one.items),
            condition=cell.condition,
            knowledge=() if cell.condition == "baseline" else tuple(path for path in knowledge if path.exists()),
        )
        kind = Items if cell in self.cells[:2] else CureItems
        return kind(options, self.settings).for_model(self.layout.model)

    def _generator(self, kept: Sequence[KeptItems]) -> MakeGenerator:
        if not self.mocked:
            return Generator
        reply = item_replies([item for one in kept for item in one.items], self.settings.generation)
        return lambda model, decoding: Generator(model, decoding, reply=reply)

    def folder(self, cell: Cell) -> Path:
        """The folder of a condition's answers and verdicts."""
        return self.layout.cell(self.experiment, cell.name)


@dataclass(frozen=True)
class AskedLadder:
    """A ladder whose questions have been asked under `cells`, the one without knowledge first."""

    ladder: AuditLadder
    kept: Sequence[KeptItems]
    cells: Sequence[Cell]

    def report(self, runs: Sequence[LibraryRun]) -> Ladder:
        """The ladder's part of the report; `runs` have been through all stages."""
        cells = [self._cell(cell) for cell in self.cells]
        return LadderStudy(
            self.kept,
            cells,
            {run.target.library: [*run.candidates, *run.left_out] for run in runs},
            _no_tasks(runs),
            "likelihood" if scores_options(self.ladder.layout.model) else "letters",
            self._cost(cells),
        ).report(notes_of_runs(runs))

    def _cell(self, cell: Cell) -> LadderCell:
        folder = self.ladder.folder(cell)
        condition = Condition(name=cell.name, title=TITLES[cell.condition])
        return LadderCell(
            condition, load_records(folder / PREDICTIONS, Prediction), load_records(folder / RESULTS, Result)
        )

    def _cost(self, cells: Sequence[LadderCell]) -> LadderCost:
        predictions = [one for cell in cells for one in cell.predictions]
        cost = cost_of(predictions, model=self.ladder.layout.model)
        return LadderCost(
            questions=len(predictions),
            seconds=round(sum(_spent(self.ladder.folder(cell)).seconds for cell in self.cells), 1),
            input_tokens=cost.input_tokens,
            output_tokens=cost.output_tokens,
            dollars=cost.dollars,
        )


class _Named:
    """Progress whose steps are of one condition."""

    def __init__(self, shown: Progress, name: str) -> None:
        self._shown, self._name = shown, name

    def step(self, title: str) -> Advance:
        """Start a step, under the condition's name."""
        return self._shown.step(f"{self._name}: {title}")

    def note(self, text: str) -> None:
        """Tell one thing that happened."""
        self._shown.note(text)


@contextmanager
def _timed(folder: Path) -> Yields[None]:
    """Add the time of what is done inside to that of earlier runs, where answers came of it."""
    answers, started = folder / PREDICTIONS, time.monotonic()
    before = answers.stat().st_size if answers.exists() else 0
    try:
        yield
    finally:
        if answers.exists() and answers.stat().st_size > before:
            spent = _spent(folder).seconds + time.monotonic() - started
            write_text(folder / _COST, AskingTime(seconds=round(spent, 1)).to_line() + "\n")


def _spent(folder: Path) -> AskingTime:
    path = folder / _COST
    return AskingTime.from_line(read_bytes(path)) if path.exists() else AskingTime()


def _no_tasks(runs: Sequence[LibraryRun]) -> Mapping[tuple[str, str], str]:
    return {(run.target.library, api): reason for run in runs for api, reason in why_no_task(run).items()}
