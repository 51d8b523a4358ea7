"""The figures of items: per rung and form the rates of new APIs and of controls, and the gap between them."""

from collections import defaultdict
from collections.abc import Sequence

from apigap.benchmarks.items.readings import Reading
from apigap.benchmarks.items.verdict import verdict
from apigap.evaluation.summary import Summary, Table, number
from apigap.records.base import Record
from apigap.records.questions.ladder import CHANCE, Form, Group, LadderItem, Rung
from apigap.records.result import Result
from apigap.statistics.differences import Answers, Difference, gap

_HERE = "here"
MEASURES = (
    "exists: told apart", "signature: choice", "signature: F1 of names", "effect: choice", "call: passes",
)  # fmt: skip
_MEASURE_OF: dict[tuple[Rung, Form], str] = {
    ("exists", "yes or no"): MEASURES[0],
    ("signature", "choice"): MEASURES[1],
    ("signature", "parameters"): MEASURES[2],
    ("effect", "choice"): MEASURES[3],
    ("call", "code"): MEASURES[4],
}
CHANCES: dict[str, float] = {measure: CHANCE[form] for (_, form), measure in _MEASURE_OF.items()}
"""The score of who knows nothing, by measure."""


def score_of(item: LadderItem, result: Result) -> float:
    """The score of one answer, 0 to 1: of code, whether it passes."""
    return float(result.passed) if item.form == "code" else result.score


def measure_of(item: LadderItem) -> str:
    """The measure that an item counts for: one of `MEASURES`."""
    return _MEASURE_OF[item.rung, item.form]


class ApiScore(Record):
    """The score of one API on one measure, 0 to 1, over its items."""

    measure: str
    library: str
    api_name: str
    pair: str
    group: Group
    score: float


class Gap(Record):
    """A measure's means over new APIs and controls, and the gap: controls minus new, paired, with 95 % interval.

    Where there is none, `reason` says why; `p_value` is two-sided.
    """

    measure: str
    chance: float
    new: float | None
    control: float | None
    estimate: float | None
    low: float | None
    high: float | None
    p_value: float | None
    pairs: int
    libraries: int
    reason: str | None


class ItemsSummary(Summary):
    """The gaps by measure; how many answers could not be read, and how many choices changed with the order."""

    items: int
    answered: int
    unread: dict[str, int]
    unstable: int | None
    gaps: tuple[Gap, ...]

    def tables(self) -> list[Table]:
        """A row per measure."""
        rows = [
            (
                one.measure, number(one.chance), number(one.control), number(one.new), _gap(one),
                f"{one.pairs} in {one.libraries}",
            )
            for one in self.gaps
        ]  # fmt: skip
        head = ("measure", "chance", "controls", "new APIs", "gap", "pairs, libraries")
        return [Table("What the model knows of new APIs, and of unchanged ones like them", head, tuple(rows))]

    def notes(self) -> list[str]:
        """Answers that are missing, cannot be read, or change with the order of the options."""
        lines = [f"{self.answered} of {self.items} items are answered"]
        unread = {rung: count for rung, count in self.unread.items() if count}
        if unread:
            lines.append(f"answers that cannot be read, counted as wrong: {unread}")
        if self.unstable is not None:
            lines.append(f"choices that change with the order of the options: {self.unstable}")
        return lines


def _gap(one: Gap) -> str:
    if one.estimate is None or one.low is None:
        return one.reason or "-"
    return f"{number(one.estimate)} ({number(one.low)} to {number(one.high)})"


def summarise_items(items: Sequence[LadderItem], results: Sequence[Result], answered_only: bool = True) -> ItemsSummary:
    """The figures of results; items without an answer are counted, and left out or else wrong."""
    scores = api_scores(items, results, answered_only)
    by_id = {item.task_id: item for item in items}
    unread: dict[str, int] = defaultdict(int)
    for result in results:
        unread[by_id[result.task_id].rung] += not result.detail.get("read", True)
    answered = {result.task_id for result in results}
    return ItemsSummary(
        items=len(_asked(items, answered)),
        answered=len(answered),
        unread=dict(sorted(unread.items())),
        unstable=_unstable(items, results),
        gaps=tuple(_gap_of(measure, scores) for measure in MEASURES if any(s.measure == measure for s in scores)),
    )


def _asked(items: Sequence[LadderItem], answered: set[str]) -> list[LadderItem]:
    """The items without the second orders of choices, where none of these is answered."""
    both_orders = any(item.order == 2 and item.task_id in answered for item in items)
    return [item for item in items if item.order == 1 or both_orders]


def api_scores(items: Sequence[LadderItem], results: Sequence[Result], answered_only: bool = True) -> list[ApiScore]:
    """A score for each API and measure.

    A name and the invented one beside it are told apart (1) where the odds of yes are higher for the real one; without
    odds it is the mean of both verdicts, so that who always says yes scores one half. Choices count by the mean over
    their orders, code by the share of samples that pass. What has no verdict, for want of a machine, counts nowhere;
    with `answered_only` neither does what has no answer, which else scores 0.
    """
    found: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.outcome in ("pass", "fail"):
            found[result.task_id].append(result)
    if not answered_only:
        answered = {result.task_id for result in results}
        missing = [item for item in _asked(items, answered) if item.task_id not in answered]
        found.update((item.task_id, [verdict(item, Reading(""))]) for item in missing)
    groups: dict[tuple[Rung, Form, Group, str, str], list[tuple[LadderItem, Result]]] = defaultdict(list)
    for item in items:
        key = (item.rung, item.form, item.group, item.api_name, item.pair)
        groups[key] += [(item, result) for result in found[item.task_id]]
    rows: list[ApiScore] = []
    for (rung, form, group, api, pair), judged in groups.items():
        score = _told_apart(judged) if rung == "exists" else _mean(judged)
        if score is not None:
            library, measure = judged[0][0].library, _MEASURE_OF[rung, form]
            rows.append(ApiScore(measure=measure, library=library, api_name=api, pair=pair, group=group, score=score))
    return rows


def _mean(judged: Sequence[tuple[LadderItem, Result]]) -> float | None:
    return _average([score_of(item, result) for item, result in judged])


def _told_apart(judged: Sequence[tuple[LadderItem, Result]]) -> float | None:
    real = [result for item, result in judged if not item.is_invented]
    invented = [result for item, result in judged if item.is_invented]
    if not real or not invented:
        return None
    first, second = (_log_odds(side[0]) for side in (real, invented))
    if first is not None and second is not None:
        return 0.5 if first == second else float(first > second)
    return sum(sum(r.score for r in side) / len(side) for side in (real, invented)) / 2


def _log_odds(result: Result) -> float | None:
    found = result.detail.get("log_odds")
    return float(found) if isinstance(found, int | float) else None


def _unstable(items: Sequence[LadderItem], results: Sequence[Result]) -> int | None:
    """The number of choices whose two orders got different options; None where only one order was asked."""
    chosen: dict[tuple[Rung, str, str], dict[int, str]] = defaultdict(dict)
    options = {result.task_id: result.detail["chosen"] for result in results if "chosen" in result.detail}
    for item in items:
        if item.task_id in options:
            chosen[item.rung, item.api_name, item.pair][item.order] = options[item.task_id]
    both = [row for row in chosen.values() if len(row) == 2]
    return sum(len(set(row.values())) > 1 for row in both) if both else None


def _gap_of(measure: str, scores: Sequence[ApiScore]) -> Gap:
    own = [one for one in scores if one.measure == measure]
    chance = CHANCES[measure]
    answers = Answers(
        [one.library for one in own], [one.api_name for one in own], [one.pair for one in own],
        [one.group for one in own], [_HERE] * len(own), [one.score for one in own],
    )  # fmt: skip
    found: Difference = gap(answers, _HERE, chance)
    means = {group: [one.score for one in own if one.group == group] for group in ("new", "control")}
    return Gap(
        measure=measure,
        chance=chance,
        new=_average(means["new"]),
        control=_average(means["control"]),
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        p_value=found.p_value,
        pairs=found.pairs,
        libraries=found.libraries,
        reason=found.reason,
    )


def _average(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
