"""C2: a task is new to a model when every answer that it gives without knowledge fails."""

from collections.abc import Iterable, Sequence

from apigap.gates.record import GateRecord
from apigap.records.result import Result
from apigap.records.task import Task


def novelty_record(task: Task, results: Sequence[Result]) -> GateRecord:
    """C2's decision from the verdicts on the answers; an answer without a verdict is no evidence of novelty."""
    passed = sum(result.outcome == "pass" for result in results)
    unjudged = sum(result.outcome == "infra" for result in results)
    evidence = {
        "samples": len(results),
        "passed": passed,
        "outcomes": [result.outcome for result in results],
        "labels": [result.label for result in results],
    }
    status, reason = "passed", None
    if passed:
        status, reason = "failed", f"the model passes {passed} of {len(results)} times without knowledge"
    elif unjudged:
        status, reason = "not run", f"{unjudged} of {len(results)} answers could not be judged"
    return GateRecord(
        task_id=task.task_id,
        api_name=task.api_name,
        gate="c2",
        status=status,
        reason=reason,
        evidence=evidence,
    )


def not_run(tasks: Iterable[Task], gate: str, reason: str) -> list[GateRecord]:
    """Records of a gate that was not run."""
    return [
        GateRecord.model_validate(
            {"task_id": t.task_id, "api_name": t.api_name, "gate": gate, "status": "not run", "reason": reason}
        )
        for t in tasks
    ]
