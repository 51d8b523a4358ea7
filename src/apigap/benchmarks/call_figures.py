"""Figures for every benchmark of tools: rates, faults by name, and which API stood in the place of which."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from apigap.benchmarks.call_faults import CallFault, by_gravity
from apigap.benchmarks.taxonomy import label_of_fault
from apigap.evaluation.summary import Table, number
from apigap.records.base import Record
from apigap.records.result import Result
from apigap.statistics import clustered_wilson

MOST_PAIRS = 20


class Rate(Record):
    """A mean over queries with its 95 % interval, clustered by the tools that they offer."""

    estimate: float | None
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float], clusters: Sequence[str]) -> "Rate":
        """The mean of values from 0 to 1; `clusters[i]` are the tools of query i."""
        found = clustered_wilson(values, clusters)
        return cls(estimate=found.estimate, low=found.low, high=found.high)

    def __str__(self) -> str:
        """Per cent, with the interval."""
        share, low, high = (number(one, 100, 1) for one in (self.estimate, self.low, self.high))
        return f"{share} ({low}-{high})"


class Confusion(Record):
    """The number of answers that called `called` where `expected` was right."""

    expected: str
    called: str
    answers: int


class CallFigures(Record):
    """The wrong answers by their gravest fault (`first`) and by every fault that they have (`any_of`), and confusions.

    At most `MOST_PAIRS` pairs are told, the most frequent first; `other_pairs` counts the answers with other ones.
    """

    wrong: int
    first: dict[CallFault, int]
    any_of: dict[CallFault, int]
    confusions: tuple[Confusion, ...]
    other_pairs: int

    def tables(self) -> list[Table]:
        """The faults, and the APIs that were called in the place of others; nothing where all is right."""
        if not self.wrong:
            return []
        rows = tuple(
            (fault, str(self.first.get(fault, 0)), str(count), label_of_fault(fault))
            for fault, count in self.any_of.items()
        )
        faults = Table(f"What was wrong, of {self.wrong} wrong answers", ("fault", "first", "in all", "class"), rows)
        pairs = tuple((one.expected, one.called, str(one.answers)) for one in self.confusions)
        others = f"; {self.other_pairs} answers with other pairs" if self.other_pairs else ""
        title = f"Which API was called in the place of which{others}"
        return [faults, *([Table(title, ("expected", "called", "answers"), pairs)] if pairs else [])]


def call_figures(results: Iterable[Result]) -> CallFigures:
    """The figures of results whose `detail` has `faults`, and (where another API was called) `confused` pairs."""
    wrong = [result for result in results if result.detail.get("faults")]
    pairs = Counter((pair[0], pair[1]) for result in wrong for pair in result.detail.get("confused", ()))
    shown = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    first = Counter(result.detail["faults"][0] for result in wrong)
    every = Counter(fault for result in wrong for fault in result.detail["faults"])
    return CallFigures(
        wrong=len(wrong),
        first=_sorted(first),
        any_of=_sorted(every),
        confusions=tuple(Confusion(expected=e, called=c, answers=n) for (e, c), n in shown[:MOST_PAIRS]),
        other_pairs=sum(count for _, count in shown[MOST_PAIRS:]),
    )


def _sorted(counts: Mapping[CallFault, int]) -> dict[CallFault, int]:
    return {fault: counts[fault] for fault in by_gravity(counts)}
