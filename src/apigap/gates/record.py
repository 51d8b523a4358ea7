"""What a gate says of a task."""

from typing import Any, Literal

from apigap.records.base import Record

Gate = Literal["c1", "c2", "c3"]


class GateRecord(Record):
    """One gate's decision on one task; `not run` is never a pass."""

    task_id: str
    api_name: str
    gate: Gate
    status: Literal["passed", "failed", "not run"]
    reason: str | None = None
    evidence: dict[str, Any] = {}
