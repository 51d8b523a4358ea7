"""The wire: any text survives it, nothing hostile gets through it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.run import Program
from apigap.sandbox.limits import Limits
from apigap.sandbox.live_sandbox import Ended
from apigap.sandbox.run_outcome import to_record
from apigap.sandbox.worker import protocol

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(json_values)
def test_dumps_says_what_json_says(value: Any) -> None:
    assert json.loads(protocol.dumps(value)) == value


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, float("nan"), float("inf"), {"a": {1}}, type("S", (str,), {})("x")]
)
def test_only_exact_types_cross(value: Any) -> None:
    with pytest.raises(TypeError):
        protocol.dumps(value)


@given(st.binary(max_size=200))
def test_any_bytes_as_a_report_give_a_record_and_never_a_completed_one(data: bytes) -> None:
    ended = Ended(report=bytearray(data), end={"code": 0, "signal": None, "cpu": 0.1, "dirty": False})
    record = to_record(Program(context="", completion="", observe=("x",)), "mark", ended, Limits())
    assert record.status in ("tampered", "infra"), "nothing was announced, so nothing had begun"


def _report(*frames: tuple[bytes, Any], mark: str = "mark") -> bytearray:
    return bytearray(b"".join(protocol.frame(kind, {**value, "nonce": mark}) for kind, value in frames))


GOOD = {"status": "completed", "phase": "report", "observations": {"x": 1}, "errors": {}}
OBSERVING = (protocol.PHASE, {"phase": "observe"})
ENDED_WELL = {"code": 0, "signal": None, "cpu": 0.1, "dirty": False}

# (frames, the mark they carry, status)
REPORTS: list[tuple[str, list[tuple[bytes, Any]], str, str]] = [
    ("honest", [(protocol.PHASE, {"phase": "start"}), OBSERVING, (protocol.FINAL, GOOD)], "mark", "completed"),
    ("phases left out", [(protocol.PHASE, {"phase": "start"}), (protocol.FINAL, GOOD)], "mark", "tampered"),
    ("wrong mark", [(protocol.FINAL, GOOD)], "other", "tampered"),
    ("two ends", [(protocol.FINAL, GOOD), (protocol.FINAL, GOOD)], "mark", "tampered"),
    ("an unknown kind", [(b"Z", {}), (protocol.FINAL, GOOD)], "mark", "tampered"),
    ("an unknown phase", [(protocol.PHASE, {"phase": "party"})], "mark", "tampered"),
    ("a missing observation", [(protocol.FINAL, {**GOOD, "observations": {}})], "mark", "tampered"),
    ("an extra observation", [(protocol.FINAL, {**GOOD, "observations": {"x": 1, "y": 2}})], "mark", "tampered"),
    ("a wrong status", [(protocol.FINAL, {**GOOD, "status": "pass"})], "mark", "tampered"),
    ("an unknown field", [(protocol.FINAL, {**GOOD, "verdict": "pass"})], "mark", "tampered"),
    ("observations of a wrong type", [(protocol.FINAL, {**GOOD, "observations": [1]})], "mark", "tampered"),
    ("phases only", [(protocol.PHASE, {"phase": "completion"})], "mark", "exited"),
]


@pytest.mark.parametrize(("name", "frames", "mark", "status"), REPORTS, ids=[row[0] for row in REPORTS])
def test_reports(name: str, frames: list[tuple[bytes, Any]], mark: str, status: str) -> None:
    ended = Ended(report=_report(*frames, mark=mark), end=dict(ENDED_WELL))
    record = to_record(Program(context="", completion="", observe=("x",)), "mark", ended, Limits())
    assert record.status == status, record


ENDS: list[tuple[dict[str, Any], str, str | None]] = [
    ({"code": 3, "signal": None, "cpu": 0.1}, "exited", None),
    ({"code": None, "signal": 24, "cpu": 10.0}, "limit", "cpu"),
    ({"code": None, "signal": 9, "cpu": 11.0}, "limit", "cpu"),
    ({"code": None, "signal": 9, "cpu": 0.1}, "exited", None),
    ({"code": None, "signal": 9, "cpu": 0.1, "limit": "wall"}, "limit", "wall"),
    ({"code": None, "signal": 25, "cpu": 0.1}, "limit", "output"),
    ({"code": None, "signal": 11, "cpu": 0.1}, "exited", None),
    ({"infra": "cannot fork"}, "infra", None),
]


@pytest.mark.parametrize(("end", "status", "limit"), ENDS, ids=[str(row[0]) for row in ENDS])
def test_how_a_program_ended(end: dict[str, Any], status: str, limit: str | None) -> None:
    ended = Ended(report=_report((protocol.PHASE, {"phase": "completion"})), end=end)
    record = to_record(Program(context="", completion=""), "mark", ended, Limits(cpu_seconds=10))
    assert (record.status, record.limit) == (status, limit)


def test_a_frame_too_long_to_believe_is_refused_before_it_is_read() -> None:
    with pytest.raises(protocol.ProtocolError, match="announces"):
        protocol.split_frames(protocol.HEADER.pack(b"F", 2**31), protocol.MAX_REPORT)


def test_json_that_nests_too_deep_is_refused() -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.loads(b"[" * 200_000 + b"]" * 200_000)
