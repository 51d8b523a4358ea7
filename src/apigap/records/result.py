"""Evaluation: answers of a model, and the verdict on each."""

from typing import Any, Literal

from pydantic import ConfigDict

from apigap.records.base import Record

Outcome = Literal["pass", "fail", "infra", "suspect"]
FailureLabel = Literal["WrongAPISelection", "WrongImport", "WrongSyntax", "WrongParam", "WrongShapeDtype", "WrongLogic"]
FAILURE_LABELS: tuple[FailureLabel, ...] = (
    "WrongAPISelection", "WrongImport", "WrongSyntax", "WrongParam", "WrongShapeDtype", "WrongLogic",
)  # fmt: skip


class Prediction(Record):
    """Raw response texts to one task; any further key is kept as it came."""

    model_config = ConfigDict(frozen=True, extra="allow")

    task_id: str
    samples: tuple[str, ...]


class Result(Record):
    """The verdict on one sample.

    `score` is 1.0 for a pass and the share of scenario observations that hold otherwise, for reading only.
    `label` is one of the six classes for a fail and null for everything else. `evaluator` is the hash of the
    code that judged; results of different evaluators are never mixed.
    """

    task_id: str
    sample: int
    outcome: Outcome
    passed: bool
    score: float
    label: FailureLabel | None
    detail: dict[str, Any]
    evaluator: str
    seconds: float
