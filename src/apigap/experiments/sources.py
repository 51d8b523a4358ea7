"""Sources of an experiment's tasks and bundles."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.experiments.group_config import find_group
from apigap.experiments.groups import BUNDLES, group_folder
from apigap.knowledge.bundle_files import read_bundles
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.task import Task
from apigap.tasks.starter_files import STARTER
from apigap.tasks.task_choice import spread, younger_than
from apigap.tasks.task_files import load_tasks


@dataclass(frozen=True)
class Source:
    """Tasks, and all bundles of their `group`; `without` are the ids of tasks left out for want of a bundle."""

    group: str
    tasks: tuple[Task, ...]
    bundles: tuple[KnowledgeBundle, ...]
    without: tuple[str, ...]


def read_source(
    tasks: Path, knowledge: Sequence[Path], limit: int = 0, since: str | None = None, *, shown: bool = True
) -> Source:
    """The tasks of a file, at most `limit` (0: all), spread over libraries and APIs, whose API has a bundle.

    With `since` only those on what first appeared on that day or later.

    Those come first whose bundle has all components: to them every condition applies. Without `knowledge` files the
    bundles of the starter benchmark serve, where they have been made. Where nothing of them is `shown`, tasks without
    one are taken too.

    Raises:
        UsageError: when no task has a bundle, or none is as young.
        CorruptRecord: when a file does not hold what it must.
    """
    found = younger_than(load_tasks(tasks), since)
    bundles = {bundle.api_name: bundle for bundle in (read_bundles(knowledge, found) if shown or knowledge else ())}
    known = [task for task in found if task.api_name in bundles or not shown]
    if not known:
        given = ", ".join(map(str, knowledge)) or "the starter benchmark's bundles"
        raise UsageError(
            f"none of the {len(found)} tasks of {tasks} has its API's bundle in {given}; give another --knowledge"
        )
    chosen = sorted(spread(known), key=lambda task: not (task.api_name in bundles and bundles[task.api_name].is_whole))
    without = tuple(task.task_id for task in found if shown and task.api_name not in bundles)
    group = tasks.stem if knowledge else STARTER.name
    return Source(group, tuple(chosen[: limit or None]), tuple(bundles[name] for name in sorted(bundles)), without)


def read_group(group: str, model: str, root: Path, limit: int = 0) -> Source:
    """The tasks of a built group that are for the test, with the bundles of the whole group.

    Raises:
        UsageError: when there is no such group, or it has not been built for the model.
    """
    return _part(group, model, root, "test", limit)


def read_training(group: str, model: str, root: Path, limit: int = 0) -> Source:
    """The tasks of a built group that are for training; see `read_group`."""
    return _part(group, model, root, "train", limit)


def _part(group: str, model: str, root: Path, part: str, limit: int) -> Source:
    name = find_group(group).name
    folder = group_folder(root, name, model)
    if not (folder / BUNDLES).exists():
        raise UsageError(f"there is no {folder}; make it with: apigap group build {name} --model {model}")
    if not (folder / f"{part}.jsonl").exists() or not (folder / f"{part}.jsonl").stat().st_size:
        raise UsageError(
            f"the group {name} has no tasks for {part}; take one with a training share (all_pooled_paper), make "
            "your own with: apigap group add NAME LIBRARIES --train-share 0.8, or give --tasks"
        )
    found = read_source(folder / f"{part}.jsonl", [folder / BUNDLES], limit)
    return Source(name, found.tasks, found.bundles, found.without)
