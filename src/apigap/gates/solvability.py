"""C3: a task is informative when a named solver passes it at least once with the full bundle."""

from collections.abc import Sequence

from apigap.gates.record import GateRecord
from apigap.records.result import Result
from apigap.records.task import Task


def solvability_record(task: Task, solver: str, results: Sequence[Result]) -> GateRecord:
    """C3's decision from the verdicts on the solver's answers."""
    passed = sum(result.outcome == "pass" for result in results)
    unjudged = sum(result.outcome == "infra" for result in results)
    cut = sum(result.outcome == "cut" for result in results)
    evidence = {"solver": solver, "samples": len(results), **({"cut": cut} if cut else {})}
    if unjudged and not passed:
        reason = f"{unjudged} of {len(results)} answers of {solver} could not be judged"
        return GateRecord.of(task, "c3", "not run", reason, {**evidence, "unjudged": unjudged})
    some_cut = f" ({cut} answers were cut)" if cut else ""
    reason = None if passed else f"{solver} solves it 0 of {len(results)} times with the full bundle{some_cut}"
    return GateRecord.of(task, "c3", "passed" if passed else "failed", reason, {**evidence, "passed": passed})
