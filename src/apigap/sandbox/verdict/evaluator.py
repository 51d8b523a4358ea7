"""The identity of the code that judges: results of different evaluators are never mixed."""

from pathlib import Path

from apigap.records.sources import source_hash


def evaluator_hash() -> str:
    """Sixteen hex digits of the sha256 over every source file of the execution room, names included."""
    return source_hash(Path(__file__).parent.parent)
