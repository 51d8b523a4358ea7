"""Files of knowledge bundles: those that are named, else those of the starter benchmark in the cache."""

from collections.abc import Sequence
from pathlib import Path

from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.paths import cache_home
from apigap.records.store import load_records


def bundles_folder() -> Path:
    """The folder of the bundles: one file per library in the cache."""
    return cache_home() / "bundles"


def read_bundles(files: Sequence[Path]) -> list[KnowledgeBundle]:
    """The bundles of files of stage 2; without files those of the starter benchmark, where they have been made.

    Raises:
        UsageError: when there is none.
        CorruptRecord: when a file holds something else.
    """
    paths = list(files) or sorted(bundles_folder().glob("*.jsonl"))
    bundles = [bundle for path in paths for bundle in load_records(path, KnowledgeBundle)]
    if not bundles:
        given = ", ".join(map(str, files)) or bundles_folder()
        raise UsageError(
            f"there is no knowledge bundle in {given}; give a file of stage 2 with --knowledge, or make those of the "
            "starter benchmark with: apigap starter bundles"
        )
    return bundles
