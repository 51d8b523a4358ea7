"""The scores of all runs in one form: what one model made of one task, or of one API on a rung of the ladder."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apigap.benchmarks.items.reading_checks import is_reading_check
from apigap.benchmarks.items.scores import CHANCES, MEASURES, api_scores, measure_of
from apigap.explorer.runs import TASKS, Run, Runs
from apigap.records.experiment import BASELINE
from apigap.records.questions.ladder import LadderItem
from apigap.records.result import WITHOUT_VERDICT, Result

TASK_RUNG = "task: passes"
"""The uppermost rung: a task that does not name its API."""
_BY_ITEM = ("effect", "call")


@dataclass(frozen=True)
class Score:
    """The score, 0 to 1, of one `unit` (a task; on the ladder an API) by one column under one condition.

    `cluster` holds what is no independent observation: the API of a task, the piece of news of an API on the ladder.
    `api` is the new or changed API that it tells of; of a control the one that it is the control of.
    """

    subject: str
    condition: str
    rung: str
    library: str
    api: str
    side: str
    change: str
    unit: str
    cluster: str
    value: float


def rung_of(run: Run, item: LadderItem | None) -> str:
    """The rung of a result: a measure of the ladder, tasks, or another benchmark."""
    if item is not None:
        return measure_of(item)
    return TASK_RUNG if run.benchmark == TASKS else f"{run.benchmark}: passes"


def rungs_of(scores: Sequence[Score]) -> list[str]:
    """The rungs that were asked, the lowest first."""
    order = [*MEASURES, TASK_RUNG]
    return sorted({one.rung for one in scores}, key=lambda rung: (order.index(rung) if rung in order else 99, rung))


def chance_of(rung: str) -> float:
    """The score of who knows nothing."""
    return CHANCES.get(rung, 0.0)


def is_check(rung: str, condition: str) -> bool:
    """True where the condition shows the answers themselves, so that its gain is no cure."""
    name = rung.partition(":")[0]
    delivery, _, knowledge = condition.partition(".")
    return delivery != BASELINE.name and rung in MEASURES and is_reading_check(name, knowledge)


def scores_of(found: Runs) -> list[Score]:
    """The scores of all runs, in their order; the same runs give the same scores."""
    changes = changes_of(found)
    return [*_of_tasks(found, changes), *_of_items(found, changes)]


def _of_tasks(found: Runs, changes: Mapping[tuple[str, str], str]) -> Iterator[Score]:
    for run in found.runs:
        own: dict[str, list[Result]] = defaultdict(list)
        for result in run.results:
            if result.task_id not in found.items and result.outcome not in WITHOUT_VERDICT:
                own[result.task_id].append(result)
        for task_id, results in own.items():
            place = place_of(found, run, results[0])
            if place is not None:
                value = sum(result.passed for result in results) / len(results)
                yield Score(
                    run.subject, run.condition, rung_of(run, None), *place, "new", changes.get(place, ""), task_id,
                    " ".join(place), value,
                )  # fmt: skip


def _of_items(found: Runs, changes: Mapping[tuple[str, str], str]) -> Iterator[Score]:
    results: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for run in found.runs:
        own = [one for one in run.results if one.task_id in found.items]
        results[run.subject, run.condition] += [one for one in own if not _is_given_away(found.items, run, one)]
    for (subject, condition), own in results.items():
        asked = {result.task_id for result in own}
        for one in api_scores([item for key, item in found.items.items() if key in asked], own):
            yield Score(
                subject, condition, one.measure, one.library, one.pair, one.group,
                changes.get((one.library, one.pair), ""), f"{one.library} {one.pair} {one.group}",
                f"{one.library} {one.family if one.group in ('new', 'twin') else one.pair}", one.score,
            )  # fmt: skip


def place_of(found: Runs, run: Run, result: Result) -> tuple[str, str] | None:
    """The library and the new API that a result tells of; None where nothing says it."""
    item = found.items.get(result.task_id)
    if item is not None:
        return item.library, item.pair
    task = found.tasks.get(result.task_id)
    if task is not None:
        return task.library, task.api_name
    return (result.part or run.benchmark, result.about) if result.about else None


def evaluators_of(found: Runs) -> dict[tuple[str, str], frozenset[str]]:
    """The hashes of the code that judged, by column and rung."""
    told: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in found.runs:
        for result in run.results:
            told[run.subject, rung_of(run, found.items.get(result.task_id))].add(result.evaluator)
    return {key: frozenset(own) for key, own in told.items()}


def changes_of(found: Runs) -> dict[tuple[str, str], str]:
    """`added` or `modified`, by library and API, of those of which it is known."""
    told = {key: candidate.change for key, candidate in found.candidates.items()}
    told |= {(task.library, task.api_name): task.change for task in found.tasks.values()}
    new = (item for item in found.items.values() if item.group == "new" and item.change != "unchanged")
    return {**told, **{(item.library, item.pair): item.change for item in new}}


def _is_given_away(items: Mapping[str, LadderItem], run: Run, result: Result) -> bool:
    """True where the prompt of an item held its answer, though those of its rung do not."""
    return (
        run.condition != BASELINE.name and bool(result.detail.get("shown")) and items[result.task_id].rung in _BY_ITEM
    )


def of_ladder(rung: str) -> bool:
    """True for a rung of single questions, where all APIs of one piece of news count as one."""
    return rung in MEASURES
