"""Rates over a budget, as steps with their intervals: a line for each, and beside them rates that need no budget."""

from collections.abc import Sequence
from dataclasses import dataclass

from apigap.reporting.figures import INK, LINES, MUTED, Figure, dress_axes
from apigap.reporting.svg import Drawing, new_figure
from apigap.reporting.text import percent, visible

_LEAST_GAP = 0.065


@dataclass(frozen=True)
class Curve:
    """A line: its name, and for each place the rate with its interval."""

    title: str
    at: Sequence[float]
    rates: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def curve_figure(curves: Sequence[Curve], axis: str, beside: Sequence[tuple[str, float]] = ()) -> Figure:
    """Curves over an axis; `beside` are rates by name, drawn as dotted lines."""
    figure = new_figure(5.8, 3.4)
    axes: Drawing = figure.add_subplot()
    most = max(float(curve.at[-1]) for curve in curves)
    ends: list[tuple[float, str, str]] = []
    for number, curve in enumerate(curves):
        colour = LINES[number % len(LINES)]
        axes.fill_between(curve.at, curve.low, curve.high, step="post", color=colour, alpha=0.16, linewidth=0)
        axes.step(curve.at, curve.rates, where="post", color=colour, linewidth=2)
        ends.append((curve.rates[-1], curve.title, colour))
    for name, rate in beside:
        axes.plot([0, most], [rate, rate], color=MUTED, linewidth=1.2, linestyle=":")
        ends.append((rate, name, MUTED))
    for place, (rate, title, colour) in zip(_apart([end[0] for end in ends]), ends, strict=True):
        text = f"{visible(title)} {percent(rate)}"
        axes.text(most * 1.02, place, text, va="center", ha="left", color=INK if colour == MUTED else colour, size=9.5)
    axes.set_xlim(0, most * 1.5)
    axes.set_ylim(-0.02, 1.05)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25", "50", "75", "100 %"])
    if all(float(place).is_integer() for curve in curves for place in curve.at):
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= most])
    axes.set_xlabel(axis, color=MUTED)
    dress_axes(axes, "both")
    spoken = "; ".join(f"{curve.title}: {percent(curve.rates[-1])} in the end" for curve in curves)
    return Figure(figure, f"Pass at 1 over {axis}. {spoken}")


def _apart(rates: Sequence[float]) -> list[float]:
    """Places for names at their rates, moved up where they would stand over each other."""
    placed: dict[int, float] = {}
    last = -1.0
    for number in sorted(range(len(rates)), key=lambda one: (rates[one], one)):
        last = max(rates[number], last + _LEAST_GAP)
        placed[number] = last
    return [placed[number] for number in range(len(rates))]
