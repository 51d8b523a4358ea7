"""Choice of the tasks to ask when there are more than the time allows."""

from collections import Counter
from collections.abc import Iterator, Sequence

from apigap.records.task import Task


def select_tasks(tasks: Sequence[Task], most: int) -> list[Task]:
    """At most `most` tasks (0: all), spread over APIs and libraries; the same tasks give the same choice.

    Every API gives one task before any gives a second one, and in each round the libraries take turns.
    """
    if most <= 0 or len(tasks) <= most:
        return list(tasks)
    kept = {task.task_id for task in spread(tasks)[:most]}
    return [task for task in tasks if task.task_id in kept]


def spread(tasks: Sequence[Task]) -> list[Task]:
    """The tasks in such an order that any first part of it is spread over libraries and APIs."""
    return [task for _, task in sorted(_ranked(tasks), key=lambda entry: entry[0])]


def _ranked(tasks: Sequence[Task]) -> Iterator[tuple[tuple[int, int, str], Task]]:
    """Each task with its rank: the round of its API, its place in that round within its library, the library.

    Inside a round tasks come by task_id, which is as good as random.
    """
    rounds: Counter[str] = Counter()
    places: Counter[tuple[str, int]] = Counter()
    for task in sorted(tasks, key=lambda task: task.task_id):
        rounds[task.api_name] += 1
        turn = rounds[task.api_name]
        places[task.library, turn] += 1
        yield (turn, places[task.library, turn], task.library), task
