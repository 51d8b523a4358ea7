"""Bundles and tasks as NovelAPIBench publishes them: its file names, its fields (docs/novelapibench.md)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi_release.files import BUNDLES, TASKS
from apigap.exports.published_test import harness_of
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.release import ReleaseBundle, ReleaseRecord, ReleaseTask
from apigap.records.store import write_records
from apigap.records.task import Task


def write_published_bundles(folder: Path, bundles: Sequence[KnowledgeBundle], domains: Mapping[str, str]) -> Path:
    """Write `bundles.jsonl` into the folder of a release; `domains` are those of the libraries."""
    return _write(folder / BUNDLES, [ReleaseBundle.from_knowledge(b, domains.get(b.library, "")) for b in bundles])


def write_published_tasks(folder: Path, tasks: Sequence[Task]) -> Path:
    """Write `tasks.jsonl` into the folder of a release; a line also says the `version` that the task is for."""
    return _write(folder / TASKS, map(published_task, tasks))


def published_task(task: Task) -> ReleaseTask:
    """A task in the release's fields. Its id stays ours: it is the hash of what was judged here."""
    return ReleaseTask(
        task_id=task.task_id,
        api_name=task.api_name,
        library=task.library,
        domain=task.domain,
        difficulty=task.difficulty,
        description=task.description,
        context_code=task.context_code,
        masked_region=task.masked_region,
        reference_solution=task.reference_solution,
        test_harness=harness_of(task),
        version=task.version,
    )


def _write(path: Path, records: Iterable[ReleaseRecord]) -> Path:
    found = list(records)
    if not found:
        raise UsageError(f"there is nothing to write to {path}; name a file that holds some")
    write_records(path, found)
    return path
