"""The files of a closing: answers, what closes the gap, and the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.closing.pieces import PIECES, named, page_of
from apigap.closing.smallest import Choice, Combination
from apigap.exports.gap_export import write_pages
from apigap.exports.llms_reader import LlmsPages
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.names import path_part
from apigap.records.store import read_text, write_records, write_text
from apigap.records.task import Task
from apigap.reporting.api_pages import WHOLE, ApiPage, what_it_is
from apigap.reporting.cells import Need
from apigap.reporting.closing_model import ClosingReport


class ClosingFiles:
    """Paths in `root`/closing/EXPERIMENT.

    Raises:
        UsageError: for a name that would lead out of the folder.
    """

    def __init__(self, root: Path, experiment: str) -> None:
        self.root = root
        self.experiment = experiment
        self.folder = root / "closing" / path_part(experiment, "an experiment")

    @property
    def tries(self) -> Path:
        """The folder of the combinations that were tried."""
        return self.folder / "tries"

    @property
    def llms(self) -> Path:
        """The folder of llms.txt and its pages, which the MCP server serves."""
        return self.folder / "llms"

    @property
    def teaching(self) -> Path:
        """The tasks that weights can be tuned on: of the choosing half, on what the model lacks."""
        return self.folder / "teach.jsonl"

    @property
    def bundles(self) -> Path:
        """The bundles of those tasks."""
        return self.folder / "bundles.jsonl"

    @property
    def page(self) -> Path:
        """The report as a page."""
        return self.folder / "report.html"

    @property
    def record(self) -> Path:
        """The report as JSON."""
        return self.folder / "report.json"

    def way(self, name: str) -> Path:
        """The folder of the answers in one way."""
        return self.folder / "ways" / name

    @property
    def items(self) -> Path:
        """The folder of the answers to single questions."""
        return self.folder / "items"

    def asked_before(self, cell: str) -> Path:
        """The answers of the experiment itself in a cell."""
        return Layout(self.root, "").cell(self.experiment, cell) / PREDICTIONS

    def whole_text(self) -> str:
        """The text of llms-full.txt."""
        return read_text(self.llms / WHOLE)

    def pages(self) -> LlmsPages:
        """The pages, to be searched."""
        return LlmsPages(self.llms)

    def write_closers(
        self,
        bundles: Mapping[str, KnowledgeBundle],
        texts: Mapping[str, Combination],
        choices: Mapping[str, Choice],
        teaching: Sequence[Task],
        model: str,
    ) -> None:
        """Write llms.txt with its pages, and the tasks and bundles that weights can be tuned on."""
        pages = [_page(bundle, texts, choices.get(name)) for name, bundle in sorted(bundles.items())]
        write_pages(self.llms, list(bundles.values()), pages, model)
        write_records(self.teaching, teaching)
        write_records(self.bundles, [bundles[name] for name in sorted({task.api_name for task in teaching})])

    def write_report(self, report: ClosingReport) -> None:
        """Write the report as JSON and as a page."""
        from apigap.reporting.render import render_closing

        write_text(self.record, report.model_dump_json(indent=2) + "\n")
        write_text(self.page, render_closing(report))


def _page(bundle: KnowledgeBundle, texts: Mapping[str, Combination], choice: Choice | None) -> ApiPage:
    """The page of an API: the chosen text of what the model lacks, else all there is."""
    pieces = texts.get(bundle.api_name)
    need: Need = "unknown"
    why = ""
    if choice and choice.known:
        need = "known"
    elif choice and pieces is not None:
        need = "open" if choice.chosen is None else "cured"
        why = "; nothing that was tried is enough" if choice.chosen is None else f"; {named(pieces)} is enough"
    shown = PIECES if pieces is None else pieces
    return ApiPage(bundle.api_name, need, what_it_is(bundle) + why, page_of(bundle, shown))
