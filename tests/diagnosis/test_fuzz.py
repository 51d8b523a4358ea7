"""Whatever was seen, and whatever the answer's text is, a failure gets a label and nothing raises."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.diagnosis import diagnose
from apigap.diagnosis.sketch import sketch
from apigap.diagnosis.structure import structural_difference
from apigap.records.base import canonical_json
from apigap.records.run import RunRecord
from apigap.sandbox.limits import MAX_CODE, MAX_PARSED
from apigap.sandbox.verdict.judge import judge_runs
from tests.sandbox.strategies import forms, runs
from tests.sandbox.tasks import make_task, numbers_task

TASK = numbers_task()
CODES = st.text(max_size=40) | st.sampled_from(
    ["", "result = validate_python(numbers)", "import pydantic.none", "x = 0x" + "f" * 9000, "(" * 300, "\ud800", "\0"]
)


@given(CODES, runs([1, 2, 3]), runs([40, 50]), st.none() | runs([1, 2, 3]))
@settings(max_examples=100, deadline=None)
def test_any_failure_gets_a_label(code: str, basic: RunRecord, others: RunRecord, recorded: RunRecord | None) -> None:
    verdict = judge_runs(TASK, [basic, others], recorded, "here")
    found = diagnose(TASK, code, verdict)
    assert (found.label is not None) == (verdict.outcome == "fail")
    assert len(found.reason) < 700
    canonical_json([found.reason, *found.evidence])


@given(forms, forms)
@settings(deadline=None)
def test_any_two_forms_can_be_compared_in_structure(one: Any, other: Any) -> None:
    assert structural_difference(one, one) in (None, "nothing that a sandbox reports")
    structural_difference(one, other)


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_any_text_can_be_read(code: str) -> None:
    sketch(code)


@pytest.mark.parametrize("code", ["a=1\n" * (MAX_PARSED // 4 + 1), "a=1\n" * (MAX_CODE // 4 + 1), "1+" * 40_000 + "1"])
def test_long_text_is_not_parsed_on_the_host(code: str) -> None:
    found = sketch(code)
    assert not found.calls
    assert bool(found.error) == (len(code) > MAX_CODE or code.startswith("1+"))


def test_a_literal_of_thousands_of_digits_is_told_in_words() -> None:
    target = "pydantic.TypeAdapter.validate_python"
    reference = "result = pydantic.TypeAdapter(int).validate_python(1, strict=True)"
    task = make_task({"basic": ("import pydantic\n", {"result": 1})}, target, reference)
    seen: dict[str, Any] = {"status": "completed", "phase": "report", "observations": {"result": 2}}
    call = {"target": target, "caller": "candidate", "completed": True}
    run = RunRecord.model_validate({**seen, "calls": [call]})
    code = f"result = pydantic.TypeAdapter(int).validate_python(1, strict=0x{'f' * 9000})"
    found = diagnose(task, code, judge_runs(task, [run], run, "here"))
    assert found.label == "WrongParam"
    assert "thousands of digits" in found.reason
