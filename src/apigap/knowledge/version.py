"""The identity of the code that makes bundles: a lock of their hashes holds for it alone."""

from pathlib import Path

from apigap.records.sources import source_hash


def knowledge_hash() -> str:
    """The hash of every source file of the knowledge room."""
    return source_hash(Path(__file__).parent)
