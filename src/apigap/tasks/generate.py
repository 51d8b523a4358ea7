"""Stage 3's driver: tasks for every API that has usages left, written as it goes, resumable."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from apigap.knowledge.usages.verify import ApiUsages
from apigap.records.base import Record
from apigap.records.candidate import Candidate
from apigap.records.store import Journal, write_records
from apigap.records.task import Task
from apigap.tasks.synthesise import AUTHOR, ApiResult
from apigap.tasks.worth.copies import one_of_each_family

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
        log.done[:] = _without_copies(log.done)
        log.finish(lambda entry: entry.api_name)
    tasks = {task.task_id: task for entry in sorted(log.done, key=lambda e: e.api_name) for task in entry.tasks}
    write_records(tasks_path, tasks.values())


def _without_copies(entries: Sequence[ApiTasks]) -> list[ApiTasks]:
    """The entries with one synthesised task of each family of near-copies: that of the API with the shortest path."""
    ordered = sorted(entries, key=lambda entry: (entry.api_name.count("."), entry.api_name))
    _, copies = one_of_each_family([task for entry in ordered for task in entry.tasks if task.author == AUTHOR])
    return [_without(entry, copies) for entry in ordered]


def _without(entry: ApiTasks, copies: Mapping[str, str]) -> ApiTasks:
    reasons = [
        f"{', '.join(task.provenance)}: it is a near-copy of a task of {copies[task.task_id]}"
        for task in entry.tasks
        if task.task_id in copies
    ]
    kept = tuple(task for task in entry.tasks if task.task_id not in copies)
    return entry.model_copy(update={"tasks": kept, "dropped": (*entry.dropped, *reasons)}) if reasons else entry
