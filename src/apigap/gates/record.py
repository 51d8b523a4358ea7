"""What a gate says of a task."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from apigap.records.base import Record

Gate = Literal["c1", "c2", "c3"]
Status = Literal["passed", "failed", "not run"]


class GateRecord(Record):
    """One gate's decision on one task; `not run` is never a pass.

    Where answers could not be judged, `evidence` says how many (`unjudged`).
    """

    task_id: str
    api_name: str
    gate: Gate
    status: Status
    reason: str | None = None
    evidence: dict[str, Any] = {}

    @property
    def undecided(self) -> bool:
        """Whether infrastructure kept the gate from a decision: a later run tries again."""
        return self.status == "not run" and (self.gate == "c1" or "unjudged" in self.evidence)

    @property
    def lets_pass(self) -> bool:
        """Whether the task goes on: it passed, or it is C3's, which nobody was asked for."""
        return self.status == "passed" or (self.gate == "c3" and self.status == "not run" and not self.undecided)


def undecided_counts(records: Iterable[GateRecord]) -> dict[str, int]:
    """How many decisions are wanting, by gate; for a manifest."""
    return dict(sorted(Counter(f"{record.gate} undecided" for record in records if record.undecided).items()))
