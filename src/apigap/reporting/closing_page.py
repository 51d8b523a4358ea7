"""The report on a gap that was closed as the template shows it, and its findings in words."""

from dataclasses import dataclass
from typing import ClassVar

from apigap.reporting.analysis_page import interval
from apigap.reporting.closing_model import ClosingReport, WayRow
from apigap.reporting.text import percent, signed_points

COLUMNS = (
    "way", "pass", "95 % interval", "closed", "gain, points (95 %)", "p", "tokens read", "written", "tool calls",
    "dollars",
)  # fmt: skip


@dataclass(frozen=True)
class ClosingPage:
    """All that the template needs."""

    report: ClosingReport
    headline: str
    aside: str
    weights: str
    columns: tuple[str, ...] = COLUMNS
    states: ClassVar[dict[str, str]] = {"closes": "pass", "open": "wrong", "no task to choose by": "infra"}

    def cells(self, way: WayRow) -> tuple[str, ...]:
        """The figures of a way under the columns."""
        return way_cells(way)


def build_closing_page(report: ClosingReport) -> ClosingPage:
    """The page of a report."""
    return ClosingPage(report, headline(report), aside(report), weights_line(report))


def headline(report: ClosingReport) -> str:
    """The effect of the best way in a sentence."""
    without, *others = report.ways or (None,)
    if without is None or not others:
        return f"{report.model} was not asked again: {report.notes[0] if report.notes else 'no task was held back'}"
    best = max(others, key=lambda way: (way.gain or 0.0, -(way.read or 0.0)))
    return (
        f"On {without.passed.of} held-back tasks on what {report.model} lacks, it passes {without.passed.right} "
        f"without help and {best.passed.right} with {_small(best.title)}."
    )


def aside(report: ClosingReport) -> str:
    """The sizes of the texts, and what they give beside whole pages."""
    chosen, whole = report.characters
    closing = [row for row in report.texts if row.state == "closes"]
    if not closing or not whole:
        return ""
    ways = {way.way: way for way in report.ways}
    small, all_there_is = ways.get("smallest"), ways.get("whole")
    beside = (
        f"; held-back tasks pass at {percent(small.rate)} with them, {percent(all_there_is.rate)} with whole pages"
        if small and all_there_is
        else ""
    )
    return (
        f"A text was found for {len(closing)} of {len(report.texts)} APIs. All pages together have {chosen:,} of "
        f"{whole:,} characters{beside}."
    )


def weights_line(report: ClosingReport) -> str:
    """The tuned weights in a sentence: their name, from what they were made, and their digest; empty without any."""
    found = report.tuned
    if found is None:
        return ""
    base = f" (sha256 {_short(found.base_sha256)})" if found.base_sha256 else ""
    took = f" in {found.seconds / 60:.1f} minutes" if found.seconds is not None else ""
    return (
        f"Tuned weights: {found.model} (sha256 {_short(found.sha256)}), made by {found.method} from "
        f"{found.base}{base}{took}, on {found.tasks} tasks on {found.apis} of these {len(report.texts)} APIs, all of "
        "the choosing half."
    )


def _short(digest: str) -> str:
    """The beginning of a sha256; of a hub's name the whole commit."""
    return digest if " " in digest else digest[:12]


def way_cells(way: WayRow) -> tuple[str, ...]:
    """The figures of a way under `COLUMNS`; a dash where there is none."""
    gain = f"{signed_points(way.gain or 0)} ({signed_points(way.gain_low)} to {signed_points(way.gain_high)})"
    compared = ("–",) * 3 if way.gain is None else (str(way.closed), gain, f"{way.p_value:.3f}")
    tokens = (_figure(way.read, ",.0f"), _figure(way.wrote, ",.0f"))
    return (
        way.title, str(way.passed), interval(way.low, way.high), *compared, *tokens, _figure(way.calls, ".1f"),
        _figure(way.dollars, ".4g"),
    )  # fmt: skip


def _figure(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def _small(title: str) -> str:
    return title[0].lower() + title[1:] if not title.startswith(("llms", "MCP")) else title
