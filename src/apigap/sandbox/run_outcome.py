"""From the bytes that came out of a sandbox at a program's end to a `RunRecord`."""

import signal
from collections.abc import Iterable
from typing import Any, Literal, cast

from pydantic import ValidationError

from apigap.records.run import ExceptionRecord, Phase, Program, RunRecord
from apigap.sandbox.limits import Limits
from apigap.sandbox.live_sandbox import Ended
from apigap.sandbox.worker import protocol
from apigap.sandbox.worker.watch.api_search import TRIED
from apigap.sandbox.worker.watch.introspection_guard import STARTED

LimitName = Literal["cpu", "wall", "memory", "output"]
_PRIED = "the answer looked into the machinery around it: "
_SEARCHED = "the answer looks for what to call, instead of knowing it: it "
_PHASES: tuple[Phase, ...] = ("start", "context", "compile", "completion", "observe", "report")
_BEFORE_THE_ANSWER: tuple[Phase, ...] = ("start", "context")
_LONGEST = 2_000
_DEEPEST = 200
_MOST_PARTS = 4_000_000
"""The levels and the values that a report may hold. A worker's own stays far below; a forged one could cost the host
its stack, or fifty times its size in memory."""


class _TooLarge(Exception):
    """A report that would cost the host too much to read."""


def to_record(program: Program, nonce: str, ended: Ended, limits: Limits) -> RunRecord:
    """The run's record; never raises.

    A report that no honest child could have written makes it `tampered`. What ends before the program has begun is
    `infra`, whatever ended it: nothing of the answer had run by then.
    """
    shared: dict[str, Any] = {"stdout": ended.stdout.text, "stderr": ended.stderr.text, **_times(ended)}
    try:
        phase, final, notes = _read_report(ended.report, nonce)
    except (_TooLarge, protocol.ProtocolError) as error:
        if ended.killed_for == "output" or isinstance(error, _TooLarge):
            return _limited("observe", "output", "the report is too large", shared)
        return RunRecord(status="tampered", phase="report", reason=f"the report cannot be believed: {error}", **shared)
    end = ended.end
    if end is not None and "infra" in end:
        return RunRecord(status="infra", phase="start", reason=str(end["infra"])[:_LONGEST], **shared)
    limit = _limit(end, ended, program, limits) if end is not None else None
    if final is None and phase == "start":
        how = _describe(end) if end is not None else "its sandbox died"
        return RunRecord(
            status="infra", phase="start", limit=limit, reason=f"the program had not begun: {how}", **shared
        )
    if end is None:
        return _lost(phase, ended, shared)
    if end.get("changed"):
        reason = f"the program changed the worker around it: {', '.join(map(str, end['changed']))[:_LONGEST]}"
        return RunRecord(status="tampered", phase=phase, reason=reason, **shared)
    if limit is not None:
        return _limited(phase, limit, _describe(end), shared)
    try:
        if final is None or end.get("code") != 0:
            record = RunRecord(status="exited", phase=phase, reason=_describe(end), **shared)
        else:
            record = _final_record(program, phase, final, notes, shared)
    except (ValidationError, TypeError, protocol.ProtocolError) as error:
        what = error if isinstance(error, protocol.ProtocolError) else type(error).__name__
        reason = f"the report cannot be believed: {what}"
        return RunRecord(status="tampered", phase="report", reason=reason, **shared)
    if record.status == "exited" and end.get("spent"):  # it left because what it had started came to its limit
        return _limited(record.phase, "cpu", record.reason or _describe(end), shared)
    return record


def looked_around(record: RunRecord) -> str | None:
    """Notes of a completed run that a person should look at: prying, which could forge the evidence, or a search."""
    reason = record.reason or ""
    return reason if record.status == "completed" and reason.startswith((_PRIED, _SEARCHED)) else None


def started_processes(record: RunRecord) -> bool:
    """Tell whether a completed run says that it started a process, and nothing worse."""
    return record.status == "completed" and record.reason == STARTED


def can_come_from_a_neighbour(record: RunRecord) -> bool:
    """Tell whether what ended the run could be the doing of a program that ran in the same sandbox before.

    A limit, a want of memory, a kill, a report that cannot be believed, or trouble with the machine: it counts only
    once a sandbox in which nobody ran before has shown it as well. A library's own words are no want of anything.
    """
    if record.status in ("infra", "tampered", "limit"):
        return True
    killed = record.status == "exited" and "SIGKILL" in (record.reason or "")
    error = record.exception
    return killed or (error is not None and error.type in _WANTS and not error.own_words)


_WANTS = ("MemoryError", "OSError", "BlockingIOError")


def _times(ended: Ended) -> dict[str, float]:
    """The seconds of a run as the host and the zygote have measured them."""
    said = ended.end or {}
    cpu, idle = (value if isinstance(value, float) else 0.0 for value in (said.get("cpu"), said.get("idle")))
    return {"seconds": ended.seconds, "cpu_seconds": cpu, "idle_seconds": min(idle, ended.seconds)}


def _read_report(data: bytearray, nonce: str) -> tuple[Phase, dict[str, Any] | None, list[str]]:
    """The last phase that was announced, the final report if there is one, and notes of prying."""
    frames, used = protocol.split_frames(data, protocol.MAX_REPORT)
    phase: Phase = "start"
    final: dict[str, Any] | None = None
    notes: list[str] = []
    for kind, body in frames:
        value = _marked(body, nonce)
        if final is not None:
            raise protocol.ProtocolError("something follows the end")
        if kind == protocol.FINAL:
            final = value
        elif kind == protocol.PHASE and value.get("phase") in _PHASES[_PHASES.index(phase) :]:
            phase = value["phase"]
        elif kind == protocol.NOTE:
            notes.append(str(value.get("note"))[:100])
        else:
            raise protocol.ProtocolError("a frame of an unknown kind, or a phase that was over")
    if final is not None and used != len(data):
        raise protocol.ProtocolError("something follows the end")
    return phase, final, notes


def _marked(body: bytes, nonce: str) -> dict[str, Any]:
    """A frame's object without the run's mark, which must be there."""
    if nonce.encode() in body:  # looked for first: what does not carry it is not worth reading
        if sum(map(body.count, (b",", b"[", b"{"))) > _MOST_PARTS:
            raise _TooLarge
        value = protocol.loads(body)
        if _depth_exceeds(value, _DEEPEST):
            raise protocol.ProtocolError(f"a frame nests deeper than {_DEEPEST} levels")
        if isinstance(value, dict):
            found = cast("dict[str, Any]", value)
            if found.pop("nonce", None) == nonce:
                return found
    raise protocol.ProtocolError("a frame does not carry this run's mark")


def _depth_exceeds(value: Any, most: int) -> bool:
    level: list[Any] = [value]
    for _ in range(most):
        level = [one for container in level for one in _parts(container)]
        if not level:
            return False
    return True


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).values()
    return cast("list[Any]", value) if isinstance(value, list) else ()


def _final_record(
    program: Program, phase: Phase, final: dict[str, Any], notes: list[str], shared: dict[str, Any]
) -> RunRecord:
    observations, raised = final.get("observations", {}), final.get("errors", {})
    if not isinstance(observations, dict) or not isinstance(raised, dict):
        raise protocol.ProtocolError("observations that are no mapping")
    raised = cast("dict[str, Any]", raised)
    errors = {name: ExceptionRecord.model_validate(error) for name, error in raised.items()}
    if notes and final.get("status") == "completed":
        final = {**final, "reason": _told(notes)}
    record = RunRecord.model_validate({**final, **shared, "errors": errors})
    known, seen = set(program.observe), {*record.observations, *record.errors}
    if seen - known or (record.status == "completed" and seen != known):
        raise protocol.ProtocolError("other observations than were asked for")
    if record.phase != ("report" if record.status == "completed" else phase):
        raise protocol.ProtocolError(f"an end in phase {record.phase}, after phase {phase} was announced")
    if record.status == "completed" and phase != "observe":
        raise protocol.ProtocolError(f"a report of all phases, after phase {phase} was announced")
    if record.status == "infra" and phase not in _BEFORE_THE_ANSWER:
        raise protocol.ProtocolError("trouble with the machine, told by a program that was already running")
    return record


def _told(notes: list[str]) -> str:
    tried = next((note for note in notes if note.startswith(TRIED)), None)
    if tried is not None:
        return f"{_SEARCHED}{tried}"
    looks = [note for note in notes if note != STARTED]
    return f"{_PRIED}{', '.join(looks)}" if looks else STARTED


def _limit(end: dict[str, Any], ended: Ended, program: Program, limits: Limits) -> LimitName | None:
    """The limit that ended the program, if one did."""
    if ended.killed_for == "output" or end.get("signal") == signal.SIGXFSZ:
        return "output"
    if end.get("limit") in ("cpu", "wall", "memory"):
        return end["limit"]
    number, cpu = end.get("signal"), end.get("cpu")
    allowed = limits.cpu_seconds * (limits.recording if program.record else 1)
    if number == signal.SIGXCPU or (number == signal.SIGKILL and isinstance(cpu, float) and cpu >= allowed):
        return "cpu"
    if number == signal.SIGKILL and ended.out_of_memory:
        return "memory"
    return None


def _limited(phase: Phase, limit: LimitName, reason: str, shared: dict[str, Any]) -> RunRecord:
    return RunRecord(status="limit", phase=phase, limit=limit, reason=reason, **shared)


def _lost(phase: Phase, ended: Ended, shared: dict[str, Any]) -> RunRecord:
    """The sandbox itself died or went silent while the program ran."""
    if ended.out_of_memory:
        return _limited(phase, "memory", "the sandbox ran out of memory", shared)
    if ended.killed_for == "wall":
        return _limited(phase, "wall", "the sandbox stopped answering", shared)
    return RunRecord(status="tampered", phase=phase, reason="the program ended its sandbox", **shared)


def _describe(end: dict[str, Any]) -> str:
    number, code = end.get("signal"), end.get("code")
    if isinstance(number, int):
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"killed by signal {str(number)[:20]}"
    return f"ended with exit code {str(code)[:20]} before its report"
