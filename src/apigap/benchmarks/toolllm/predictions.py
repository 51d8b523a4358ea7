"""Answers to queries: predictions of any source, or the recorded runs of a ToolBench answer file."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.toolllm.queries import Query
from apigap.benchmarks.toolllm.trees import recorded_query, tree_text
from apigap.evaluation.predictions import Answers, read_predictions
from apigap.records.parsing.json_shapes import is_object
from apigap.records.result import Prediction
from apigap.records.store import read_bytes


def read_answers(path: Path, queries: Sequence[Query]) -> Answers:
    """The predictions of a JSONL file, or the recorded runs of a ToolBench answer file.

    Recorded runs are matched by id and text, since other splits use the same ids for other queries; those that match
    no query are counted.

    Raises:
        CorruptRecord: for a file of neither kind, a prediction of an unknown query, or two of one query.
    """
    recorded = _recorded(path)
    if recorded is not None:
        texts = {query.task_id: query.question for query in queries}
        ours = {key: run for key, run in recorded.items() if texts.get(key) == recorded_query(run)}
        predictions = [Prediction(task_id=key, samples=(tree_text(run),)) for key, run in ours.items()]
        return Answers(tuple(predictions), len(recorded) - len(ours))
    return read_predictions(path, {query.task_id for query in queries})


def _recorded(path: Path) -> dict[str, Any] | None:
    """The runs of a ToolBench answer file by query id; None where the file is something else."""
    try:
        value: Any = json.loads(read_bytes(path))
    except (ValueError, RecursionError):
        return None
    if not is_object(value) or "task_id" in value or not all(is_object(run) for run in value.values()):
        return None
    return value
