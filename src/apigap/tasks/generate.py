"""Stage 3's driver: tasks for every API that has usages left, written as it goes, resumable."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from apigap.knowledge.usages.verify import ApiUsages
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.store import Journal, write_records
from apigap.records.task import Task
from apigap.tasks.synthesise import ApiResult

_BATCH = 16


class Writer(Protocol):
    """An author of tasks: the synthesiser, or a model."""

    def write(self, batch: Sequence[tuple[Candidate, ApiUsages]]) -> list[ApiResult]:
        """Tasks for each API of `batch`, in its order; the same input gives the same tasks."""
        ...


class ApiTasks(Record):
    """The result of stage 3 for one API: its tasks, and a reason for every usage that gave none."""

    api_name: str
    tasks: tuple[Task, ...]
    dropped: tuple[str, ...]


def generate(
    candidates: Sequence[Candidate],
    usages: Sequence[ApiUsages],
    writer: Writer,
    tasks_path: Path,
    log_path: Path,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write `stage3_tasks` and, beside it, the log with the reason for every drop.

    Usages of an API that is no candidate are left alone: bundles of a whole release may be used for a few of its APIs.
    """
    by_name = {candidate.api_name: candidate for candidate in candidates}
    with Journal(log_path, ApiTasks) as log:
        done = {entry.api_name for entry in log.done}
        asked = [u for u in usages if u.api_name in by_name]
        waiting = [(by_name[u.api_name], u) for u in asked if u.api_name not in done]
        progress(len(done), len(asked))
        for start in range(0, len(waiting), _BATCH):
            for written in writer.write(waiting[start : start + _BATCH]):
                log.append(ApiTasks(api_name=written.api_name, tasks=written.tasks, dropped=written.dropped))
            progress(len(log.done), len(asked))
        log.finish(lambda entry: entry.api_name)
    tasks = {task.task_id: task for entry in sorted(log.done, key=lambda e: e.api_name) for task in entry.tasks}
    write_records(tasks_path, tasks.values())
