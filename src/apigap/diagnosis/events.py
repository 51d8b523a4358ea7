"""Events of an answer's runs, gathered from all runs of a verdict."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from apigap.diagnosis.finding import exception_text
from apigap.diagnosis.sketch import Sketch
from apigap.diagnosis.target import Target
from apigap.records.result import Outcome
from apigap.records.run import CallRecord, ExceptionRecord, Phase, RunRecord

Reached = Literal["completed", "attempted", "never"]


class VerdictLike(Protocol):
    """The part of a verdict that the diagnosis reads: plain `runs`, one per scenario, and the `recorded` run."""

    @property
    def outcome(self) -> Outcome:
        """The verdict."""
        ...

    @property
    def detail(self) -> Mapping[str, Any]:
        """The judge's findings; `reason` is read."""
        ...

    @property
    def runs(self) -> tuple[RunRecord, ...]:
        """The plain runs in the order of the task's scenarios."""
        ...

    @property
    def recorded(self) -> RunRecord | None:
        """The run in which calls of the target were watched."""
        ...


@dataclass(frozen=True)
class Events:
    """The facts that the decision table asks for.

    `exception` is the first that ended a run, `phase` where; `calls` are the candidate's own calls of the
    target, `foreign` those that other code made. `reached` says how far the candidate got with the target, `warned`
    is what the runs wrote to standard error.
    """

    exception: ExceptionRecord | None
    phase: Phase | None
    limit: str | None
    exited: bool
    tampered: str | None
    calls: tuple[CallRecord, ...]
    foreign: tuple[CallRecord, ...]
    observe_errors: dict[str, ExceptionRecord]
    reached: Reached
    warned: str

    @property
    def failing_call(self) -> CallRecord | None:
        """The candidate's last call of the target, when it did not complete."""
        return self.calls[-1] if self.calls and not self.calls[-1].completed else None


def gather(verdict: VerdictLike, target: Target, text: Sketch) -> Events:
    """Gather the events of `verdict`; plain runs speak before the recorded one."""
    runs = [*verdict.runs, *([verdict.recorded] if verdict.recorded else [])]
    raised = next((run for run in runs if run.status == "raised" and run.exception), None)
    calls = verdict.recorded.calls if verdict.recorded else ()
    own = tuple(call for call in calls if call.caller == "candidate")
    exception = raised.exception if raised else None
    tampered = next((run.reason or "the run's report was forged" for run in runs if run.status == "tampered"), None)
    unread: dict[str, ExceptionRecord] = {}
    return Events(
        exception=exception,
        phase=raised.phase if raised else None,
        limit=next((run.limit or "wall" for run in runs if run.status == "limit"), None),
        exited=any(run.status == "exited" for run in runs),
        tampered=tampered,
        calls=own,
        foreign=tuple(call for call in calls if call.caller != "candidate"),
        observe_errors=next((run.errors for run in runs if run.errors), unread),
        reached=_reached(verdict.recorded, own, exception, target, text),
        warned="\n".join(run.stderr for run in runs),
    )


def _reached(
    recorded: RunRecord | None,
    calls: tuple[CallRecord, ...],
    exception: ExceptionRecord | None,
    target: Target,
    text: Sketch,
) -> Reached:
    if any(call.completed for call in calls):
        return "completed"
    if calls or (exception and inside_target(exception, target)):
        return "attempted"
    # A killed process reports no calls: only then the text of the answer has to do.
    silent = recorded is None or recorded.status in ("limit", "tampered", "infra", "exited")
    return "attempted" if silent and target.leaf in text.names - text.defined else "never"


def inside_target(exception: ExceptionRecord, target: Target) -> bool:
    """Check that the traceback goes through library code of the target's name, called by the candidate."""
    frames = exception.frames
    entered = any(f.owner == "library" and f.function.rpartition(".")[2] == target.leaf for f in frames)
    return entered and any(frame.owner == "candidate" for frame in frames)


def innermost_owner(exception: ExceptionRecord) -> str | None:
    """The owner of the code that raised."""
    return exception.frames[-1].owner if exception.frames else None


def in_callback(exception: ExceptionRecord) -> bool:
    """Check that the library called back into the candidate's code and that raised."""
    owners = [frame.owner for frame in exception.frames]
    return "library" in owners and owners[-1] in ("candidate", "context")


def is_a(exception: ExceptionRecord, *names: str) -> bool:
    """Check that the exception is of one of these types, by bare name."""
    return exception.type in names or any(name in exception.bases for name in names)


def not_awaited(events: Events, target: Target, text: Sketch) -> str | None:
    """Evidence that the answer calls the target, gets a coroutine and does not await it; None where there is none."""
    if not text.calls_of(target.leaf):
        return None
    leaf = re.escape(target.leaf)
    if found := re.search(rf"coroutine '(?:[\w.<>]+\.)?{leaf}' was never awaited", events.warned):
        return found[0]
    exception = events.exception
    if exception and "'coroutine' object" in exception.message and exception.type in ("TypeError", "AttributeError"):
        return exception_text(exception)
    return None
