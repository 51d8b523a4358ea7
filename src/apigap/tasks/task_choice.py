"""Choice of the tasks to ask when there are more than the time allows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from apigap.records.errors import UsageError
from apigap.records.task import Task


def select_tasks(tasks: Sequence[Task], most: int, places: Mapping[str, int] | None = None) -> list[Task]:
    """At most `most` tasks (0: all), spread over APIs and libraries; the same tasks give the same choice.

    Every API gives one task before any gives a second one, and in each round the libraries take turns. Within a round
    the APIs of a library come by their `places`, where these are given.
    """
    if most <= 0 or len(tasks) <= most:
        return list(tasks)
    kept = {task.task_id for task in spread(tasks, places)[:most]}
    return [task for task in tasks if task.task_id in kept]


def younger_than(tasks: Sequence[Task], since: str | None) -> list[Task]:
    """The tasks on what certainly first appeared on the day `since` (YYYY-MM-DD) or later; all without a day.

    Raises:
        UsageError: when it is no day, no task is dated, or none is as young.
    """
    if since is None:
        return list(tasks)
    try:
        day = date.fromisoformat(since)
    except ValueError:
        raise UsageError(f"{since!r} is no day; give one as 2026-08-01") from None
    days = [task.since.released if task.since else None for task in tasks]
    if not any(days):
        raise UsageError("these tasks do not say since when their APIs are there; those of the starter benchmark do")
    kept = [task for task, released in zip(tasks, days, strict=True) if released is not None and released >= day]
    if not kept:
        newest = max(released for released in days if released)
        raise UsageError(f"none of the {len(tasks)} tasks is on an API from {day} or later; the newest is of {newest}")
    return kept


def spread(tasks: Sequence[Task], places: Mapping[str, int] | None = None) -> list[Task]:
    """The tasks in such an order that any first part of it is spread over libraries and APIs."""
    return [task for _, task in sorted(_ranked(tasks, places or {}), key=lambda entry: entry[0])]


def _ranked(tasks: Sequence[Task], places: Mapping[str, int]) -> Iterator[tuple[tuple[int, int, str], Task]]:
    """Each task with its rank: the round of its API, its place in that round within its library, the library.

    Inside a round tasks come by the places of their APIs, then by task_id, which is as good as random.
    """
    rounds: Counter[str] = Counter()
    taken: Counter[tuple[str, int]] = Counter()
    for task in sorted(tasks, key=lambda task: (places.get(task.api_name, len(places)), task.task_id)):
        rounds[task.api_name] += 1
        turn = rounds[task.api_name]
        taken[task.library, turn] += 1
        yield (turn, taken[task.library, turn], task.library), task
