"""The two figures of a report: what the model can do per condition, and how it fails."""

import textwrap
from collections.abc import Sequence

from apigap.records.result import FAILURE_LABELS, FailureLabel
from apigap.reporting.svg import Drawing, inline_svg, new_figure
from apigap.reporting.tables import ConditionSummary
from apigap.reporting.text import percent, visible

_INK, _MUTED, _GRID, _BAR, _TRACK = "#010101", "#020202", "#030303", "#040404", "#050505"
_PAGE = {_INK: "var(--ink)", _MUTED: "var(--muted)", _GRID: "var(--line)", _BAR: "var(--pass)", _TRACK: "var(--track)"}
_LABELS: dict[FailureLabel, str] = {label: f"#0a0a0{number}" for number, label in enumerate(FAILURE_LABELS)}
_ON_LABELS: dict[FailureLabel, str] = {label: f"#0b0b0{number}" for number, label in enumerate(FAILURE_LABELS)}
_WIDTH = 5.8


def pass_rate_figure(rows: Sequence[ConditionSummary]) -> str:
    """Pass@1 per condition as bars with 95 % intervals, as inline SVG."""
    figure = new_figure(_WIDTH, _height(rows))
    axes: Drawing = figure.add_subplot()
    for place, row in enumerate(rows):
        axes.barh(place, 1, height=0.62, color=_TRACK, linewidth=0)
        text, at = "no verdict", 0.0
        if row.pass_at_1 is not None:
            axes.barh(place, row.pass_at_1, height=0.62, color=_BAR, linewidth=0)
            axes.plot([row.low, row.high], [place, place], color=_INK, linewidth=1.4, solid_capstyle="butt")
            for end in (row.low, row.high):
                axes.plot([end, end], [place - 0.13, place + 0.13], color=_INK, linewidth=1.4)
            text, at = percent(row.pass_at_1), row.high
        axes.text(at + 0.025, place, text, va="center", ha="left", color=_INK, weight="bold")
    axes.set_xlim(0, 1.16)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    _dress(axes, rows)
    spoken = "; ".join(f"{row.title}: {percent(row.pass_at_1)}" for row in rows)
    return inline_svg(figure, _PAGE, visible(f"Pass at 1 per condition. {spoken}"))


def label_figure(rows: Sequence[ConditionSummary]) -> str:
    """Failed samples per condition, stacked by failure label, as inline SVG."""
    figure = new_figure(_WIDTH, _height(rows))
    axes: Drawing = figure.add_subplot()
    longest = max([sum(row.labels.values()) for row in rows] + [1])
    for place, row in enumerate(rows):
        _stack(axes, place, row, longest)
    axes.set_xlim(0, longest * 1.1)
    axes.xaxis.get_major_locator().set_params(integer=True, nbins=5)
    _dress(axes, rows)
    colours = {
        **_PAGE,
        **{drawn: f"var(--{label})" for label, drawn in _LABELS.items()},
        **{drawn: f"var(--on-{label})" for label, drawn in _ON_LABELS.items()},
    }
    spoken = "; ".join(f"{row.title}: {sum(row.labels.values())} failed" for row in rows)
    return inline_svg(figure, colours, visible(f"Failure labels per condition. {spoken}"))


def _stack(axes: Drawing, place: int, row: ConditionSummary, longest: int) -> None:
    left = 0
    for label in FAILURE_LABELS:
        count = row.labels[label]
        if not count:
            continue
        axes.barh(place, count, left=left, height=0.62, color=_LABELS[label], linewidth=0)
        if count / longest > 0.04:
            axes.text(left + count / 2, place, str(count), va="center", ha="center", color=_ON_LABELS[label], size=9.5)
        left += count
    axes.text(left + longest * 0.02, place, str(left), va="center", ha="left", color=_INK, weight="bold")


def _height(rows: Sequence[ConditionSummary]) -> float:
    return 0.55 + 0.42 * len(rows)


def _dress(axes: Drawing, rows: Sequence[ConditionSummary]) -> None:
    titles = [textwrap.shorten(visible(row.title), 52, placeholder="…") for row in rows]
    axes.set_yticks(range(len(rows)), [textwrap.fill(title, 26) for title in titles], color=_INK)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.tick_params(length=0, labelsize=10.5)
    for tick in axes.get_xticklabels():
        tick.set_color(_MUTED)
    axes.grid(axis="x", color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set_visible(False)
