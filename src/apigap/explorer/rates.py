"""Pass rates with intervals: of each model on each rung, over all libraries and in each."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from apigap.explorer.scores import Score, of_ladder
from apigap.statistics import Interval, clustered_wilson

ALL = ""
"""All libraries, or all kinds of change, together."""


@dataclass(frozen=True)
class Rate:
    """The mean score of one column on one rung under one condition, 0 to 1, with its 95 % interval.

    `library` and `change` are empty where it is over all of them. It stands on `units` tasks (on the ladder: APIs)
    about `apis` APIs.
    """

    subject: str
    condition: str
    rung: str
    side: str
    library: str
    change: str
    rate: float
    low: float
    high: float
    units: int
    apis: int


def rates_of(scores: Sequence[Score]) -> list[Rate]:
    """A rate per column, condition, rung, side, library or all, and kind of change or all.

    Where all of a group is of one library, or of one kind of change, it is there under both names.
    """
    groups: dict[tuple[str, str, str, str, str, str], list[Score]] = defaultdict(list)
    for one in scores:
        for library in (ALL, one.library):
            for change in dict.fromkeys((ALL, one.change)):
                groups[one.subject, one.condition, one.rung, one.side, library, change].append(one)
    return [Rate(*key, *_figures(own)) for key, own in sorted(groups.items())]


def interval_of(scores: Sequence[Score]) -> Interval:
    """The mean with its interval, as reports have it: tasks of one API are related, and one piece of news is one."""
    if not of_ladder(scores[0].rung):
        return clustered_wilson([one.value for one in scores], [one.cluster for one in scores])
    means = by_cluster(scores)
    return clustered_wilson(list(means.values()), list(means))


def by_cluster(scores: Sequence[Score]) -> dict[str, float]:
    """The mean score of each cluster."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in scores:
        found[one.cluster].append(one.value)
    return {name: sum(own) / len(own) for name, own in found.items()}


def _figures(scores: Sequence[Score]) -> tuple[float, float, float, int, int]:
    found = interval_of(scores)
    assert found.estimate is not None  # there is a group only where there is a score
    return found.estimate, found.low, found.high, len(scores), len({(one.library, one.api) for one in scores})
