"""Checked cases as they are kept on disk: a validation that was ended goes on behind the last of them."""

from typing import Self

from apigap.gates.battery.check import Judged
from apigap.records.base import Record
from apigap.records.result import FailureLabel, Outcome
from apigap.records.task import Task

Key = tuple[str, str, int, str]


class CheckedCase(Record):
    """One case of the battery on one API of a task, with its verdict.

    `problem` says what is wrong with that, if anything; then the code is kept as well.
    """

    task_id: str
    api_name: str
    family: int
    name: str
    outcome: Outcome
    reason: str
    label: FailureLabel | None = None
    problem: str | None = None
    code: str | None = None

    @classmethod
    def of(cls, task: Task, api_name: str, judged: Judged) -> Self:
        """The record of a case on `api_name`, one of the task's APIs, that was judged."""
        case, verdict = judged.case, judged.verdict
        return cls(
            task_id=task.task_id, api_name=api_name, family=case.family, name=case.name,
            outcome=verdict.outcome, reason=str(verdict.detail.get("reason")), label=judged.label,
            problem=judged.problem, code=case.code if judged.problem else None,
        )  # fmt: skip

    @property
    def key(self) -> Key:
        """The task, its API, the family and the case: no two records have the same."""
        return self.task_id, self.api_name, self.family, self.name

    @property
    def told(self) -> str | None:
        """The fault, naming task and case; None when there is none."""
        if self.problem is None:
            return None
        return f"{self.api_name} ({self.task_id}), family {self.family}, {self.name}: {self.problem}"
