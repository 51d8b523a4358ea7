"""Predictions of any source: every one answers a known task, once."""

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.records.errors import CorruptRecord
from apigap.records.names import first_of
from apigap.records.result import Prediction
from apigap.records.store import load_records


class Answers(NamedTuple):
    """Predictions for known tasks. `strangers` counts recorded runs of other tasks, which are left out."""

    predictions: tuple[Prediction, ...]
    strangers: int = 0


def read_predictions(path: Path, task_ids: Collection[str], left_out: Collection[str] = ()) -> Answers:
    """The predictions of a JSONL file; those for tasks that are `left_out` of the score are left out as well.

    Raises:
        CorruptRecord: for a prediction of an unknown task, or two of one task.
    """
    predictions = load_records(path, Prediction)
    counts = Counter(prediction.task_id for prediction in predictions)
    unknown = [task_id for task_id in counts if task_id not in task_ids and task_id not in left_out]
    twice = [task_id for task_id, count in counts.items() if count > 1]
    if unknown:
        raise CorruptRecord(f"{path} answers {_named(unknown)} that the benchmark does not hold")
    if twice:
        raise CorruptRecord(f"{path} answers {_named(twice)} more than once; keep one line with all its samples")
    return Answers(tuple(prediction for prediction in predictions if prediction.task_id in task_ids))


def _named(ids: Sequence[str]) -> str:
    """The number of tasks, and the first few of them."""
    return f"{len(ids)} task{'s' if len(ids) > 1 else ''} ({first_of(ids, 3)})"
