"""The page of an analysis: sections with figures and tables, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from apigap.records.result import FailureLabel
from apigap.reporting.figures import Figure
from apigap.reporting.page import LABEL_NAMES
from apigap.reporting.text import percent, signed_points

METHOD = (
    "Rates are means over tasks with Wilson's interval on the effective sample size, since tasks of one API go "
    "together. Differences are paired by sample and averaged over tasks, with a bootstrap over APIs and a test "
    "that flips the signs of APIs; p-values are corrected by Holm within the family that a table names. A sample "
    "without verdict is never a fail; a suspect one has not passed."
)


@dataclass(frozen=True)
class FigureView:
    """A figure with what it shows, in words."""

    title: str
    words: str
    svg: Markup


@dataclass(frozen=True)
class TableView:
    """A table as text; the first column names the row. One that is not `shown` is opened by a click."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    shown: bool = True


@dataclass(frozen=True)
class Section:
    """One question: `words` says how it was asked. Without figures and tables it says that nothing can be told."""

    anchor: str
    title: str
    words: str
    figures: tuple[FigureView, ...]
    tables: tuple[TableView, ...]


@dataclass(frozen=True)
class AnalysisPage:
    """All that the template needs.

    `labels` names and explains the failure labels, `method` says how figures were computed, `complete` what it means
    that nothing is missing.
    """

    title: str
    headline: str
    sections: tuple[Section, ...]
    missing: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    labels: Mapping[FailureLabel, tuple[str, str, str]] = field(default_factory=lambda: LABEL_NAMES)
    method: str = METHOD
    complete: str = "Nothing: every cell of the grid has a verdict on every task."


def view(figure: Figure, title: str, words: str) -> FigureView:
    """A figure for the page."""
    return FigureView(title, words, Markup(figure.inline()))  # noqa: S704 - matplotlib escapes every text that it draws


def interval(low: float, high: float) -> str:
    """An interval of a rate."""
    return f"{percent(low)} to {percent(high)}"


def points(low: float, high: float) -> str:
    """An interval of a difference, in percentage points."""
    return f"{signed_points(low)} to {signed_points(high)}"


def p_value(value: float) -> str:
    """A p-value with three decimals."""
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[TableView, ...]:
    """A table, or nothing where it has no row."""
    return (TableView(title, tuple(columns), tuple(map(tuple, rows))),) if rows else ()
