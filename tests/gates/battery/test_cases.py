"""The making of cases, without a sandbox."""

import ast
import contextlib
import datetime
import io
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.gates.battery import Aims, Signature, battery
from apigap.gates.battery.case import LEAK
from apigap.gates.battery.literals import NotWritable, literal
from apigap.gates.battery.signature_script import main as describe
from apigap.gates.battery.subject import Subject
from apigap.records.task import Harness, Observation, Scenario, Spy, Task
from apigap.sandbox.verdict.comparison import differences
from apigap.sandbox.worker.values.fingerprint import fingerprint
from tests.records.test_task import make_task

AIMS = Aims(Path("/home/x"), Path("/tmp"), Path("/environment"))
JSON = Signature("function", ("obj",), defaults=(("skipkeys", "False"), ("indent", "None")))


def task(solution: str, observed: dict[str, Any], *others: dict[str, Any], target: str = "json.dumps") -> Task:
    """A task about json, with one scenario for each table of observations."""
    scenarios = tuple(
        Scenario(
            name=f"s{number}" if number else "basic",
            context_code=f"import json\nvalue = {number}\n",
            observations=tuple(Observation(expression=text, expected=form) for text, form in table.items()),
        )
        for number, table in enumerate((observed, *others))
    )
    return make_task(
        api_name=target, context_code=scenarios[0].context_code, masked_region=solution,
        harness=Harness(layers=("comparative",), scenarios=scenarios, spy=Spy(target=target)),
    )  # fmt: skip


DUMPS = task("result = json.dumps([value], indent=None)", {"result": "[0]"}, {"result": "[1]"})


def run(code: str, number: int, folder: Path) -> dict[str, Any]:
    """The names that `code` leaves in scenario `number`, run as the sandbox would run it."""
    context = DUMPS.harness.scenarios[number].context_code
    (folder / "context.py").write_text(context)
    space: dict[str, Any] = {"__name__": "__main__", "__file__": str(folder / "completion.py")}
    exec(context, space)
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())), contextlib.chdir(folder):
        exec(compile(code, "completion.py", "exec"), space)
    return space


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
)


@given(values)
def test_a_literal_has_the_value_that_it_was_made_from(value: Any) -> None:
    form = fingerprint(value)
    assert differences(form, fingerprint(eval(literal(form)))) == []


@pytest.mark.parametrize(
    "value",
    [numpy.arange(6, dtype="int16").reshape(2, 3), numpy.float32(0.5), numpy.array(["a"]), frozenset({1}), {2}, set()],
)
def test_arrays_and_sets_have_literals(value: Any) -> None:
    form = fingerprint(value)
    assert differences(form, fingerprint(eval(literal(form)))) == []


@pytest.mark.parametrize("value", [datetime.date(2024, 1, 1), len, "x" * 10**5, numpy.zeros(10**4)])
def test_what_only_the_library_can_make_has_no_literal(value: Any) -> None:
    with pytest.raises(NotWritable):
        literal(fingerprint(value))


@pytest.mark.parametrize("number", [0, 1])
def test_the_oracle_is_right_in_every_scenario(number: int, tmp_path: Path) -> None:
    expected = DUMPS.harness.scenarios[number].observations[0].expected
    assert run(Subject(DUMPS).oracle(), number, tmp_path)["result"] == expected


def test_parts_of_a_result_are_answered_by_an_object_that_has_them() -> None:
    observed = {"it.name": "a", "it.items()[0]": 5, "it['k'].size": {"tuple": [2]}, "it[1:]": 6, "it[:2, 3].x": 7}
    space: dict[str, Any] = {}
    exec(Subject(task("it = json.dumps(1)", observed)).visible(), space)
    it = space["it"]
    assert (it.name, it.items()[0], it["k"].size, it[1:], it[:2, 3].x) == ("a", 5, (2,), 6, 7)


def test_what_is_computed_from_other_names_cannot_be_forged() -> None:
    with pytest.raises(NotWritable, match="more than the answer's own names"):
        Subject(task("it = json.dumps(1)", {"len(it)": 1})).visible()


def test_one_function_with_several_arguments_cannot_be_forged() -> None:
    with pytest.raises(NotWritable, match="several arguments"):
        Subject(task("it = json.dumps(1)", {"it.at(1)": 1, "it.at(2)": 2})).visible()


@pytest.mark.filterwarnings("ignore:careful")
@pytest.mark.parametrize(
    "case", [c for c in battery(DUMPS, AIMS, JSON).cases if c.family in (35, 36)], ids=lambda c: c.name
)
def test_an_unusual_form_means_the_same(case: Any, tmp_path: Path) -> None:
    assert case.code != DUMPS.masked_region
    assert [run(case.code, number, tmp_path)["result"] for number in (0, 1)] == ["[0]", "[1]"]


@pytest.mark.parametrize(
    "solution",
    ["result = [one for one in json.dumps(value)]", "class Kept:\n    text = json.dumps(value)\nresult = Kept.text"],
)
def test_no_name_is_assigned_where_that_means_something_else(solution: str) -> None:
    made = battery(task(solution, {"result": 1}), AIMS, JSON)
    names = {case.name for case in made.cases}
    assert "getattr" in names
    assert "the callable in a variable" not in names
    for case in made.cases:
        if case.family in (35, 36):
            compile(case.code, case.name, "exec")


def test_most_forms_apply_to_a_plain_call() -> None:
    made = battery(DUMPS, AIMS, JSON)
    names = {case.name for case in made.cases}
    assert {"functools.partial", "operator.methodcaller", "inside a coroutine", "a joined thread"} <= names
    assert {"positional arguments by keyword", "a default written out", "module under another name"} <= names
    by_name = {case.name: case.code for case in made.cases}
    assert by_name["positional arguments by keyword"] == "result = json.dumps(obj=[value], indent=None)"
    assert by_name["a default written out"] == "result = json.dumps([value], indent=None, skipkeys=False)"
    assert "another.dumps" in by_name["module under another name"]


def test_every_case_parses_and_every_family_is_accounted_for() -> None:
    made = battery(DUMPS, AIMS, JSON)
    for case in made.cases:
        if case.name not in (
            "a null character",
            "a null character far behind",
            "brackets without end",
            "half a letter",
        ):
            ast.parse(case.code)
    assert {case.family for case in made.cases} | {skipped.family for skipped in made.skipped} == {*range(1, 61)}
    assert len({(case.family, case.name) for case in made.cases}) == len(made.cases)


def test_hard_coding_is_only_tried_where_something_varies() -> None:
    same = task("result = json.dumps(1)", {"result": "1"}, {"result": "1"})
    kinds = [[c.name for c in battery(each, AIMS).cases if c.family == 27] for each in (DUMPS, same)]
    assert [len(names) for names in kinds] == [3, 1]


def test_the_library_is_asked_for_signatures() -> None:
    found = describe(["json.dumps", "pathlib.PurePath.with_suffix", "pathlib.PurePath.name", "no.such.thing"])
    assert found["no.such.thing"] is None
    assert found["json.dumps"]["kind"] == "function"
    assert found["json.dumps"]["parameters"][:2] == [
        ["obj", "POSITIONAL_OR_KEYWORD", None], ["skipkeys", "KEYWORD_ONLY", "False"],
    ]  # fmt: skip
    assert found["json.dumps"]["neighbours"] == ["load", "loads", "detect_encoding"]
    assert found["pathlib.PurePath.with_suffix"] == {
        "kind": "method", "parameters": [["suffix", "POSITIONAL_OR_KEYWORD", None]],
        "neighbours": ["as_posix", "as_uri", "is_absolute"],
    }  # fmt: skip
    assert found["pathlib.PurePath.name"]["kind"] == "property"


def test_another_name_of_the_same_thing_is_no_neighbour() -> None:
    name = "json.encoder.encode_basestring"  # it is c_encode_basestring
    found = describe([name])[name]["neighbours"]
    assert found == ["encode_basestring_ascii", "py_encode_basestring", "py_encode_basestring_ascii"]


OF_ONE = "its database is of one thread"
ELSEWHERE = [
    ("import asyncio", {"inside a coroutine": "it runs an event loop itself"}),
    (
        "import sqlite3",
        {"a joined thread": OF_ONE, "a thread pool": OF_ONE},
    ),
    ("import threading", dict.fromkeys(("a joined thread", "a thread pool"), "it tells threads apart itself")),
    ("import json", {}),
]


@pytest.mark.parametrize(("context", "left_out"), ELSEWHERE)
def test_a_frame_in_which_the_same_lines_do_something_else_is_left_out(context: str, left_out: dict[str, str]) -> None:
    frames = {"inside a coroutine", "a joined thread", "a thread pool"}
    of_it = battery(DUMPS.model_copy(update={"context_code": f"{context}\n{DUMPS.context_code}"}), AIMS)
    assert {case.name: case.reason for case in of_it.skipped if case.name in frames} == left_out
    assert {case.name for case in of_it.cases if case.name in frames} == frames - {*left_out}


def test_a_library_s_own_file_is_no_reference_that_was_found(tmp_path: Path) -> None:
    (look,) = [case for case in battery(DUMPS, AIMS).cases if case.name == "asks the loader and the variables"]
    told: list[str] = []
    code = look.code.replace(DUMPS.masked_region, "")
    for place, leaks in (
        ("/a/ddl_references.py", 0),
        ("/a/_compat/shared.py", 0),
        ("/a/shared/data", 1),
        ("/a/references.jsonl", 1),
    ):
        told.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.path", [place])
            patch.setattr("os.environ", {})
            patch.setattr("sys.modules", {"os": __import__("os"), "sys": __import__("sys")})
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "completion.py", "exec"), {"value": 0, "json": __import__("json")})
        assert printed.getvalue().count(LEAK) == leaks, place
