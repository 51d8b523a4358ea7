"""Results on items, read beyond one run: a model's knowledge horizon, and one scale for several models."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from apigap.benchmarks.items.scores import CHANCES, MEASURES, ApiScore, api_scores
from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.statistics import RaschScale, rasch
from apigap.statistics.horizon import FEWEST_APIS, FEWEST_LIBRARIES, DatedScores, Horizon, LevelScores, horizon

_NO_FLOOR = (
    f"what a good guess scores here is not measured, which takes {FEWEST_APIS} twins of {FEWEST_LIBRARIES} libraries, "
    "so nothing tells where knowledge ends"
)
"""The reason for no horizon, of each measure whose floor is not known by design, as it is beside invented names."""


class Point(Record):
    """A quarter of first appearance: the rate with its 95 % interval, over how many APIs and libraries."""

    quarter: str
    rate: float | None
    low: float
    high: float
    apis: int
    libraries: int


class HorizonReading(Record):
    """A model's horizon by one measure: the day on which its knowledge falls halfway, with a 95 % interval.

    `day` is None where `reason` says why. The curve falls from `ceiling`, the controls, to `floor`: the score of twins,
    which is what guessing gives, or chance where few were asked.
    """

    measure: str
    day: date | None
    low: date | None
    high: date | None
    ceiling: float | None
    floor: float | None
    apis: int
    libraries: int
    reason: str | None
    quarters: tuple[Point, ...]


@dataclass(frozen=True)
class JudgedItems:
    """Items, and the results of one model on them."""

    items: Sequence[LadderItem]
    results: Sequence[Result]

    @classmethod
    def of(cls, items: Sequence[Path], results: Path) -> "JudgedItems":
        """Those in the files.

        Raises:
            CorruptRecord: when a file holds something else.
            UsageError: when there are no results, or they are of other items.
        """
        found = [item for path in items for item in load_records(path, LadderItem)]
        known, judged = {item.task_id for item in found}, load_records(results, Result)
        if not judged:
            raise UsageError(f"{results} holds no result; judge the answers first (apigap score items)")
        strange = [result.task_id for result in judged if result.task_id not in known]
        if strange:
            raise UsageError(
                f"{results} has results on {len(strange)} other items ({strange[0]}, ...): give with --items the files "
                "that they were scored with"
            )
        return cls(found, judged)


def horizons(judged: JudgedItems) -> list[HorizonReading]:
    """The horizon by each measure: of added APIs, by the day of the first release that has them.

    An API that is in the items of several releases counts from the first of these days, and so do all APIs that are one
    piece of news.
    """
    dated = [
        ((item.library, item.api_name), item.since.released)
        for item in judged.items
        if item.change == "added" and item.since is not None and item.since.released is not None
    ]
    days: dict[tuple[str, str], date] = {}
    for name, day in dated:
        days[name] = min(day, days.get(name, day))
    asked = [item for item in judged.items if "control" in item.group or item.change == "added"]
    scores = api_scores(asked, judged.results)
    return [
        _reading(measure, [one for one in scores if one.measure == measure], days)
        for measure in MEASURES
        if any(one.measure == measure for one in scores)
    ]


def _reading(measure: str, scores: Sequence[ApiScore], days: Mapping[tuple[str, str], date]) -> HorizonReading:
    new = [one for one in scores if one.group == "new" and (one.library, one.api_name) in days]
    controls = [one for one in scores if one.group == "control"]
    twins = _enough([one for one in scores if one.group == "twin"], {one.library for one in new})
    chance = [CHANCES[measure]] * len(controls)
    first: dict[tuple[str, str], date] = {}
    for one in new:
        day = days[one.library, one.api_name]
        first[one.library, one.family] = min(day, first.get((one.library, one.family), day))
    found = horizon(
        DatedScores(
            [one.library for one in new], [one.family for one in new],
            [first[one.library, one.family] for one in new], [one.score for one in new],
        ),
        LevelScores([one.library for one in controls], [one.score for one in controls]),
        LevelScores([one.library for one in twins or controls], [one.score for one in twins] or chance),
    )  # fmt: skip
    reading = HorizonReading(
        measure=measure, day=found.estimate, low=found.low, high=found.high, ceiling=found.ceiling, floor=found.floor,
        apis=found.apis, libraries=found.libraries, reason=found.reason, quarters=tuple(_points(found)),
    )  # fmt: skip
    if twins or measure == MEASURES[0] or found.reason is not None:
        return reading
    return reading.model_copy(update={"day": None, "low": None, "high": None, "reason": _NO_FLOOR})


def _enough(twins: Sequence[ApiScore], libraries: Collection[str]) -> list[ApiScore]:
    """The twins of these libraries; none where they are as few as would be too few for a horizon."""
    own = [one for one in twins if one.library in libraries]
    few = len(own) < FEWEST_APIS or len({one.library for one in own}) < FEWEST_LIBRARIES
    return [] if few else own


def _points(found: Horizon) -> Iterator[Point]:
    for quarter in found.quarters:
        rate = quarter.rate
        yield Point(
            quarter=quarter.name, rate=rate.estimate, low=rate.low, high=rate.high, apis=quarter.apis,
            libraries=quarter.libraries,
        )  # fmt: skip


def one_scale(judged: Mapping[str, JudgedItems]) -> RaschScale:
    """Models and items on one scale (Rasch): `judged` has the results of each model by its name.

    An item that several results are on is right where their mean score is 1. Twins measure guessing and no ability.
    """
    items = sorted({item.task_id for one in judged.values() for item in one.items if not item.is_twin})
    column = {item: number for number, item in enumerate(items)}
    table = np.full((len(judged), len(items)), np.nan)
    for row, one in enumerate(judged.values()):
        scores: dict[str, list[float]] = defaultdict(list)
        for result in one.results:
            if result.task_id in column:
                scores[result.task_id].append(result.score)
        for item, found in scores.items():
            table[row, column[item]] = float(sum(found) == len(found))
    return rasch(table, list(judged), items)
