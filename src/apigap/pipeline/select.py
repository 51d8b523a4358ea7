"""Which tasks to ask when there are more than the time allows."""

from collections.abc import Sequence

from apigap.records.task import Task


def select_tasks(tasks: Sequence[Task], most: int) -> list[Task]:
    """At most `most` tasks (0: all), spread over libraries, then over APIs; the same tasks give the same choice.

    Libraries take turns, and each gives a task of an API that has none yet before it gives a second one.
    """
    if most <= 0 or len(tasks) <= most:
        return list(tasks)
    queues = {library: _by_turns([t for t in tasks if t.library == library]) for library in _libraries(tasks)}
    chosen: list[Task] = []
    while len(chosen) < most:
        for queue in queues.values():
            if queue and len(chosen) < most:
                chosen.append(queue.pop(0))
    kept = {task.task_id for task in chosen}
    return [task for task in tasks if task.task_id in kept]


def _libraries(tasks: Sequence[Task]) -> list[str]:
    return sorted({task.library for task in tasks})


def _by_turns(tasks: Sequence[Task]) -> list[Task]:
    """First one task of every API, then the second ones; within a turn by task_id, which is as good as random."""
    turn: dict[str, int] = {}
    ranked: list[tuple[int, str, Task]] = []
    for task in sorted(tasks, key=lambda task: task.task_id):
        turn[task.api_name] = turn.get(task.api_name, 0) + 1
        ranked.append((turn[task.api_name], task.task_id, task))
    return [task for _, _, task in sorted(ranked, key=lambda entry: entry[:2])]
