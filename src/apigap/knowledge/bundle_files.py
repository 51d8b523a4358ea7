"""Files of knowledge bundles: those that are named, else those of the starter benchmark in the cache."""

from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.paths import cache_home
from apigap.records.store import load_records
from apigap.records.task import Task


def bundles_folder() -> Path:
    """The folder of the starter benchmark's bundles in the cache: EDITION/LIBRARY.jsonl."""
    return cache_home() / "bundles"


def read_bundles(files: Sequence[Path], tasks: Sequence[Task] = ()) -> list[KnowledgeBundle]:
    """The bundles of files of stage 2; without files those of the starter benchmark, where they have been made.

    Of the starter's editions these are the ones that a release of `tasks` is in: an API may be in several.

    Raises:
        UsageError: when there is none.
        CorruptRecord: when a file holds something else.
    """
    paths = list(files)
    bundles = [b for path in paths for b in load_records(path, KnowledgeBundle)] if paths else _of_editions(tasks)
    if not bundles:
        given = ", ".join(map(str, files)) or bundles_folder()
        raise UsageError(
            f"there is no knowledge bundle in {given}; give a file of stage 2 with --knowledge, or make those of the "
            "starter benchmark with: apigap starter bundles"
        )
    return bundles


def _of_editions(tasks: Sequence[Task]) -> list[KnowledgeBundle]:
    """The bundles of every edition in the cache that has a release of `tasks`, the oldest first."""
    releases = {(task.library, task.version) for task in tasks}
    found: list[KnowledgeBundle] = []
    for folder in sorted(path for path in bundles_folder().glob("*") if path.name != "work"):
        own = [bundle for path in sorted(folder.glob("*.jsonl")) for bundle in load_records(path, KnowledgeBundle)]
        if any((bundle.library, bundle.version) in releases for bundle in own):
            found += own
    return found
