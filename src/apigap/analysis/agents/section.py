"""The section of an analysis' page on agents."""

from collections.abc import Callable, Sequence

from apigap.analysis.agents.curves import AXES
from apigap.analysis.agents.figure import Curve, curve_figure
from apigap.analysis.agents.rows import AgentCurveRow
from apigap.analysis.agents.tables import AgentTables
from apigap.analysis.gain_table import gain_table
from apigap.analysis.rows import CellRow
from apigap.reporting.analysis_page import FigureView, Section, TableView, interval, table
from apigap.reporting.figures import Figure
from apigap.reporting.text import percent

Draw = Callable[[str, Callable[[Sequence[AgentCurveRow]], Figure], Sequence[AgentCurveRow], str, str], list[FigureView]]
_BESIDE = ("baseline", "oracle.s", "oracle.full")
_NAMES = {"calls": "tool calls", "tokens": "tokens read and written", "seconds": "seconds", "dollars": "dollars"}
_WORDS = (
    "A model with tools and a budget. A curve says what would have been solved had every agent had to stop there: the "
    "last code that it had handed in or run counts. Bands are 95 % by a bootstrap over APIs, dotted lines are cells "
    "without tools; an area is the mean height of a curve. An API is found where a call was the first to name it, "
    "unaided where the model wrote it before."
)


def agents_section(found: AgentTables, cells: Sequence[CellRow], draw: Draw) -> Section | None:
    """Curves per experiment and axis, gains, areas, waste and evidence; None where no cell has agents."""
    if not (found.curves or found.evidence or found.gains):
        return None
    figures: list[FigureView] = []
    for experiment in dict.fromkeys(row.experiment for row in found.curves):
        beside = [row for row in cells if row.experiment == experiment and row.cell in _BESIDE]
        for axis in AXES:
            rows = [row for row in found.curves if (row.experiment, row.axis) == (experiment, axis)]
            figures += draw(
                f"agents_{experiment}_{axis}", lambda own, axis=axis, beside=beside: _figure(own, axis, beside), rows,
                f"Solved over {_NAMES[axis]}", experiment,
            )  # fmt: skip
    return Section("agents", "What agents find out", _WORDS, tuple(figures), _tables(found))


def _figure(rows: Sequence[AgentCurveRow], axis: str, beside: Sequence[CellRow]) -> Figure:
    curves: list[Curve] = []
    for title in dict.fromkeys(row.title for row in rows):
        own = [row for row in rows if row.title == title]
        columns = zip(*((row.at, row.pass_at, row.low, row.high) for row in own), strict=True)
        curves.append(Curve(title, *map(list, columns)))
    rates = [(row.title, row.pass_at_1) for row in beside if row.pass_at_1 is not None]
    return curve_figure(curves, _NAMES[axis], rates)


def _tables(found: AgentTables) -> tuple[TableView, ...]:
    areas = [
        (f"{r.title}, {_NAMES[r.axis]}", r.experiment, f"{r.up_to:,.4g}", percent(r.area), interval(r.low, r.high),
         str(r.samples), str(r.tasks), str(r.apis))
        for r in found.areas
    ]  # fmt: skip
    waste = [(r.waste, r.experiment, r.title, r.label, f"{r.samples} of {r.of}") for r in found.waste]
    evidence = [
        (r.api, r.experiment, r.title, r.state, str(r.samples), str(r.unaided), str(r.found), str(r.not_found),
         "" if r.after is None else f"{r.after:g}", r.by, str(r.passed))
        for r in found.evidence
    ]  # fmt: skip
    over = ("agent, axis", "experiment", "up to", "area", "95 % interval", "samples", "tasks", "APIs")
    counted = ("samples", "unaided", "found", "not found", "after calls", "by", "passed")
    wasted = ("waste", "experiment", "agent", "failure", "samples")
    return (
        *gain_table("Gain over no knowledge and no tools", found.gains),
        *table("Area under the curve", over, areas),
        *table("Where failed samples wasted their budget", wasted, waste),
        *table("How each API came to be known", ("API", "experiment", "agent", "state", *counted), evidence),
    )
