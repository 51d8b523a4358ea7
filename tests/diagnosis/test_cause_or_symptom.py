"""A structure that is wrong is a cause only where it is wrong throughout: elsewhere another value shows that way."""

from typing import Any

import pytest

from apigap.diagnosis.classify import diagnose
from apigap.records.run import RunRecord
from apigap.records.task import Observation, Scenario, Task
from tests.diagnosis.builders import Verdict, call, observed, task

CODE = "from lib import target\nresult = target([1, 2])"
TASK = task("lib.target", CODE, {"result": ["letter"]})


def in_scenarios(wanted: list[Any], given: list[Any]) -> tuple[Task, Verdict]:
    """A task with a scenario for each wanted result, and the runs that gave others."""
    scenarios = tuple(
        Scenario(name=str(number), context_code="", observations=(Observation(expression="result", expected=value),))
        for number, value in enumerate(wanted)
    )
    runs = tuple(RunRecord(status="completed", phase="report", observations={"result": value}) for value in given)
    harness = TASK.harness.model_copy(update={"scenarios": scenarios})
    recorded = runs[0].model_copy(update={"calls": (call(),)})
    return TASK.model_copy(update={"harness": harness}), Verdict(runs=runs, recorded=recorded)


@pytest.mark.parametrize(
    ("wanted", "given", "label"),
    [
        ([["a"], ["b"]], [["a"], [2]], "WrongLogic"),
        ([["a"], ["b"]], [[1], ["b"]], "WrongLogic"),
        ([["a"], ["b"]], [[1], [2]], "WrongShapeDtype"),
        ([["a"], []], [[1], []], "WrongShapeDtype"),
        ([["a"], {"tuple": []}], [{"tuple": ["a"]}, {"tuple": []}], "WrongShapeDtype"),
        ([["a"], ["b"]], [["c"], ["b"]], "WrongLogic"),
    ],
    ids=[
        "right, then wrong", "wrong, then right", "wrong in both", "nothing in the other", "an empty one in the other",
        "another value",
    ],
)  # fmt: skip
def test_what_is_wrong_in_one_scenario_alone_is_a_symptom(wanted: list[Any], given: list[Any], label: str) -> None:
    made, verdict = in_scenarios(wanted, given)
    found = diagnose(made, CODE, verdict)
    assert found.label == label, found


@pytest.mark.parametrize(
    ("wanted", "given", "label", "why"),
    [
        ([1, 2, 3], {"tuple": [7, 8]}, "WrongLogic", "got other data as x"),
        ([1, 2, 3], {"tuple": [1, 2, 3]}, "WrongShapeDtype", "result (scenario basic)"),
        ([1, 2, 3], "123", "WrongShapeDtype", "got x as str, not list"),
    ],
    ids=["other items in another sequence", "the same items", "text"],
)
def test_another_sequence_that_the_call_took_is_no_cause(wanted: Any, given: Any, label: str, why: str) -> None:
    verdict = observed({"result": {"tuple": ["letter"]}}, call(target="lib.target", arguments={"x": given}))
    found = diagnose(TASK, CODE, verdict, [call(target="lib.target", arguments={"x": wanted})])
    assert found.label == label and why in found.reason, found
