"""The scores of items: one per API, and per rung and form, from the verdicts on answers."""

from collections import defaultdict
from collections.abc import Sequence

from apigap.benchmarks.items.readings import Reading
from apigap.benchmarks.items.verdict import verdict
from apigap.records.base import Record
from apigap.records.questions.ladder import CHANCE, Form, Group, LadderItem, Rung
from apigap.records.result import Result
from apigap.statistics import Answers

MEASURES = (
    "exists: told apart", "signature: choice", "signature: F1 of names", "effect: choice", "effect: value",
    "call: passes",
)  # fmt: skip
_MEASURE_OF: dict[tuple[Rung, Form], str] = {
    ("exists", "yes or no"): MEASURES[0],
    ("signature", "choice"): MEASURES[1],
    ("signature", "parameters"): MEASURES[2],
    ("effect", "choice"): MEASURES[3],
    ("effect", "value"): MEASURES[4],
    ("call", "code"): MEASURES[5],
}
CHANCES: dict[str, float] = {measure: CHANCE[form] for (_, form), measure in _MEASURE_OF.items()}
"""The score of who knows nothing, by measure."""
_BASE: dict[Group, Group] = {"twin": "new", "control twin": "control"}


def score_of(item: LadderItem, result: Result) -> float:
    """The score of one answer, 0 to 1: of code, whether it passes."""
    return float(result.passed) if item.form == "code" else result.score


def measure_of(item: LadderItem) -> str:
    """The measure that an item counts for: one of `MEASURES`."""
    return _MEASURE_OF[item.rung, item.form]


class ApiScore(Record):
    """The score of one API on one measure, 0 to 1, over its items; `family` is the piece of news of its pair."""

    measure: str
    library: str
    api_name: str
    pair: str
    family: str
    group: Group
    score: float


def answers_of(rows: Sequence[tuple[ApiScore, str]]) -> Answers:
    """What the statistics of the ladder want, from scores with the condition that each was asked under."""
    return Answers(
        [one.library for one, _ in rows], [one.api_name for one, _ in rows], [one.pair for one, _ in rows],
        [one.group for one, _ in rows], [condition for _, condition in rows], [one.score for one, _ in rows],
        [one.family for one, _ in rows],
    )  # fmt: skip


def scores_by_family(scores: Sequence[ApiScore]) -> list[float]:
    """The scores on one measure with one for each family of new APIs, their mean; of controls there is one for each."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for one in scores:
        is_control = _BASE.get(one.group, one.group) == "control"
        found[one.library, one.pair if is_control else one.family].append(one.score)
    return [sum(own) / len(own) for own in found.values()]


def asked_items(items: Sequence[LadderItem], answered: set[str]) -> list[LadderItem]:
    """The items without the second orders of choices, where none of these is answered."""
    both_orders = any(item.order == 2 and item.task_id in answered for item in items)
    return [item for item in items if item.order == 1 or both_orders]


def api_scores(items: Sequence[LadderItem], results: Sequence[Result], answered_only: bool = True) -> list[ApiScore]:
    """A score for each API and measure.

    A name and the invented one beside it are told apart (1) where the odds of yes are higher for the real one; without
    odds it is the mean of both verdicts, so that who always says yes scores one half. A twin has the invented name of
    its API beside it. Choices count by the mean over their orders, code by the share of samples that pass. What has no
    verdict, for want of a machine, counts nowhere; with `answered_only` neither does what has no answer, which else
    scores 0.
    """
    found: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        if result.outcome in ("pass", "fail"):
            found[result.task_id].append(result)
    if not answered_only:
        answered = {result.task_id for result in results}
        missing = [item for item in asked_items(items, answered) if item.task_id not in answered]
        found.update((item.task_id, [verdict(item, Reading(""))]) for item in missing)
    groups: dict[tuple[Rung, Form, Group, str, str], list[tuple[LadderItem, Result]]] = defaultdict(list)
    for item in items:
        key = (item.rung, item.form, item.group, item.api_name, item.pair)
        groups[key] += [(item, result) for result in found[item.task_id]]
    for key in [key for key in groups if key[0] == "exists" and key[2] in _BASE]:
        rung, form, group, api, pair = key
        groups[key] += [row for row in groups.get((rung, form, _BASE[group], api, pair), []) if row[0].is_invented]
    rows: list[ApiScore] = []
    for (rung, form, group, api, pair), judged in groups.items():
        score = _told_apart(judged) if rung == "exists" else _mean(judged)
        if score is not None:
            family = min(item.family or pair for item, _ in judged)  # releases may tell it by different APIs
            rows.append(
                ApiScore(
                    measure=_MEASURE_OF[rung, form], library=judged[0][0].library, api_name=api, pair=pair,
                    family=family, group=group, score=score,
                )
            )  # fmt: skip
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


def _average(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
