"""Files of knowledge bundles: those that are named, else those of the starter benchmark in the cache."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.paths import cache_home
from apigap.records.store import load_records
from apigap.records.task import Task

_Pair = tuple[str, str | None, str]
"""A library, and the releases that its tasks compare."""


def bundles_folder() -> Path:
    """The folder of the starter benchmark's bundles in the cache: EDITION/LIBRARY.jsonl."""
    return cache_home() / "bundles"


def read_bundles(files: Sequence[Path], tasks: Sequence[Task] = ()) -> list[KnowledgeBundle]:
    """The bundles of files of stage 2; without files those of the starter benchmark, where they have been made.

    Of the starter's editions these are, for each pair of releases of `tasks`, the one that has most of its APIs: a
    release may be in several, and be compared with another one there. Libraries that no task is about are left out, so
    that an experiment stays the same when bundles of another library are made.

    Raises:
        UsageError: when there is none.
        CorruptRecord: when a file holds something else.
    """
    paths = list(files)
    bundles = [b for path in paths for b in load_records(path, KnowledgeBundle)] if paths else _of_editions(tasks)
    if not bundles:
        given = ", ".join(map(str, files)) or bundles_folder()
        libraries = {task.library for task in tasks}
        which = f" --library {libraries.pop()}" if len(libraries) == 1 else ""
        raise UsageError(
            f"there is no knowledge bundle in {given}; give a file of stage 2 with --knowledge, or make those of the "
            f"starter benchmark with: apigap starter bundles{which}"
        )
    return bundles


def _of_editions(tasks: Sequence[Task]) -> list[KnowledgeBundle]:
    """The bundles of the editions in the cache that `tasks` are of, the oldest first."""
    folders = {
        folder: [bundle for path in sorted(folder.glob("*.jsonl")) for bundle in load_records(path, KnowledgeBundle)]
        for folder in sorted(bundles_folder().glob("*"))
    }
    wanted: dict[_Pair, set[str]] = defaultdict(set)
    for task in tasks:
        wanted[task.library, task.old_version, task.version].update(task.apis)
    libraries = {task.library for task in tasks}
    chosen: set[Path] = set()
    for pair, names in wanted.items():
        there = {
            folder: len(names & {b.api_name for b in own if (b.library, b.old_version, b.version) == pair})
            for folder, own in folders.items()
        }
        best = max(there, key=there.__getitem__, default=None)
        if best is not None and there[best]:
            chosen.add(best)
    return [
        bundle for folder, own in folders.items() if folder in chosen for bundle in own if bundle.library in libraries
    ]
