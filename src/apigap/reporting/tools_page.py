"""The report on a user's own tools as the template shows it, and its findings in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from apigap.records.names import first_of
from apigap.reporting.text import percent
from apigap.reporting.tools_model import AnswerRow, CureRow, FormRow, Share, ToolReport, ToolRow

State = Literal["fine", "never chosen", "confused", "not called", "called wrongly", "called unasked", "not asked"]
STATES: dict[State, tuple[str, str]] = {
    "fine": ("pass", "every call that was asked for is right"),
    "never chosen": ("wrong", "it was wanted and not called once"),
    "confused": ("wrong", "another tool was called in its place, or one that there is not"),
    "not called": ("wrong", "it was wanted, and often not called"),
    "called wrongly": ("wrong", "it was called, with something wrong in the call"),
    "called unasked": ("partly", "it was called where it was not wanted"),
    "not asked": ("infra", "no query is for it"),
}
_NAMED = 3


@dataclass(frozen=True)
class ToolView:
    """A tool with its state, in one word and in a sentence, and the length of its bar in tenths."""

    row: ToolRow
    anchor: str
    state: State
    tone: str
    told: str
    bar: int
    faults: str


@dataclass(frozen=True)
class AnswerView:
    """The answers to one query, one per form."""

    anchor: str
    query: str
    expected: str
    held_back: bool
    answers: tuple[AnswerRow, ...]


@dataclass(frozen=True)
class ToolsPage:
    """All that the template needs."""

    report: ToolReport
    headline: str
    aside: str
    tools: tuple[ToolView, ...]
    confused: tuple[tuple[str, str, int, str], ...]
    answers: tuple[AnswerView, ...]
    states: dict[State, tuple[str, str]]


def build_tools_page(report: ToolReport) -> ToolsPage:
    """The page of a report."""
    return ToolsPage(
        report=report,
        headline=headline(report),
        aside=aside(report),
        tools=tuple(_view(row, number) for number, row in enumerate(report.first.tools, 1)),
        confused=tuple(confusions(report.first)),
        answers=_answers(report),
        states=STATES,
    )


def headline(report: ToolReport) -> str:
    """The share of right calls in the main form."""
    row = report.first
    if not row.all.of:
        return f"{report.model} gave no answer that has a verdict."
    found = f"{report.model} does the right thing in {row.all} queries ({rate(row.all)})."
    if row.leaving.of and row.serving.of:
        found += f" It makes the right calls in {row.serving}, and leaves {row.leaving} alone that no tool is for."
    return found


def aside(report: ToolReport) -> str:
    """The tools that give trouble, and the cure, in words."""
    states: dict[str, State] = {row.name: state_of(row) for row in report.first.tools}
    parts = [_named(states, "never chosen", "Never chosen"), _named(states, "confused", "Taken for others")]
    parts += [_named(states, "not called", "Often not called")]
    parts += [_named(states, "called wrongly", "Called wrongly"), cure_sentence(report)]
    return " ".join(part for part in parts if part)


def cure_sentence(report: ToolReport) -> str:
    """The best measured change in words; empty where nothing was tried."""
    measured = [row for row in report.cures if row.difference is not None]
    if not report.cures:
        return ""
    best = max(measured, key=lambda row: row.difference or 0.0, default=None)
    if best is None or (best.difference or 0) <= 0:
        return "No changed description did better on queries that were held back."
    return (
        f"A changed description of {best.tool} takes the held-back queries from {best.before} to {best.after}"
        f" ({points(best)})."
    )


def _named(states: Mapping[str, State], state: State, words: str) -> str:
    names = [name for name, one in states.items() if one == state]
    return f"{words}: {first_of(names, _NAMED)}." if names else ""


def state_of(row: ToolRow) -> State:
    """The first thing to be said of a tool: of what goes wrong, what does so most often."""
    if row.never_chosen:
        return "never chosen"
    if row.queries and row.right < row.queries:
        confused = sum(count for _, count in (*row.instead, *row.invented))
        found: dict[State, int] = {
            "confused": confused,
            "not called": row.queries - row.chosen - confused,
            "called wrongly": row.chosen - row.right,
        }
        return max(found, key=lambda state: found[state])
    if row.unasked:
        return "called unasked"
    return "fine" if row.queries else "not asked"


def confusions(row: FormRow) -> list[tuple[str, str, int, str]]:
    """The wanted tool, what was called in its place, how often, and whether that is a tool; the most frequent first."""
    found = [(tool.name, other, count, "a tool") for tool in row.tools for other, count in tool.instead]
    found += [(tool.name, other, count, "invented") for tool in row.tools for other, count in tool.invented]
    found += [(tool.name, "nothing", tool.uncalled, "no call") for tool in row.tools if tool.uncalled]
    return sorted(found, key=lambda one: (-one[2], one[0], one[1]))


def rate(share: Share) -> str:
    """A share in per cent with its interval."""
    low, high = share.interval
    told = share.right / share.of if share.of else None
    return f"{percent(told)}, 95 % interval {percent(low)} to {percent(high)}"


def points(row: CureRow) -> str:
    """A difference in points with its interval; a dash where nothing was measured."""
    if row.difference is None:
        return "–"
    return f"{_points(row.difference)} points, 95 % interval {_points(row.low)} to {_points(row.high)}"


def _points(value: float) -> str:
    return f"{100 * value:+.0f}".replace("-", "−")


def _view(row: ToolRow, number: int) -> ToolView:
    state = state_of(row)
    tone, told = STATES[state]
    bar = round(10 * row.right / row.queries) if row.queries else 0
    faults = " ".join(fault.replace(" ", "-") for fault, _ in row.faults)
    return ToolView(row, f"tool{number}", state, tone, told, bar, faults)


def _answers(report: ToolReport) -> tuple[AnswerView, ...]:
    """The answers by query: those of each form stand in one order."""
    each = [[one for one in report.answers if one.form == row.form] for row in report.forms]
    return tuple(
        AnswerView(f"q{number}", several[0].query, several[0].expected, several[0].held_back, several)
        for number, several in enumerate(zip(*each, strict=True), 1)
    )
