"""Tests that come as text: the program around them, the records of calls beside them, and the verdict."""

import ast
from typing import Any

import pytest

from apigap.records.release import ExpectedCall
from apigap.records.run import CallRecord, ExceptionRecord, RunRecord
from apigap.sandbox.task_supplied_test.expected_calls import compare_calls, says_nothing, translate
from apigap.sandbox.task_supplied_test.forgery import sign_of_forgery
from apigap.sandbox.task_supplied_test.judge import TEST, SuppliedTestTrial, judge_supplied_test_runs
from apigap.sandbox.task_supplied_test.program import SelfTest, assigned, runnable
from apigap.sandbox.task_supplied_test.published_monitor import COUNTER, can_stand_in, has_monitor
from tests.benchmarks.novelapi_release.release_tasks import CHECK, monitor

TARGET = "lib.sub.make"
MONITOR = monitor(TARGET)


def a_test(**changes: str) -> SelfTest:
    given = {"target": TARGET, "setup": "", "context": "", "test": "assert x == 1", "reference": "x = 1"}
    return SelfTest(**{**given, **changes})


# What the test says -> whether the program around it must fail for the names that it is given.
RUNNABLE = [
    ("assert x == 1", {"x": 1}, True),
    ("assert x == 1", {"x": 2}, False),
    ("def test_execution():\n    assert x == 1", {"x": 2}, False),
    ("def test_execution():\n    assert x == 1\ntest_execution()", {"x": 1}, True),
    ("def test_one():\n    pass\ndef test_two():\n    assert x == 1", {"x": 2}, False),
    ("def test_of(value):\n    assert value == 1\ntest_of(x)", {"x": 1}, True),
    ("def test_of(value):\n    assert value == 1", {"x": 2}, True),  # a helper that cannot be called without a value
    ("try:\n    x['a']\nexcept KeyError as e:\n    assert 'a' in str(e)", {"x": {}}, True),
    ("try:\n    x['a']\nexcept KeyError as e:\n    assert 'a' in str(e)", {"x": {"a": 1}}, False),
    ("try:\n    x['a']\n    assert False\nexcept KeyError:\n    pass", {"x": {}}, True),
    ("try:\n    assert x == 1\nexcept NameError:\n    assert False", {"x": 1}, True),
    ("try:\n    x['a']\nexcept KeyError:\n    assert True\nelse:\n    pass", {"x": {"a": 1}}, True),
]


@pytest.mark.parametrize(("text", "names", "passes"), RUNNABLE)
def test_a_test_fails_on_what_it_must(text: str, names: dict[str, Any], passes: bool) -> None:
    code = compile(runnable(text), "<test>", "exec")
    if passes:
        exec(code, dict(names))
        return
    with pytest.raises(AssertionError):
        exec(code, dict(names))


def test_what_comes_first_stays_first() -> None:
    context = '"""Words."""\nfrom __future__ import annotations\n\nimport os\n'
    text = a_test(context=context, setup="import json").program("pass").context
    compile(text, "<context>", "exec")
    assert text.index("annotations") < text.index("import json") < text.index("import os")


def test_a_context_that_does_not_parse_is_left_for_the_run_to_say() -> None:
    with pytest.raises(SyntaxError):
        compile(a_test(context="def (").program("pass").context, "<context>", "exec")


def test_the_program_gives_the_command_line_that_the_test_gives() -> None:
    text = a_test(test="options = parser.parse_args(['--seed', '3'])\nassert options.seed == 3").program("").context
    assert "['--seed', '3']" in text
    assert "argv" not in a_test(test="options = parser.parse_args(given)\nassert options").program("").context


def test_the_contexts_functions_are_put_back_but_for_those_that_the_answer_repeats() -> None:
    same, box = "def same(a):\n    return a", "class Box:\n    pass"
    test = a_test(context=f"{same}\n{box}\ndata = 1", reference="x = 1")

    def kept(code: str) -> set[str]:
        return {*test.program(code).keep}

    assert kept("x = 1") == {"same", "Box", "data"}
    assert kept(f"# All of it.\n{same}\n\n{box}\nx = 1") == {"data"}
    assert "same" in kept(f"{same}\nsame = 1") & kept(f"{same}\nsame.__code__ = x") & kept("def same(a):\n    return 1")
    assert kept("x = (") == {"same", "Box", "data"}


def test_names_of_builtins_that_the_reference_uses_are_the_answers() -> None:
    assert "hash = hash" in a_test(reference="hash = 1").program("").context
    assert "x = x" not in a_test(reference="x = 1").program("").context
    assert assigned("import a\nb, (c, *d) = 1, (2, 3)\nfor e in []: f = 1\ndef g(): h = 1\nclass I: j = 1") == set(
        "bcdefgI"
    )


@pytest.mark.parametrize(
    ("setup", "test", "stands_in"),
    [
        (MONITOR, CHECK, True),
        (MONITOR, CHECK + "assert x == 1", True),
        (MONITOR, f"assert {COUNTER}[0] == 2", False),  # the number of calls is not what the spy is asked
        (MONITOR, CHECK + "assert _original", False),
        (MONITOR + "data = [1]\n", CHECK, False),
        ("data = [1]\n", "assert data", False),
        ("", "assert x", False),
    ],
)  # fmt: skip
def test_only_the_published_monitor_is_left_out(setup: str, test: str, stands_in: bool) -> None:
    assert can_stand_in(setup, test) is stands_in
    program = a_test(setup=setup, test=test).program("x = 1")
    assert ("_watcher" in program.context) is (has_monitor(setup) and not stands_in)


def call(arguments: dict[str, Any] | None = None, **changes: Any) -> CallRecord:
    made = {"target": TARGET, "caller": "candidate", "completed": True, "arguments": arguments or {}}
    return CallRecord.model_validate({**made, **changes})


def number(value: float) -> dict[str, Any]:
    return {"t": "number", "v": value}


EMPTY_TEXT = {"t": "builtins.str", "len": 0, "h": "da39a3ee5e6b4b0d"}  # as it stands in the release
# What the release records of a call's arguments, ours, and what comes of it for a constructor and for a function.
COMPARED: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"a": number(1)}, {"a": 1}, "agrees", "agrees"),
    ({"a": number(1)}, {"a": 1.0}, "agrees", "agrees"),
    ({"a": number(0.1)}, {"a": 0.1 + 1e-10}, "agrees", "agrees"),
    ({"a": number(1)}, {"a": 2, "b": 3}, "differs", "differs"),
    ({"a": number(1)}, {"a": {"numpy": "float64", "value": 1.0}}, "agrees", "agrees"),
    ({"a": number(1)}, {"a": True}, "differs", "differs"),
    ({"a": {"t": "bool", "v": True}}, {"a": True}, "agrees", "agrees"),
    ({"a": {"t": "builtins.NoneType"}}, {"a": None}, "agrees", "agrees"),
    ({"a": {"t": "builtins.NoneType"}}, {"a": 0}, "differs", "differs"),
    ({"a": {"t": "number", "v": "inf"}}, {"a": {"float": "inf"}}, "agrees", "agrees"),
    ({"a": EMPTY_TEXT}, {"a": ""}, "agrees", "agrees"),
    ({"a": EMPTY_TEXT}, {"a": "x"}, "differs", "differs"),
    ({"a": {"t": "builtins.str"}}, {"a": "any words at all"}, "agrees", "agrees"),
    ({"a": {"t": "sequence", "len": 2, "items": [number(1), EMPTY_TEXT]}}, {"a": [1, ""]}, "agrees", "agrees"),
    ({"a": {"t": "sequence", "len": 1, "items": [number(1)]}}, {"a": {"tuple": [1]}}, "agrees", "agrees"),
    ({"a": {"t": "sequence", "len": 1, "items": [number(1)]}}, {"a": [2]}, "differs", "not compared"),
    ({"a": {"t": "sequence", "len": 1, "items": [number(1)]}}, {"a": 1}, "differs", "differs"),
    ({"a": {"t": "mapping", "len": 1, "keys": "36a8"}}, {"a": {"dict": [["k", 1]]}}, "not compared", "not compared"),
    ({"a": {"t": "mapping", "len": 2}}, {"a": {"dict": [["k", 1]]}}, "differs", "not compared"),
    ({"a": {"t": "numpy.ndarray", "shape": [3], "dtype": "int64", "s": 6.0}},
     {"a": {"array": {"dtype": "int64", "shape": [3], "values": [1, 2, 3]}}}, "not compared", "not compared"),
    ({"a": {"t": "numpy.ndarray", "shape": [3], "dtype": "int64", "s": 6.0}},
     {"a": {"array": {"dtype": "int64", "shape": [2], "values": [1, 2]}}}, "differs", "differs"),
    ({"a": {"t": "pandas.DataFrame", "shape": [3, 1]}}, {"a": {"type": "pandas.core.frame.DataFrame", "frame": {}}},
     "not compared", "not compared"),
    ({"a": number(1)}, {"rest": {"dict": [["a", 1]]}}, "agrees", "agrees"),
    ({"a": number(1)}, {"b": 1}, "not compared", "not compared"),
    ({"rest": [number(1), number(2)]}, {"rest": {"tuple": [1, 2]}}, "agrees", "agrees"),
    ({"rest": [number(1), number(2)]}, {"rest": {"tuple": [1]}}, "differs", "differs"),
    ({"*": [], "**": {}}, {"a": 1}, "not compared", "not compared"),
    ({}, {"a": 1}, "agrees", "agrees"),
]  # fmt: skip


@pytest.mark.parametrize(("theirs", "ours", "init", "function"), COMPARED)
def test_published_arguments_are_compared_where_both_forms_are_exact(
    theirs: dict[str, Any], ours: dict[str, Any], init: str, function: str
) -> None:
    assert compare_calls([ExpectedCall(kind="init", args=theirs)], [call(ours)]) == [init]
    assert compare_calls([ExpectedCall(kind="call", args=theirs)], [call(ours)]) == [function]


def test_any_call_of_the_answer_may_reproduce_an_expected_one() -> None:
    wanted = [ExpectedCall(kind="init", args={"a": number(n)}) for n in (2, 1)]
    calls = [call({"a": 1}), call({"a": 2}), call({"a": 3}, caller="library")]
    assert compare_calls(wanted, calls) == ["agrees", "agrees"]
    assert compare_calls([ExpectedCall(kind="init", args={"a": number(3)})], calls) == ["differs"]
    assert compare_calls(wanted, []) == ["differs", "differs"]


def test_returned_values_are_not_compared_and_subclasses_are() -> None:
    assert compare_calls([ExpectedCall(kind="call", ret=number(1))], [call()]) == ["not compared"]
    subclass = ExpectedCall(kind="subclass")
    assert compare_calls([subclass], [call(explicit=("subclass",))]) == ["agrees"]
    assert compare_calls([subclass], [call()]) == ["differs"]


@pytest.mark.parametrize(
    ("records", "weak"),
    [
        ([ExpectedCall(kind="init", args={})], True),
        ([ExpectedCall(kind="init", args={"f": {"t": "builtins.function"}})], True),
        ([ExpectedCall(kind="subclass")], True),
        ([ExpectedCall(kind="call", ret={"t": "__main__"})], True),
        ([ExpectedCall(kind="init", args={}), ExpectedCall(kind="init", args={"a": number(1)})], False),
        ([ExpectedCall(kind="call", ret={"t": "bool", "v": False})], False),
        ([ExpectedCall(kind="init", args={"rest": [{"t": "__main__"}]})], False),
    ],
)
def test_expected_calls_that_any_call_would_satisfy(records: list[ExpectedCall], weak: bool) -> None:
    assert says_nothing(records) is weak


def test_a_form_of_ours_that_says_too_little_is_not_translated() -> None:
    for form in ({"cut": True}, {"type": "x.Y", "fields": []}, [1, {"cut": True}], {"dict": [[{"cut": True}] * 2]}):
        assert translate(form) == {}


HONEST = "import lib.sub\nx = lib.sub.make(1)"
# An answer -> a part of the sign, or None. The test calls `math.isclose`, and its monitor's counter is private.
SIGNS: dict[str, str | None] = {
    HONEST: None,
    "class Mine(make):\n    def __init__(self): super().__init__()\nx = Mine()": None,
    f"{COUNTER}[0] = 9": COUNTER,
    f"globals()['{COUNTER}'][0] = 9": COUNTER,
    "class Same:\n    def __eq__(self, other): return True\nx = Same()": "__eq__",
    "x = type('Same', (), {'__eq__': lambda *a: True})()": "__eq__",
    "import lib\nlib.Thing.__eq__ = lambda *a: True": "__eq__",
    "import math\nmath.isclose = lambda *a, **k: True": "isclose",
    "import math\nsetattr(math, 'isclose', print)": "isclose",
    "import lib\nlib.options.width = 3": None,
    "from unittest.mock import ANY as x": "unittest.mock",
    "import math\nmath.__dict__['isclose'] = print": "past their assignment",
    "import sys\nsys.modules['math'] = None": "past their assignment",
    "globals().update(x=1)": "past their assignment",
    "x = vars(lib)['one'] + len(lib.__dict__) + len(globals())": None,
}


@pytest.mark.parametrize("code", SIGNS)
def test_signs_of_forgery(code: str) -> None:
    test = a_test(setup=MONITOR, test=CHECK + "import math\nassert math.isclose(x, 1)", reference=HONEST)
    sign, wanted = sign_of_forgery(test, code), SIGNS[code]
    assert sign is None if wanted is None else sign is not None and wanted in sign
    if wanted == "__eq__":
        assert sign_of_forgery(a_test(reference="class R:\n    def __eq__(self, other): return False"), code) is None


FAILED = ExceptionRecord(type="AssertionError", module="builtins", bases=("Exception",), message="no")


def run(**changes: Any) -> RunRecord:
    return RunRecord.model_validate({"status": "completed", "phase": "report", "observations": {TEST: None}, **changes})


GOOD = run(calls=(call(),))
UNWATCHED = run(status="infra", phase="report", reason="the target lib.sub.make cannot be watched: it is a str")
WRONG_TEST = run(observations={}, errors={TEST: FAILED})
# name -> (plain run, watched run, the code, outcome, what the reason says)
RUNS: dict[str, tuple[RunRecord, RunRecord | None, str, str, str]] = {
    "all well": (run(), GOOD, HONEST, "pass", "passes"),
    "the test fails": (WRONG_TEST, GOOD, HONEST, "fail", "AssertionError: no"),
    "no word of the test": (run(observations={}), GOOD, HONEST, "fail", "no result"),
    "left in the answer": (run(status="exited", phase="completion", reason="SystemExit(0)"), GOOD, HONEST, "fail",
                           "SystemExit(0)"),
    "left in the test": (run(status="exited", phase="observe", reason="ended with exit code 0"), GOOD, HONEST,
                         "fail", "exit code 0"),
    "forged": (run(status="tampered", reason="not believed"), None, HONEST, "fail", "not believed"),
    "a limit": (run(status="limit", phase="completion", limit="cpu"), None, HONEST, "fail", "cpu limit"),
    "no machine": (run(status="infra", phase="start", reason="no fork"), GOOD, HONEST, "infra", "no fork"),
    "a broken setup": (run(status="raised", phase="context", exception=FAILED), GOOD, HONEST, "infra", "own"),
    "never called": (run(), run(), HONEST, "fail", "never completed"),
    "called by the test only": (run(), run(calls=(call(caller="harness"),)), HONEST, "fail", "never completed"),
    "raised and swallowed": (run(), run(calls=(call(completed=False),)), HONEST, "fail", "never completed"),
    "another end when watched": (run(), run(status="exited", phase="completion"), HONEST, "suspect", "watched"),
    "fails when watched": (run(), WRONG_TEST, HONEST, "suspect", "watched"),
    "took the watch off": (run(), run(status="tampered", reason="hook"), HONEST, "suspect", "hook"),
    "looked around": (run(), GOOD.model_copy(update={"reason": "the answer looked into the machinery around it: gc"}),
                      HONEST, "suspect", "machinery"),
    "a sign": (run(), GOOD, f"x = {COUNTER}", "suspect", COUNTER),
    "a target that is not there": (run(), UNWATCHED, HONEST, "infra", "cannot be watched"),
    "a failure for want of the target": (WRONG_TEST, UNWATCHED, HONEST, "infra", "cannot be watched"),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNS)
def test_a_verdict(name: str) -> None:
    plain, recorded, code, outcome, reason = RUNS[name]
    ast.parse(code)
    trial = SuppliedTestTrial(a_test(setup=MONITOR, test=CHECK + "assert x == 1"), code)
    verdict = judge_supplied_test_runs(trial, plain, recorded, "here")
    assert (verdict.outcome, verdict.detail["trust"]) == (outcome, "in-process"), verdict.detail
    assert reason in verdict.detail["reason"]
    assert verdict.score == (outcome == "pass")


def test_other_arguments_than_the_references_fail() -> None:
    wanted = (ExpectedCall(kind="init", args={"a": number(1)}), ExpectedCall(kind="call", ret=number(2)))
    trial = SuppliedTestTrial(a_test(), HONEST, wanted)
    right = judge_supplied_test_runs(trial, run(), run(calls=(call({"a": 1}),)), "here")
    wrong = judge_supplied_test_runs(trial, run(), run(calls=(call({"a": 2}),)), "here")
    assert (right.outcome, wrong.outcome) == ("pass", "fail")
    assert right.detail["expected calls"] == {"agrees": 1, "not compared": 1}
    assert "call 1" in wrong.detail["reason"]
