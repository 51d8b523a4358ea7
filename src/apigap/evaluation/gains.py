"""Gains of one run over another in every measure and part of a benchmark, from their results alone."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from statistics import fmean
from typing import NamedTuple

from apigap.records.result import Result
from apigap.statistics import PairedDifference, holm, paired_difference

ALL = "all"
PASSED = "passed"
Measures = Callable[[Result], Mapping[str, float]]


class Measured(NamedTuple):
    """What a comparison keeps of a result; in the order of parts, tasks and samples."""

    part: str
    task_id: str
    sample: int
    about: str
    values: Mapping[str, float]


ByTask = Mapping[str, Sequence[Measured]]


@dataclass(frozen=True)
class MeasuredGain:
    """The gain in one measure on the tasks of a part that both runs have judged; `before` and `after` are means.

    Each task is the mean over its samples; `difference` has its interval over clusters of tasks about the same
    (`Result.about`). `adjusted` is its p-value after Holm's correction for all rows of the comparison.
    """

    part: str
    measure: str
    before: float
    after: float
    difference: PairedDifference
    adjusted: float


def gains_of(before: Iterable[Result], after: Iterable[Result], measures: Measures) -> list[MeasuredGain]:
    """A gain per part and measure, p-values corrected by Holm as one family.

    With several measures there is also a row over all parts. None at all where passing is all that is measured.
    """
    first, second = (_by_task(results, measures) for results in (before, after))
    parts: dict[str, list[str]] = {}
    for task_id in first:
        if task_id in second:
            parts.setdefault(first[task_id][0].part, []).append(task_id)
    found = [gain for part, tasks in parts.items() for gain in _gains(part, tasks, first, second)]
    if len(parts) > 1 and len({gain.measure for gain in found}) > 1:
        everything = [task for tasks in parts.values() for task in tasks]
        found += _gains(ALL, everything, first, second)
    if {gain.measure for gain in found} <= {PASSED}:
        return []
    adjusted = holm([gain.difference.p_value for gain in found])
    return [replace(gain, adjusted=p_value) for gain, p_value in zip(found, adjusted, strict=True)]


def _by_task(results: Iterable[Result], measures: Measures) -> dict[str, list[Measured]]:
    rows = [
        Measured(result.part, result.task_id, result.sample, result.about, measures(result))
        for result in results
        if result.has_verdict
    ]
    found: dict[str, list[Measured]] = {}
    for row in sorted(rows, key=itemgetter(0, 1, 2)):
        found.setdefault(row.task_id, []).append(row)
    return found


def _gains(part: str, tasks: Sequence[str], first: ByTask, second: ByTask) -> list[MeasuredGain]:
    clusters = [first[task][0].about or task for task in tasks]
    gains: list[MeasuredGain] = []
    for measure in first[tasks[0]][0].values:
        values = [[[row.values[measure] for row in side[task]] for task in tasks] for side in (first, second)]
        before, after = ([fmean(several) for several in side] for side in values)
        is_proportion = all(value in (0.0, 1.0) for side in values for several in side for value in several)
        difference = paired_difference(before, after, clusters, smoothed=is_proportion)
        gains.append(MeasuredGain(part, measure, fmean(before), fmean(after), difference, difference.p_value))
    return gains
