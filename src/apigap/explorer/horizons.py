"""The ladder of each column without knowledge: its horizons by measure, and the gap between new APIs and old ones."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from apigap.analysis.ladder import HorizonReading, JudgedItems, horizons
from apigap.benchmarks.items.summary import Gap, summarise_items
from apigap.explorer.runs import Runs
from apigap.records.experiment import BASELINE
from apigap.records.result import Result


@dataclass(frozen=True)
class LadderReading:
    """The findings of single questions without knowledge on one column."""

    subject: str
    gaps: Sequence[Gap]
    horizons: Sequence[HorizonReading]


def ladders_of(found: Runs) -> list[LadderReading]:
    """A reading per column that was asked single questions without knowledge."""
    return [
        LadderReading(subject, summarise_items(judged.items, judged.results).gaps, horizons(judged))
        for subject, judged in _judged(found).items()
    ]


def _judged(found: Runs) -> Mapping[str, JudgedItems]:
    results: dict[str, list[Result]] = defaultdict(list)
    for run in found.runs:
        own = [one for one in run.results if one.task_id in found.items]
        if run.condition == BASELINE.name and own:
            results[run.subject] += own
    return {
        subject: JudgedItems([found.items[key] for key in sorted({one.task_id for one in own})], own)
        for subject, own in results.items()
    }
