"""The decision of a gate on a task, as it is kept on disk."""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, Self, get_args

from apigap.records.base import Json, Record
from apigap.records.task import Task

Gate = Literal["c1", "reading", "c2", "c3"]
"""C1 to C3 are those of NovelAPIBench (stage 4); in `reading` a model says which tasks are fit to publish."""
GATES: tuple[Gate, ...] = get_args(Gate)
"""In the order in which tasks go through them."""
Status = Literal["passed", "failed", "not run"]


class GateRecord(Record):
    """The decision of one gate on one task; `not run` is never a pass.

    Where answers could not be judged, `evidence` says how many (`unjudged`).
    """

    task_id: str
    api_name: str
    gate: Gate
    status: Status
    reason: str | None = None
    evidence: dict[str, Json] = {}

    @classmethod
    def of(
        cls, task: Task, gate: Gate, status: Status, reason: str | None = None, evidence: dict[str, Json] | None = None
    ) -> Self:
        """The decision of `gate` on `task`."""
        named = {"task_id": task.task_id, "api_name": task.api_name}
        return cls(**named, gate=gate, status=status, reason=reason, evidence=evidence or {})

    @property
    def undecided(self) -> bool:
        """True where infrastructure kept the gate from a decision: a later run tries again."""
        return self.status == "not run" and (self.gate == "c1" or "unjudged" in self.evidence)

    @property
    def lets_pass(self) -> bool:
        """True where the task goes on: it passed, or it is C3's, which nobody was asked for."""
        return self.status == "passed" or (self.gate == "c3" and self.status == "not run" and not self.undecided)


def undecided_counts(records: Iterable[GateRecord]) -> dict[str, int]:
    """The number of decisions that are wanting, by gate; for a manifest."""
    return dict(sorted(Counter(f"{record.gate} undecided" for record in records if record.undecided).items()))


def not_run(tasks: Iterable[Task], gate: Gate, reason: str) -> list[GateRecord]:
    """Records of a gate that was not run on these tasks."""
    return [GateRecord.of(task, gate, "not run", reason) for task in tasks]
