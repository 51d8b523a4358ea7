"""Facts of tasks, such as the API and the difficulty: results name tasks by their id alone."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ConfigDict

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.store import read_records
from apigap.tasks.starter_files import starter_files, tasks_path

_WRITTEN = (("raw", "stage3_tasks.*.jsonl"), ("processed/groups", "tasks.jsonl"))
"""Places where a data folder has tasks: of libraries, and of groups, which may be built from any file."""


class TaskFacts(Record):
    """The facts that a comparison groups tasks by; read from any tasks file that has at least the id and the API.

    `change` is `added` or `modified`, `difficulty` easy, medium or hard; None where the file does not say.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str
    api_name: str
    library: str = ""
    change: str | None = None
    difficulty: str | None = None


def find_tasks(data: Path | None = None, given: Sequence[Path] = ()) -> dict[str, TaskFacts]:
    """Facts by task id, of the tasks of `task_files`.

    Raises:
        CorruptRecord: when a line has no task id or no API.
    """
    return {facts.task_id: facts for path in task_files(data, given) for facts in read_records(path, TaskFacts)}


def task_files(data: Path | None = None, given: Sequence[Path] = ()) -> list[Path]:
    """The `given` tasks files, else those of a data folder and of the starter benchmark."""
    if given:
        return [tasks_path(path) for path in given]
    written = [path for folder, name in _WRITTEN for path in sorted((data / folder).rglob(name))] if data else []
    return [*starter_files(), *written]


def facts_of(task_ids: Iterable[str], known: dict[str, TaskFacts], where: str) -> dict[str, TaskFacts]:
    """The facts of every one of `task_ids`.

    Raises:
        UsageError: when a task is unknown: without its API no interval could be right.
    """
    wanted = sorted(set(task_ids))
    unknown = [task_id for task_id in wanted if task_id not in known]
    if unknown:
        raise UsageError(
            f"{where}: no tasks file at hand holds {len(unknown)} of its {len(wanted)} tasks, first {unknown[0]}; "
            "give the file that was answered with --tasks FILE"
        )
    return {task_id: known[task_id] for task_id in wanted}
