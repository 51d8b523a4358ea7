"""An analysis as a page, and its figures as files."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from apigap.analysis.agents.section import agents_section
from apigap.analysis.analyse import Analysis
from apigap.analysis.gain_table import gain_table
from apigap.analysis.rows import CellRow, GainRow, InteractionRow
from apigap.records.result import FAILURE_LABELS, FailureLabel
from apigap.records.store import write_text
from apigap.reporting.analysis_page import (
    AnalysisPage,
    FigureView,
    Section,
    TableView,
    interval,
    p_value,
    points,
    table,
    view,
)
from apigap.reporting.figures import Difference, Figure, Rated, difference_figure, label_figure, pass_rate_figure
from apigap.reporting.markdown import analysis_markdown
from apigap.reporting.render import render_analysis
from apigap.reporting.text import percent, signed_points

Row = TypeVar("Row")
_MEASURES = (
    "method", "experiment", "prompts", "number", "log-probability, base", "adapted", "whole answer likeliest",
    "KL from base", "same token",
)  # fmt: skip
_COSTS = ("method", "experiment", "examples", "minutes", "peak MiB", "processors", "values from the cache")
_CONTROLS = ("method", "experiment", "model", "passed", "95 % interval")


def write_page(found: Analysis, output: Path) -> Path:
    """`analysis.html`, its tables alone as `analysis.md`, and each of its figures as PNG and SVG under `figures/`.

    Raises:
        InfrastructureError: when matplotlib is not installed, or the disk is full.
    """
    drawer = _Drawer(output / "figures")
    page = AnalysisPage(
        title=f"Analysis of {', '.join(dict.fromkeys(cell.experiment for cell in found.study.run))}",
        headline=headline(found),
        sections=tuple(section for section in _sections(found, drawer) if section is not None),
        missing=found.missing,
        facts=found.facts,
    )
    write_text(output / "analysis.md", analysis_markdown(page))
    path = output / "analysis.html"
    write_text(path, render_analysis(page))
    return path


def headline(found: Analysis) -> str:
    """The finding of the first experiment, or of all groups of the first model, in one sentence."""
    first = found.study.compared[0]
    own = [row for row in found.cells if row.experiment == first and row.pass_at_1 is not None]
    gains = [g for g in found.rq1_gains if g.scope == "all" and g.experiment == first]
    base = next((row for row in own if row.cell == "baseline"), None)
    if base is None or not gains:
        return f"{len(found.cells)} cells judged; no condition can be compared with a baseline yet."
    best = max(gains, key=lambda gain: gain.difference)
    title = next(row.title for row in own if row.cell == best.cell)
    sure = "" if best.p_holm < 0.05 else ", which chance could give"
    what = "of what is shown " if found.agents.curves else ""
    return (
        f"{base.model} solves {percent(base.pass_at_1)} without knowledge; {what}{title} changes most: "
        f"{signed_points(best.difference)} points{sure}."
    )


def _sections(found: Analysis, drawer: "_Drawer") -> Iterator[Section | None]:
    yield _overview(found, drawer)
    yield agents_section(found.agents, found.cells, drawer)
    for question in (_rq1, _rq2, _rq3):
        yield question(found, drawer)


class _Drawer:
    """Draws a figure for the page and for files under one name; without rows there is none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(
        self, name: str, draw: Callable[[Sequence[Row]], Figure], rows: Sequence[Row], title: str, words: str
    ) -> list[FigureView]:
        if not rows:
            for path in self._folder.glob(f"{name}.*"):
                path.unlink()
            return []
        figure = draw(rows)
        shown = view(figure, title, words)
        self._folder.mkdir(parents=True, exist_ok=True)
        figure.save(self._folder / name)
        return [shown]


@dataclass(frozen=True)
class _Labelled:
    """Failures of a cell by label."""

    title: str
    labels: Mapping[FailureLabel, int]


def _labelled(row: CellRow, found: Analysis) -> _Labelled:
    own = {s.outcome: s.samples for s in found.shares if (s.experiment, s.cell) == (row.experiment, row.cell)}
    return _Labelled(_named(row, found), {label: own.get(label, 0) for label in FAILURE_LABELS})


def _named(row: CellRow, found: Analysis) -> str:
    several = len({cell.experiment for cell in found.cells}) > 1
    return f"{row.experiment}: {row.title}" if several else row.title


def _overview(found: Analysis, draw: _Drawer) -> Section:
    shown = [row for row in found.cells if row.experiment in found.study.drawn]
    rated = [Rated(_named(row, found), row.pass_at_1, row.low, row.high) for row in shown]
    failures = [_labelled(row, found) for row in shown]
    figures = draw("pass_rates", pass_rate_figure, rated, "Solved", "pass@1 with 95 % intervals")
    figures += draw("failures", label_figure, failures, "Failed", "failed answers by label")
    rows = [
        (
            _named(r, found), str(r.tasks), str(r.apis), percent(r.pass_at_1), interval(r.low, r.high),
            percent(r.macro), f"{r.k}: {percent(r.pass_at_k)}, {percent(r.pass_hat_k)}",
            str(r.failed), str(r.suspect), str(r.infra), str(r.cut),
            f"{percent(r.lowest)} to {percent(r.highest)}",
        )
        for r in found.cells
    ]  # fmt: skip
    columns = (
        "cell", "tasks", "APIs", "pass@1", "95 % interval", "mean of libraries", "k: pass@k, pass^k", "failed",
        "suspect", "infra", "cut", "bounds",
    )  # fmt: skip
    words = (
        "Every cell that has verdicts. The bounds are pass@1 if all samples without a clear verdict were fails, and if "
        "all were passes. A cut answer was ended by its token limit, the window or the provider before it was whole."
    )
    return Section("cells", "Cells", words, tuple(figures), table("The same in numbers", columns, rows))


def _rq1(found: Analysis, draw: _Drawer) -> Section:
    figures: list[FigureView] = []
    for scope, words in (("all", "all tasks"), ("added", "new APIs"), ("modified", "changed APIs")):
        rows = _drawn(found, found.rq1_gains, scope)
        figures += draw(f"rq1_{scope}", _differences, rows, "Gain over no knowledge", f"points, {words}")
    rows = _drawn(found, found.rq1_components)
    figures += draw("rq1_components", _differences, rows, "Condition against condition", "points, all tasks")
    shared = [(r.cell, r.model, str(r.tasks), percent(r.pass_at_1), interval(r.low, r.high)) for r in found.rq1_shared]
    tables = (
        *gain_table("Gains", found.rq1_gains),
        *gain_table("Condition against condition", found.rq1_components),
        *_interaction_table(found.rq1_interaction),
        *table("Tasks that all models share", ("cell", "model", "tasks", "pass@1", "95 % interval"), shared),
    )
    words = (
        "RQ1: which knowledge helps, in the prompt as it is or retrieved? Over all tasks, and on new and on changed "
        "APIs. Does a gain depend on the kind of change?"
    )
    return Section("rq1", "Which knowledge helps", words, tuple(figures), tables)


def _rq2(found: Analysis, draw: _Drawer) -> Section:
    rows = found.rq2_retrieval
    figures = draw(
        "rq2_retrieval", _differences, _drawn(found, rows), "Retrieved against given", "points, per condition"
    )
    ranks = [
        (
            f"{r.cell}, {r.rank}", r.experiment, str(r.tasks), percent(r.retrieved), interval(r.low, r.high),
            percent(r.oracle),
        )
        for r in found.rq2_ranks
    ]  # fmt: skip
    columns = ("cell, rank of the API", "experiment", "tasks", "retrieved", "95 % interval", "given")
    tables = (*gain_table("Retrieval", rows), *table("By the rank of the task's API", columns, ranks))
    words = (
        "RQ2: what is lost when the knowledge must be found first? Also: what does cutting it into chunks cost, and "
        "what do the chunks of other APIs do?"
    )
    return Section("rq2", "What retrieval costs", words, tuple(figures), tables)


def _rq3(found: Analysis, draw: _Drawer) -> Section:
    rows = found.rq3_gains
    figures = draw("rq3_adaptation", _differences, _drawn(found, rows), "Adapted against base", "points")
    modes = [(r.mode, r.experiment, r.cell, str(r.samples), percent(r.share)) for r in found.rq3_bypass]
    measured = [
        (
            r.method, r.experiment, r.kind, str(r.prompts), f"{r.base_likelihood:.3f}", f"{r.likelihood:.3f}",
            percent(r.exact), f"{r.divergence:.4f}", percent(r.agreement),
        )
        for r in found.rq3_measures
    ]  # fmt: skip
    controls = [
        (r.method, r.experiment, r.model, f"{r.passed} of {r.asked}", interval(r.low, r.high))
        for r in found.rq3_controls
    ]
    costs = [
        (
            r.method, r.experiment, str(r.examples), f"{r.minutes:.1f}", f"{r.peak_mib:,}", str(r.processors),
            "" if r.values_reused is None else str(r.values_reused),
        )
        for r in found.rq3_costs
    ]  # fmt: skip
    fixed = [(r.label, r.experiment, r.cell, r.against, str(r.failed), str(r.fixed)) for r in found.rq3_fixed]
    tables = (
        *gain_table("Adaptation", rows),
        *table("Efficacy, generalisation and locality", _MEASURES, measured),
        *table("APIs that every model knows", _CONTROLS, controls),
        *table("What adaptation takes", _COSTS, costs),
        *table("How answers go past the API", ("mode", "experiment", "cell", "samples", "share"), modes),
        *table(
            "Which failures are fixed", ("label", "experiment", "cell", "against", "failed there", "pass here"), fixed
        ),
    )
    words = "RQ3: what tuning or editing the model changes, without knowledge in the prompt and with it."
    return Section("rq3", "What adaptation changes", words, tuple(figures), tables)


def _drawn(found: Analysis, rows: Sequence[GainRow], scope: str = "all") -> list[GainRow]:
    return [row for row in rows if row.scope == scope and row.experiment in found.study.drawn]


def _differences(rows: Sequence[GainRow]) -> Figure:
    several = len({row.experiment for row in rows}) > 1
    named = [(f"{row.experiment}: {row.title}" if several else row.title, row) for row in rows]
    return difference_figure([Difference(name, row.difference, row.low, row.high) for name, row in named])


def _interaction_table(rows: Sequence[InteractionRow]) -> tuple[TableView, ...]:
    columns = ("gain", "family", "changed APIs", "new APIs", "more on changed", "95 % interval", "p", "p (Holm)")
    shown = [
        (
            f"{row.cell} − {row.against}", f"{row.experiment}: {row.family}", str(row.modified_apis),
            str(row.added_apis), signed_points(row.difference), points(row.low, row.high), p_value(row.p),
            p_value(row.p_holm),
        )
        for row in rows
    ]  # fmt: skip
    return table("Does the gain depend on the kind of change?", columns, shown)
