"""What a program's end means: from the bytes that came out of the sandbox to a `RunRecord`."""

import signal
from typing import Any, Literal, cast

from pydantic import ValidationError

from apigap.execution.limits import Limits
from apigap.execution.sandbox import Ended
from apigap.execution.worker import protocol
from apigap.records.run import ExceptionRecord, Phase, Program, RunRecord

LimitName = Literal["cpu", "wall", "memory", "output"]
PRIED = "the answer looked into the machinery around it: "
"""How the reason of a completed, recorded run begins when its evidence could have been forged."""
_PHASES: tuple[Phase, ...] = ("start", "compile", "context", "completion", "observe", "report")


def to_record(program: Program, nonce: str, ended: Ended, limits: Limits) -> RunRecord:
    """The run's record. A report that no honest child could have written makes it `tampered`."""
    shared: dict[str, Any] = {"stdout": ended.stdout.text, "stderr": ended.stderr.text, "seconds": ended.seconds}
    try:
        phase, final, notes = _read_report(ended.report, nonce)
    except protocol.ProtocolError as error:
        if ended.killed_for == "output":
            return _limited("observe", "output", "the report is too large", shared)
        return RunRecord(status="tampered", phase="report", reason=f"the report cannot be believed: {error}", **shared)
    end = ended.end
    if end is None:
        return _lost(phase, ended, shared)
    if "infra" in end:
        return RunRecord(status="infra", phase="start", reason=str(end["infra"]), **shared)
    limit = _limit(end, ended, program, limits)
    if limit is not None:
        return _limited(phase, limit, _describe(end), shared)
    if final is None or end.get("code") != 0:
        return RunRecord(status="exited", phase=phase, reason=_describe(end), **shared)
    try:
        return _final_record(program, final, notes, shared)
    except (ValidationError, TypeError, KeyError) as error:
        reason = f"the report cannot be believed: {type(error).__name__}"
        return RunRecord(status="tampered", phase="report", reason=reason, **shared)


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
        elif kind == protocol.PHASE and value.get("phase") in _PHASES:
            phase = value["phase"]
        elif kind == protocol.NOTE:
            notes.append(str(value.get("note"))[:100])
        else:
            raise protocol.ProtocolError("a frame of an unknown kind")
    if final is not None and used != len(data):
        raise protocol.ProtocolError("something follows the end")
    return phase, final, notes


def _marked(body: bytes, nonce: str) -> dict[str, Any]:
    """A frame's object without the run's mark, which must be there."""
    value = protocol.loads(body)
    if isinstance(value, dict):
        found = cast("dict[str, Any]", value)
        if found.pop("nonce", None) == nonce:
            return found
    raise protocol.ProtocolError("a frame does not carry this run's mark")


def _final_record(program: Program, final: dict[str, Any], notes: list[str], shared: dict[str, Any]) -> RunRecord:
    known = set(program.observe)
    if not (set(final.get("observations", {})) | set(final.get("errors", {}))) <= known:
        raise KeyError("an observation that was not asked for")
    errors = {name: ExceptionRecord.model_validate(error) for name, error in final.get("errors", {}).items()}
    if notes and final.get("status") == "completed":
        final = {**final, "reason": f"{PRIED}{', '.join(notes)}"}
    record = RunRecord.model_validate({**final, **shared, "errors": errors})
    seen = len(record.observations) + len(record.errors)
    if record.status == "completed" and seen != len(known):
        raise KeyError("an observation is missing")
    return record


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
            return f"killed by signal {number}"
    return f"ended with exit code {code} before its report"
