"""Where an experiment's tasks and bundles come from."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi import NovelApi
from apigap.pipeline.select import spread
from apigap.pipeline.starter import STARTER
from apigap.pipeline.starter_bundles import bundles_folder
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.store import load_records
from apigap.records.task import Task


@dataclass(frozen=True)
class Source:
    """Tasks with their bundles by API; `without` are the ids of tasks that are left out for want of a bundle."""

    tasks: tuple[Task, ...]
    bundles: dict[str, KnowledgeBundle]
    without: tuple[str, ...]


def read_source(tasks: Path, knowledge: Sequence[Path], limit: int = 0) -> Source:
    """The tasks of a file, at most `limit` (0: all), spread over libraries and APIs, whose API has a bundle.

    Without `knowledge` files the bundles of the starter benchmark serve, where they have been made.

    Raises:
        UsageError: when no task has a bundle.
        CorruptRecord: when a file does not hold what it must.
    """
    files = list(knowledge) or sorted(bundles_folder().glob("*.jsonl"))
    bundles = {bundle.api_name: bundle for file in files for bundle in load_records(file, KnowledgeBundle)}
    found = NovelApi.load(tasks)
    known = [task for task in found if task.api_name in bundles]
    if not known:
        given = ", ".join(map(str, files)) or "no file"
        raise UsageError(
            f"none of the {len(found)} tasks of {tasks} has a knowledge bundle in {given}; give its file with "
            f"--knowledge, or make those of the {STARTER.name} benchmark with: apigap starter bundles"
        )
    chosen = spread(known)[: limit or None]
    without = tuple(task.task_id for task in found if task.api_name not in bundles)
    return Source(tuple(chosen), {task.api_name: bundles[task.api_name] for task in chosen}, without)
