"""Tasks files: every task of one is there once and observes something."""

from pathlib import Path

from apigap.records.errors import CorruptRecord
from apigap.records.store import load_records
from apigap.records.task import Task


def load_tasks(source: Path) -> list[Task]:
    """The tasks of a file.

    Raises:
        CorruptRecord: for an empty file, a line that is no task, a task without an observation, or one twice.
    """
    tasks = load_records(source, Task)
    if not tasks:
        raise CorruptRecord(f"{source} holds no task; give a file that `apigap generate` or `apigap filter` wrote")
    seen: set[str] = set()
    for task in tasks:
        if task.task_id in seen:
            raise CorruptRecord(f"{source} holds task {task.task_id} twice")
        seen.add(task.task_id)
        if not all(scenario.observations for scenario in task.harness.scenarios):
            raise CorruptRecord(f"{source}: task {task.task_id} observes nothing, so nothing could fail it")
    return tasks
