"""Laws that hold for whatever a hostile program sends: nothing raises on the host, and nothing wrong passes."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.records.base import canonical_json
from apigap.records.result import Result
from apigap.records.run import Program, RunRecord
from apigap.records.task import Task
from apigap.sandbox.limits import Limits
from apigap.sandbox.live_sandbox import Ended
from apigap.sandbox.run_outcome import to_record
from apigap.sandbox.verdict.comparison import differences, merge_stable
from apigap.sandbox.verdict.judge import judge_runs
from apigap.sandbox.verdict.summary import summary
from apigap.sandbox.worker import protocol

from .strategies import forms, runs
from .tasks import numbers_task

NONCE = "5f" * 16
TASK = numbers_task()
PROGRAM = Program(context="", completion="", observe=("result", "other"))
KINDS = (protocol.PHASE, protocol.NOTE, protocol.FINAL, protocol.RUN, b"\0", b"{")


# ---- the wire


@given(st.binary(max_size=300), st.integers(0, 400))
def test_any_bytes_are_frames_or_a_protocol_error(data: bytes, limit: int) -> None:
    try:
        frames, used = protocol.split_frames(data, limit)
    except protocol.ProtocolError:
        return
    again = b"".join(protocol.HEADER.pack(kind, len(body)) + body for kind, body in frames)
    assert again == data[:used]
    assert all(len(body) <= limit for _, body in frames)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.binary(max_size=40)), max_size=5), st.data())
def test_frames_come_out_as_they_went_in_however_they_arrive(frames: list[tuple[bytes, bytes]], data: Any) -> None:
    whole = b"".join(protocol.HEADER.pack(kind, len(body)) + body for kind, body in frames)
    cut = data.draw(st.integers(0, len(whole)))
    first, used = protocol.split_frames(whole[:cut], 40)
    second, _ = protocol.split_frames(whole[used:], 40)
    assert first + second == frames


@given(st.binary(max_size=60) | forms.map(lambda form: canonical_json(form).encode()))
def test_any_bytes_are_json_that_can_be_written_again_or_a_protocol_error(body: bytes) -> None:
    try:
        value = protocol.loads(body)
    except protocol.ProtocolError:
        return
    assert protocol.loads(protocol.dumps(value).encode("ascii")) == value
    canonical_json(value)


BODIES = [b"NaN", b"Infinity", b"1e999", b"[-1e999]", b"9" * 5000, b"[" * 100_000, b'{"a":' * 5000, b"\xff\xfe", b""]


@pytest.mark.parametrize("body", BODIES, ids=[repr(body[:8]) for body in BODIES])
def test_what_no_honest_worker_writes_is_refused(body: bytes) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.loads(body)


# ---- the outcome


def _final(value: Any) -> Any:
    return {"status": "completed", "phase": "report", "observations": {"result": 1, "other": 2}, "errors": {}, **value}


final_fields = st.dictionaries(
    st.sampled_from(["status", "phase", "observations", "errors", "calls", "exception", "limit", "reason", "more"]),
    forms
    | st.sampled_from(["completed", "infra", "raised", "report", "start", "cpu"])
    | st.dictionaries(st.sampled_from(["result", "other"]), forms),
    max_size=2,
)
frame_values = (
    forms
    | final_fields.map(_final)
    | st.sampled_from([{"phase": phase} for phase in ("start", "context", "compile", "completion", "observe")])
)
frames = st.tuples(st.sampled_from(KINDS), frame_values, st.sampled_from([NONCE, NONCE, NONCE, "other", None]))
ends = st.none() | st.dictionaries(
    st.sampled_from(["code", "signal", "cpu", "limit", "infra", "dirty"]),
    forms | st.sampled_from([0, 1, 9, 24, 25, 64, -1, "cpu", "wall", "memory", 99.5]),
)


def _bytes(kind: bytes, value: Any, nonce: str | None) -> bytes:
    if isinstance(value, dict) and nonce is not None:
        value = {**value, "nonce": nonce}  # pyright: ignore[reportUnknownVariableType]
    body = canonical_json(value).encode()
    return protocol.HEADER.pack(kind, len(body)) + body


@given(
    st.lists(frames, max_size=4),
    st.binary(max_size=12),
    ends | st.just({"code": 0, "signal": None}),
    st.sampled_from([None, "output", "wall"]),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_any_report_and_any_end_give_a_record(
    sent: list[tuple[bytes, Any, str | None]], rest: bytes, end: Any, killed: Any, memory: bool, record: bool
) -> None:
    data = bytearray(b"".join(_bytes(*frame) for frame in sent) + rest)
    ended = Ended(report=data, end=end, killed_for=killed, out_of_memory=memory)
    program = PROGRAM.model_copy(update={"record": record})
    found = to_record(program, NONCE, ended, Limits())
    RunRecord.from_line(found.to_line())
    if found.status == "completed":
        assert NONCE.encode() in data
        assert all(nonce == NONCE for _, _, nonce in sent)
        assert end is not None
        assert end.get("code") == 0
        assert found.observed.keys() == {"result", "other"}


def _report(*sent: tuple[bytes, Any]) -> bytearray:
    return bytearray(b"".join(_bytes(kind, value, NONCE) for kind, value in sent))


def _nested(levels: int) -> Any:
    form: Any = 1
    for _ in range(levels):
        form = [form]
    return form


STARTED = [(protocol.PHASE, {"phase": phase}) for phase in ("start", "context", "compile", "completion", "observe")]

# What a program that has found the mark can forge: (frames after the phases, status)
FORGED: dict[str, tuple[list[tuple[bytes, Any]], str]] = {
    "honest": ([(protocol.FINAL, _final({}))], "completed"),
    "errors that are a list": ([(protocol.FINAL, _final({"errors": []}))], "tampered"),
    "errors that are text": ([(protocol.FINAL, _final({"errors": "result"}))], "tampered"),
    "one observation twice": (
        [(protocol.FINAL, _final({"observations": {"result": 1}, "errors": {"result": {}}}))], "tampered",
    ),
    "an observation that is missing": ([(protocol.FINAL, _final({"observations": {"result": 1}}))], "tampered"),
    "too deep for the host": (
        [(protocol.FINAL, _final({"observations": {"result": _nested(400), "other": 1}}))], "tampered",
    ),
    "as deep as values are": (
        [(protocol.FINAL, _final({"observations": {"result": _nested(150), "other": 1}}))], "completed",
    ),
    "trouble with the machine": ([(protocol.FINAL, _final({"status": "infra", "phase": "start"}))], "tampered"),
    "back to the beginning": ([(protocol.PHASE, {"phase": "start"})], "tampered"),
    "more values than the host can hold": (
        [(protocol.FINAL, _final({"observations": {"result": [[]] * 2_100_000, "other": 1}}))], "limit",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_report_is_no_trouble_for_the_judge(name: str) -> None:
    sent, status = FORGED[name]
    ended = Ended(report=_report(*STARTED, *sent), end={"code": 0, "signal": None})
    record = to_record(PROGRAM, NONCE, ended, Limits())
    assert record.status == status, record.reason
    verdict = judge_runs(_task_of(record), [record], record, "here")
    detail = {**verdict.detail, "differences": verdict.detail["differences"]}
    Result(
        task_id="t", sample=0, outcome=verdict.outcome, passed=False, score=verdict.score, label=None, detail=detail,
        evaluator="e", seconds=0.0,
    ).to_line()  # fmt: skip


def _task_of(record: RunRecord) -> Task:
    scenario = TASK.harness.scenarios[0]
    return TASK.model_copy(update={"harness": TASK.harness.model_copy(update={"scenarios": (scenario,)})})


# name -> (the end, whether the sandbox died of memory): nothing was announced but `start`, so nothing of the answer ran
BEFORE: dict[str, tuple[dict[str, Any] | None, bool]] = {
    "an import that crashes": ({"code": None, "signal": 11}, False),
    "an import that hangs": ({"code": None, "signal": 9, "limit": "wall"}, False),
    "an import that exits": ({"code": 3, "signal": None}, False),
    "a zygote that dies": (None, False),
    "no memory for the sandbox": (None, True),
}


@pytest.mark.parametrize("name", BEFORE)
def test_what_ends_before_the_program_begins_is_never_the_answers_fault(name: str) -> None:
    end, memory = BEFORE[name]
    ended = Ended(report=_report((protocol.PHASE, {"phase": "start"})), end=end, out_of_memory=memory)
    record = to_record(PROGRAM, NONCE, ended, Limits())
    assert (record.status, record.phase) == ("infra", "start")
    assert "had not begun" in (record.reason or "")


# ---- the verdict


@given(runs([1, 2, 3]), runs([40, 50]), st.none() | runs([1, 2, 3]))
@settings(max_examples=150, deadline=None)
def test_any_runs_give_a_verdict_and_only_right_ones_pass(
    basic: RunRecord, others: RunRecord, recorded: RunRecord | None
) -> None:
    verdict = judge_runs(TASK, [basic, others], recorded, "here")
    canonical_json(verdict.detail)
    assert 0.0 <= verdict.score <= 1.0
    if verdict.outcome != "pass":
        assert verdict.score < 1.0 or verdict.outcome == "fail"
        return
    assert recorded is not None
    for run, right in ((basic, [1, 2, 3]), (others, [40, 50]), (recorded, [1, 2, 3])):
        assert run.status == "completed"
        assert run.observed["result"] == right
        assert [type(item) for item in run.observed["result"]] == [int] * len(right)
    assert any(call.caller == "candidate" and call.completed for call in recorded.calls)


# ---- comparison


@given(forms)
def test_a_form_does_not_differ_from_itself(form: Any) -> None:
    assert differences(form, form) == []


@given(forms, forms)
@settings(max_examples=200, deadline=None)
def test_whether_two_forms_differ_does_not_depend_on_which_is_the_reference(one: Any, other: Any) -> None:
    assert bool(differences(one, other)) == bool(differences(other, one))
    merge_stable([one, other])


@given(forms, st.integers(10, 200))
def test_any_form_can_be_shown(form: Any, limit: int) -> None:
    assert len(summary(form, limit)) <= limit


@given(forms, st.data())
def test_one_changed_value_is_one_difference(form: Any, data: Any) -> None:
    value = data.draw(st.integers(-(10**6), 10**6))
    (found,) = differences([form, value], [form, value + 1])
    assert (found.path, found.kind) == ("[1]", "value")


MALFORMED = [
    {"tuple": 5}, {"dict": 5}, {"dict": [5]}, {"dict": [[1]]}, {"type": 1, "fields": 2},
    {"type": "m.C", "fields": [[]]}, {"array": 1}, {"array": {"shape": 3}}, {"frame": []}, {"frame": {"columns": 1}},
    {"bytes": 1}, {"complex": {}}, {"class": []}, {"fields": [[[], 1]]}, {"set": None}, {"range": 1},
    {"mappingproxy": {}}, {"type": None}, {},
]  # fmt: skip


@pytest.mark.parametrize("form", MALFORMED, ids=map(str, range(len(MALFORMED))))
def test_a_form_that_no_worker_writes_differs_and_is_shown(form: Any) -> None:
    for right in ({"tuple": [1]}, {"dict": [["a", 1]]}, {"type": "m.C", "fields": [["a", 1]]}, [1], 1, None):
        assert differences(right, form)
        assert differences(form, right)
    assert summary(form)
    assert differences(form, form) == []
