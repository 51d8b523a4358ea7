"""C2: a task is new to a model when no answer that it gives without knowledge passes.

Answers are asked one round after the other, and a task that passed once is asked no further: one pass decides. What
was seen says how new the task is: the chance that a further answer fails, with its interval.
"""

from collections.abc import Sequence
from typing import Literal

from apigap.gates.record import GateRecord
from apigap.records.base import Record
from apigap.records.result import Result
from apigap.records.task import Task

KNOWN_RATE = 0.2
"""A model that passes more often than this knows the API, whatever eight answers show."""
_PRIOR = 0.5


class Boundary(Record):
    """The place of a release pair, or of one of its tasks, against a model's training cutoff.

    `member`: no stable release came between the old version and the cutoff, and the new one is after it, so what is
    new cannot have been seen. `open`: something came in between, or the new version is from before. `unknown`: the
    cutoff, or the day of a release, is not known. `untold`: infrastructure kept it from being told, so a later run asks
    again. `before` is the newest release before the cutoff, where one came in between: what its references say decides
    for each task.
    """

    status: Literal["member", "open", "unknown", "untold"]
    reason: str
    before: str | None = None


class Novelty(Record):
    """The chance that a further answer without knowledge fails: Jeffreys' estimate and its 95 % interval.

    `probability_new` is the posterior probability that the model passes at most `KNOWN_RATE` of the time. Stopping at
    the first pass changes neither, since it does not change the likelihood.
    """

    estimate: float
    low: float
    high: float
    probability_new: float


def novelty_of(failed: int, passed: int) -> Novelty:
    """Novelty from so many failed and passed answers, with Jeffreys' prior Beta(1/2, 1/2)."""
    from scipy.special import betainc, betaincinv  # pyright: ignore[reportMissingTypeStubs]

    a, b = failed + _PRIOR, passed + _PRIOR
    low, high = (float(betaincinv(a, b, level)) for level in (0.025, 0.975))
    return Novelty(
        estimate=round(a / (a + b), 4),
        low=0.0 if not failed else round(low, 4),
        high=1.0 if not passed else round(high, 4),
        probability_new=round(float(betainc(b, a, KNOWN_RATE)), 4),
    )


def novelty_record(
    task: Task, results: Sequence[Result], boundary: Boundary | None = None, require_boundary: bool = False
) -> GateRecord:
    """C2's decision from the verdicts on the answers; an answer without a verdict is no evidence of novelty.

    A task whose answers were all cut fails: asked again, the model would give the same.
    """
    passed = sum(result.outcome == "pass" for result in results)
    unjudged = sum(result.outcome == "infra" for result in results)
    cut = sum(result.outcome == "cut" for result in results)
    untold = require_boundary and boundary is not None and boundary.status == "untold"
    evidence = {
        "samples": len(results),
        "passed": passed,
        "outcomes": [result.outcome for result in results],
        "labels": [result.label for result in results],
        "novelty": novelty_of(len(results) - passed - unjudged - cut, passed).model_dump(mode="json"),
        "boundary": boundary.model_dump(mode="json") if boundary else None,
        **({"unjudged": unjudged} if unjudged or untold else {}),
        **({"cut": cut} if cut else {}),
    }
    status, reason = "passed", None
    if passed:
        status, reason = "failed", f"the model passes {passed} of {len(results)} times without knowledge"
    elif require_boundary and boundary is not None and boundary.status == "open":
        status, reason = "failed", f"it may be older than the model's cutoff: {boundary.reason}"
    elif untold and boundary is not None:
        status, reason = "not run", f"whether it lies beyond the cutoff cannot be told now: {boundary.reason}"
    elif unjudged:
        status, reason = "not run", f"{unjudged} of {len(results)} answers could not be judged"
    elif results and cut == len(results):
        status, reason = "failed", f"no answer is whole ({cut} cut): whether the model knows it cannot be told"
    return GateRecord.of(task, "c2", status, reason, evidence)
