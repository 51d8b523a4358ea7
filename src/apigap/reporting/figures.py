"""Figures: what the model can do per condition, how it fails, and what differs from what by how much."""

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from apigap.records.result import FAILURE_LABELS, FailureLabel
from apigap.reporting.svg import Drawing, inline_svg, new_figure, save_figure
from apigap.reporting.text import percent, signed_points, visible

_INK, _MUTED, _GRID, _BAR, _TRACK, _HOLLOW = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
_PAGE = {
    _INK: "var(--ink)",
    _MUTED: "var(--muted)",
    _GRID: "var(--line)",
    _BAR: "var(--pass)",
    _TRACK: "var(--track)",
    _HOLLOW: "var(--card)",
}
_LABELS: dict[FailureLabel, str] = {label: f"#0a0a0{number}" for number, label in enumerate(FAILURE_LABELS)}
_ON_LABELS: dict[FailureLabel, str] = {label: f"#0b0b0{number}" for number, label in enumerate(FAILURE_LABELS)}
_PAPER = {_INK: "#1b1e24", _MUTED: "#5d6470", _GRID: "#e1e0da", _BAR: "#228855", _TRACK: "#efeee9", _HOLLOW: "#ffffff"}
_PAPER_LABELS: dict[FailureLabel, tuple[str, str]] = {
    "WrongAPISelection": ("#4477aa", "#ffffff"),
    "WrongImport": ("#66ccee", "#10202a"),
    "WrongSyntax": ("#aa3377", "#ffffff"),
    "WrongParam": ("#ccbb44", "#241f00"),
    "WrongShapeDtype": ("#ee6677", "#2a0007"),
    "WrongLogic": ("#a3a7b0", "#14161a"),
}
_WIDTH = 5.8
INK, MUTED, LINES = _INK, _MUTED, (_BAR, *_LABELS.values())
"""Colours of drawings, which a page and paper show in their own: of texts, of what is beside, and of lines."""


class Failures(Protocol):
    """A row of a figure: failures by label."""

    @property
    def title(self) -> str:
        """The name of the row."""
        ...

    @property
    def labels(self) -> Mapping[FailureLabel, int]:
        """The number of failures by label."""
        ...


@dataclass(frozen=True)
class Rated:
    """A row of a figure: a rate with its interval; None where nothing was judged."""

    title: str
    pass_at_1: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Difference:
    """A row of a figure: a difference with its interval, in -1..1."""

    title: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Rung:
    """A row of the ladder's figure: `chance`, and the mean with its interval of new APIs and of controls."""

    title: str
    chance: float
    new: tuple[float | None, float, float]
    control: tuple[float | None, float, float]


@dataclass(frozen=True)
class Figure:
    """A drawn figure: for a page, in the page's colours, and for files.

    `legend` names colours for the files; a page explains them in its own words.
    """

    drawing: Drawing
    spoken: str
    legend: Mapping[str, str] = field(default_factory=dict[str, str])

    def inline(self) -> str:
        """As inline SVG."""
        labels = {drawn: f"var(--{label})" for label, drawn in _LABELS.items()}
        on_labels = {drawn: f"var(--on-{label})" for label, drawn in _ON_LABELS.items()}
        return inline_svg(self.drawing, {**_PAGE, **labels, **on_labels}, visible(self.spoken))

    def save(self, stem: Path) -> list[Path]:
        """As `stem`.svg and `stem`.png, in colours for paper; draw it anew for a page."""
        if self.legend:
            self.drawing.set_layout_engine("constrained")
            axes: Drawing = self.drawing.axes[0]
            for name, colour in self.legend.items():
                axes.barh(0, 0, color=colour, linewidth=0, label=name)
            self.drawing.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
        labels = {drawn: _PAPER_LABELS[label][0] for label, drawn in _LABELS.items()}
        on_labels = {drawn: _PAPER_LABELS[label][1] for label, drawn in _ON_LABELS.items()}
        return save_figure(self.drawing, {**_PAPER, **labels, **on_labels}, stem)


def pass_rate_figure(rows: Sequence[Rated], what: str = "Pass at 1 per condition") -> Figure:
    """Rates as bars with 95 % intervals; `what` says of what they are, for who hears the figure."""
    figure = new_figure(_WIDTH, _height(rows))
    axes: Drawing = figure.add_subplot()
    for place, row in enumerate(rows):
        axes.barh(place, 1, height=0.62, color=_TRACK, linewidth=0)
        text, at = "no verdict", 0.0
        if row.pass_at_1 is not None:
            axes.barh(place, row.pass_at_1, height=0.62, color=_BAR, linewidth=0)
            _whisker(axes, place, row.low, row.high)
            text, at = percent(row.pass_at_1), row.high
        axes.text(at + 0.025, place, text, va="center", ha="left", color=_INK, weight="bold")
    axes.set_xlim(0, 1.16)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    _dress(axes, [row.title for row in rows])
    spoken = "; ".join(f"{row.title}: {percent(row.pass_at_1)}" for row in rows)
    return Figure(figure, f"{what}. {spoken}")


def label_figure(rows: Sequence[Failures]) -> Figure:
    """Failed samples per row, stacked by failure label."""
    figure = new_figure(_WIDTH, _height(rows))
    axes: Drawing = figure.add_subplot()
    longest = max([sum(row.labels.values()) for row in rows] + [1])
    for place, row in enumerate(rows):
        _stack(axes, place, row, longest)
    axes.set_xlim(0, longest * 1.1)
    axes.xaxis.get_major_locator().set_params(integer=True, nbins=5)
    _dress(axes, [row.title for row in rows])
    spoken = "; ".join(f"{row.title}: {sum(row.labels.values())} failed" for row in rows)
    return Figure(
        figure, f"Failure labels per condition. {spoken}", {str(label): drawn for label, drawn in _LABELS.items()}
    )


def difference_figure(rows: Sequence[Difference]) -> Figure:
    """Differences in percentage points as dots with 95 % intervals, beside a line at 0."""
    figure = new_figure(_WIDTH, _height(rows))
    axes: Drawing = figure.add_subplot()
    furthest = max([abs(end) for row in rows for end in (row.low, row.high)] + [0.1])
    axes.plot([0, 0], [-0.5, len(rows) - 0.5], color=_MUTED, linewidth=1)
    for place, row in enumerate(rows):
        _whisker(axes, place, row.low, row.high)
        axes.plot([row.difference], [place], marker="o", markersize=6, color=_BAR, markeredgewidth=0)
        at = row.high + furthest * 0.05
        axes.text(at, place, signed_points(row.difference), va="center", ha="left", color=_INK, weight="bold")
    axes.set_xlim(-furthest * 1.08, furthest * 1.3)
    axes.xaxis.set_major_formatter(_points_or_zero)
    _dress(axes, [row.title for row in rows])
    spoken = "; ".join(f"{row.title}: {signed_points(row.difference)} points" for row in rows)
    return Figure(figure, f"Differences of pass at 1. {spoken}")


def ladder_figure(rows: Sequence[Rung]) -> Figure:
    """Mean scores of controls (hollow squares) and of new APIs (discs) with 95 % intervals, chance as a dotted line."""
    figure = new_figure(_WIDTH, 0.55 + 0.62 * len(rows))
    axes: Drawing = figure.add_subplot()
    for place, row in enumerate(rows):
        axes.plot([row.chance, row.chance], [place - 0.4, place + 0.4], color=_MUTED, linewidth=1.4, linestyle=":")
        _score(axes, place - 0.2, row.control, "s", "old ")
        _score(axes, place + 0.2, row.new, "o", "new ")
    axes.set_xlim(-0.02, 1.3)
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.50", "0.75", "1"])
    _dress(axes, [row.title for row in rows])
    spoken = "; ".join(f"{row.title}: old {_mean(row.control)}, new {_mean(row.new)}" for row in rows)
    return Figure(figure, f"Mean scores of old and new APIs per rung. {spoken}")


def _score(axes: Drawing, place: float, score: tuple[float | None, float, float], marker: str, name: str) -> None:
    mean, low, high = score
    if mean is not None:
        filling = _BAR if marker == "o" else _HOLLOW
        axes.plot([low, high], [place, place], color=_INK, linewidth=1.4, solid_capstyle="butt")
        axes.plot([mean], [place], marker, color=filling, markersize=8, markeredgecolor=_INK, markeredgewidth=1.4)
    at = high + 0.025 if mean is not None else 0.02
    axes.text(at, place, f"{name}{_mean(score)}", va="center", ha="left", color=_INK, size=9.5)


def _mean(score: tuple[float | None, float, float]) -> str:
    return "not asked" if score[0] is None else f"{score[0]:.2f}"


def _points_or_zero(value: float, place: int) -> str:
    return signed_points(value) if round(value, 6) else "0"


def _whisker(axes: Drawing, place: int, low: float, high: float) -> None:
    axes.plot([low, high], [place, place], color=_INK, linewidth=1.4, solid_capstyle="butt")
    for end in (low, high):
        axes.plot([end, end], [place - 0.13, place + 0.13], color=_INK, linewidth=1.4)


def _stack(axes: Drawing, place: int, row: Failures, longest: int) -> None:
    left = 0
    for label in FAILURE_LABELS:
        count = row.labels.get(label, 0)
        if not count:
            continue
        axes.barh(place, count, left=left, height=0.62, color=_LABELS[label], linewidth=0)
        if count / longest > 0.04:
            axes.text(left + count / 2, place, str(count), va="center", ha="center", color=_ON_LABELS[label], size=9.5)
        left += count
    axes.text(left + longest * 0.02, place, str(left), va="center", ha="left", color=_INK, weight="bold")


def _height(rows: Sequence[object]) -> float:
    return 0.55 + 0.42 * len(rows)


def _dress(axes: Drawing, names: Sequence[str]) -> None:
    titles = [textwrap.shorten(visible(name), 52, placeholder="…") for name in names]
    axes.set_yticks(range(len(titles)), [textwrap.fill(title, 26) for title in titles], color=_INK)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    dress_axes(axes, "x")


def dress_axes(axes: Drawing, grid: str) -> None:
    """Axes without a frame, with a grid along the axis of that name (or `both`)."""
    axes.tick_params(length=0, labelsize=10.5)
    for tick in [*axes.get_xticklabels(), *(axes.get_yticklabels() if grid == "both" else ())]:
        tick.set_color(_MUTED)
    axes.grid(axis=grid, color=_GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set_visible(False)
