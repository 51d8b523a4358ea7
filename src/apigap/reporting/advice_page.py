"""Advice as the template shows it, and its findings in words."""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from apigap.reporting.advice_model import AdviceReport
from apigap.reporting.cells import Need


@dataclass(frozen=True)
class AdvicePage:
    """All that the template needs."""

    report: AdviceReport
    headline: str
    counts: tuple[tuple[str, int], ...]
    needs: ClassVar[dict[Need, str]] = {
        "open": "nothing that was tried helps", "cured": "cured by knowledge", "known": "used without help",
        "unknown": "not asked",
    }  # fmt: skip


def build_advice_page(report: AdviceReport) -> AdvicePage:
    """The page of a report."""
    return AdvicePage(report, headline(report), tuple(kind_counts(report)))


def kind_counts(report: AdviceReport) -> list[tuple[str, int]]:
    """The number of APIs that get each kind of advice, the most frequent first."""
    counts = Counter(kind for api in report.apis for kind in {one.kind for one in api.advices})
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def headline(report: AdviceReport) -> str:
    """The number of APIs to change, and what is missing most."""
    of = len(report.apis) + len(report.fine)
    if not report.apis:
        return f"There is nothing to say about the {of} APIs." if of else "There is no new or changed API."
    kind, count = kind_counts(report)[0]
    proven = [api.proof for api in report.apis if api.proof]
    asked = sum(one.before.of for one in proven)
    told = (
        f" Asked again, {sum(one.before.right for one in proven)} of {asked} tasks pass with the docstrings as they are"
        f" and {sum(one.after.right for one in proven)} with the changed ones."
        if proven
        else ""
    )
    return f"{len(report.apis)} of {of} APIs have something to change; most often: {kind} ({count}).{told}"
