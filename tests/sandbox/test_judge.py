"""From runs to verdicts."""

from dataclasses import replace
from typing import Any

import pytest

from apigap.records.run import CallRecord, ExceptionRecord, FrameRecord, RunRecord
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.sandbox.verdict.judge import Verdict, judge_runs, judge_trials
from apigap.sandbox.verdict.trials import Trial

from .conftest import TIGHT
from .tasks import SOLUTION, make_task, numbers_task

TARGET = "pydantic.TypeAdapter.validate_python"


def _run(value: Any = None, **changes: Any) -> RunRecord:
    given: dict[str, Any] = {"status": "completed", "phase": "report", "observations": {"result": value}}
    return RunRecord.model_validate({**given, **changes})


def _call(caller: str = "candidate", completed: bool = True) -> CallRecord:
    return CallRecord.model_validate({"target": TARGET, "caller": caller, "completed": completed})


BASIC, OTHERS = _run([1, 2, 3]), _run([40, 50])
SEEN = _run([1, 2, 3], calls=(_call(),))
RAISED = ExceptionRecord(
    type="TypeError", module="builtins", bases=(), message="bad",
    frames=(FrameRecord(owner="candidate", module="__main__", function="<module>", line=1),),
)  # fmt: skip
CONTEXT_SYNTAX = RAISED.model_copy(
    update={"type": "SyntaxError", "frames": (RAISED.frames[0].model_copy(update={"owner": "context"}),)}
)
GIVEN_UP = RAISED.model_copy(update={"type": "RecursionError", "frames": ()})

# name -> (plain runs, recorded run, outcome, what the reason says)
RUNS: dict[str, tuple[list[RunRecord], RunRecord | None, str, str]] = {
    "all right": ([BASIC, OTHERS], SEEN, "pass", "every observation holds"),
    "a wrong value": ([BASIC, _run([40, 51])], SEEN, "fail", "scenario others"),
    "another type": ([_run({"tuple": [1, 2, 3]}), OTHERS], SEEN, "fail", "result"),
    "no call": ([BASIC, OTHERS], BASIC, "fail", "never completed a call"),
    "a call by the library": ([BASIC, OTHERS], _run([1, 2, 3], calls=(_call("library"),)), "fail", "never"),
    "a call by the context": ([BASIC, OTHERS], _run([1, 2, 3], calls=(_call("context"),)), "fail", "never"),
    "a call that raised": ([BASIC, OTHERS], _run([1, 2, 3], calls=(_call(completed=False),)), "fail", "never"),
    "raised": ([_run(status="raised", phase="completion", exception=RAISED), OTHERS], SEEN, "fail", "TypeError: bad"),
    "exited": ([BASIC, _run(status="exited", phase="completion", reason="SystemExit(0)")], SEEN, "fail", "exited"),
    "a limit": ([BASIC, _run(status="limit", phase="completion", limit="cpu")], SEEN, "fail", "cpu limit"),
    "tampered": ([BASIC, _run(status="tampered", phase="report", reason="forged")], None, "fail", "forged"),
    "tampered when watched": ([BASIC, OTHERS], _run([1, 2, 3], status="tampered", reason="hook"), "fail", "hook"),
    "infra": ([BASIC, _run(status="infra", phase="start", reason="no fork")], SEEN, "infra", "no fork"),
    "infra when watched": ([BASIC, OTHERS], _run(status="infra", phase="start", reason="lost"), "infra", "lost"),
    "infra outweighs a wrong value": ([_run([0]), _run(status="infra", phase="start", reason="x")], SEEN, "infra", "x"),
    "a broken context": ([_run(status="raised", phase="context", exception=RAISED), OTHERS], None, "infra", "task"),
    "a context that does not parse": (
        [_run(status="raised", phase="start", exception=CONTEXT_SYNTAX), OTHERS], None, "infra", "task",
    ),
    "too deep for the compiler": (
        [_run(status="raised", phase="compile", exception=GIVEN_UP), OTHERS], None, "fail", "RecursionError",
    ),
    "never recorded": ([BASIC, OTHERS], None, "infra", "none was recorded"),
    "one missing when watched": ([BASIC, OTHERS], _run(observations={}, calls=(_call(),)), "suspect", "result"),
    "return outside a function": (
        [_run(status="raised", phase="compile", exception=RAISED), OTHERS], None, "fail", "TypeError",
    ),
    "other values when watched": ([BASIC, OTHERS], _run([9], calls=(_call(),)), "suspect", "differs when calls"),
    "an error when watched": (
        [BASIC, OTHERS], _run(status="raised", phase="completion", exception=RAISED), "suspect", "plain run",
    ),
    "an observation that raised": (
        [BASIC, _run(observations={}, errors={"result": RAISED})], SEEN, "fail", "result",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_a_verdict(name: str) -> None:
    plain, recorded, outcome, reason = RUNS[name]
    verdict = judge_runs(numbers_task(), plain, recorded, "here")
    assert verdict.outcome == outcome, verdict.detail
    assert reason in verdict.detail["reason"]
    assert verdict.score == 1.0 or outcome != "pass"


def test_the_score_is_the_share_that_holds() -> None:
    assert judge_runs(numbers_task(), [BASIC, _run([0, 0])], SEEN, "here").score == 0.5


def test_the_detail_shows_what_differs() -> None:
    verdict = judge_runs(numbers_task(), [BASIC, _run([40, 51])], SEEN, "here")
    assert verdict.detail["differences"] == [
        {"scenario": "others", "path": "result[1]", "kind": "value", "expected": "50", "observed": "51"}
    ]
    assert verdict.detail["isolation"] == "here"
    assert verdict.detail["calls"][0]["target"] == TARGET


def test_the_evaluator_is_named_by_its_source() -> None:
    assert len(evaluator_hash()) == 16
    assert evaluator_hash() == evaluator_hash()


def _judge(engine: Engine, environment: Environment, task: Task, *codes: str) -> list[Verdict]:
    return judge_trials(engine, environment, [Trial(task, code) for code in codes], preload=["pydantic"])


@pytest.mark.network
@pytest.mark.sandbox
def test_code_that_cannot_be_right_is_not_run(engine: Engine, environment: Environment) -> None:
    codes = ["", "  \n# nothing\n", "\0", "result = ("]
    verdicts = _judge(engine, environment, numbers_task(), *codes)
    assert {verdict.outcome for verdict in verdicts} == {"fail"}
    # A newer Python than this one may be able to read what this one cannot, so it is asked.
    asked = 1 if environment.is_newer else 0
    assert [len(verdict.runs) for verdict in verdicts] == [0, 0, 0, len(numbers_task().harness.scenarios) * asked]


@pytest.mark.network
@pytest.mark.sandbox
def test_a_task_that_observes_nothing_is_broken(engine: Engine, environment: Environment) -> None:
    empty = make_task({"basic": ("x = 1", {})}, TARGET, "pass")
    (verdict,) = _judge(engine, environment, empty, "x = 2")
    assert verdict.outcome == "infra"


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize("context", ["def broken(:", "raise RuntimeError('context')", "import no_such_library"])
def test_a_broken_context_is_infra(engine: Engine, environment: Environment, context: str) -> None:
    task = make_task({"basic": (context, {"x": 1})}, TARGET, "x = 1")
    (verdict,) = _judge(engine, environment, task, "x = 1")
    assert verdict.outcome == "infra", verdict.detail


@pytest.mark.network
@pytest.mark.sandbox
def test_an_observation_that_does_not_parse_is_infra(engine: Engine, environment: Environment) -> None:
    (verdict,) = _judge(engine, environment, make_task({"basic": ("", {"x +": 1})}, TARGET, "x = 1"), "x = 1")
    assert verdict.outcome == "infra"


@pytest.mark.network
@pytest.mark.sandbox
def test_without_a_required_call_values_are_enough(engine: Engine, environment: Environment) -> None:
    task = make_task({"basic": ("", {"x": 1})}, TARGET, "x = 1", required=False)
    (verdict,) = _judge(engine, environment, task, "x = 1")
    assert verdict.outcome == "pass"


@pytest.mark.network
@pytest.mark.sandbox
def test_judging_again_gives_the_same_verdict(engine: Engine, environment: Environment) -> None:
    codes = [SOLUTION, "result = [1, 2, 3]", "import sys\nsys.exit(0)", "result = numbers", "result = nowhere"]
    first = _judge(engine, environment, numbers_task(), *codes)
    again = _judge(engine, environment, numbers_task(), *codes * 3)
    assert [v.outcome for v in again] == [v.outcome for v in first] * 3
    for one, verdict in zip(first, again[: len(codes)], strict=True):
        assert one.detail == verdict.detail
        plain = judge_runs(numbers_task(), list(one.runs), one.recorded, one.detail["isolation"])
        evidence = {"dependence": one.detail["dependence"]} if one.outcome == "pass" else {}
        assert replace(plain, detail={**plain.detail, **evidence}) == one


@pytest.mark.network
@pytest.mark.sandbox
def test_an_answer_may_take_a_multiple_of_what_the_reference_takes(environment: Environment) -> None:
    busy = "import time\nuntil = time.process_time() + {seconds}\nwhile time.process_time() < until: pass\nx = 1"
    slow = make_task({"basic": ("import json", {"x": 1})}, "json.dumps", busy.format(seconds=0.6), required=False)
    quick = make_task({"basic": ("import json", {"x": 1})}, "json.dumps", "x = 1", required=False)
    answer = busy.format(seconds=2.2)
    with Engine(workers=1, limits=TIGHT) as engine:
        (patient,) = judge_trials(engine, environment, [Trial(slow, answer)])
        (strict,) = judge_trials(engine, environment, [Trial(quick, answer)])
    assert patient.outcome == "pass", patient.detail
    assert (strict.outcome, strict.detail["limit"]) == ("fail", "cpu")
