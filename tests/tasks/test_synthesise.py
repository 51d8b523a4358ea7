"""Observations of a reference by the author, and the tasks that are kept."""

import pytest

from apigap.records.run import RunRecord
from apigap.tasks.attempt import Attempt
from apigap.tasks.cut import CutError
from apigap.tasks.observations.observation_choice import observed, trial
from tests.tasks.test_cut import candidate, draft

VAST = {"type": "lib.Thing", "fields": [["rows", list(range(9_000))]]}
STATE = {"type": "lib.T", "fields": [["a", 1]]}
ROWS: list[tuple[str, dict[str, object], list[str]]] = [
    ("plain data", {"y": 1, "str(y)": "1"}, ["y"]),
    ("a library's object with a text of its own", {"y": STATE, "str(y)": "T of 1"}, ["str(y)"]),
    ("a library's object without one", {"y": STATE, "str(y)": "<lib.T object at 0x7f0011>"}, ["y"]),
    ("a vast object with a text of its own", {"y": VAST, "str(y)": "ALTER TABLE t"}, ["str(y)"]),
    ("a vast object with the default text", {"y": VAST, "str(y)": "<lib.Thing object at 0x7f0011>"}, []),
    ("a vast object with a vast text", {"y": VAST, "str(y)": "a" * 30_000}, []),
]


def run(observations: dict[str, object]) -> RunRecord:
    return RunRecord(status="completed", phase="report", observations=observations)


@pytest.mark.parametrize(("values", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_text_stands_in_for_inner_state(values: dict[str, object], expected: list[str]) -> None:
    one = trial(Attempt(candidate(), draft("from lib import slugify\ny = slugify(x)\nassert y == 1")))
    runs = [run(values), *[run({"y": 0, "str(y)": "0"}) for _ in one.codes[1:]]]
    if expected:
        assert list(observed(one, runs).draft.observes) == expected
    else:
        with pytest.raises(CutError, match="nothing that it leaves behind"):
            observed(one, runs)


def test_what_alone_tells_a_wrong_answer_is_observed_too() -> None:
    one = trial(Attempt(candidate(), draft("from lib import slugify\nx = [1]\ny = slugify(x)\nassert y == 1")))
    assert "y is x" in one.scenario.observes
    runs = [run({"y": [1], "y is x": False}), *[run({"y": [1], "y is x": True}) for _ in one.codes[1:]]]
    assert observed(one, runs).draft.observes == ("y", "y is x")
    assert observed(one, runs).strength == 1.0


def test_an_argument_that_changes_nothing_is_left_out() -> None:
    one = trial(Attempt(candidate(), draft("import lib\ny = lib.slugify(x, sep=None)\nassert y == 1")))
    runs = [run({"y": 1}), run({"y": 1}), *[run({"y": 2}) for _ in one.codes[2:]]]
    assert observed(one, runs).draft.completion == "y = lib.slugify(x)"


def test_a_yes_or_no_is_not_all_that_is_observed() -> None:
    one = trial(Attempt(candidate(), draft("from lib import slugify\ny = slugify([1])\nassert y.a <= 3")))
    runs = [run({"y.a <= 3": True, "y": STATE}), *[run({"y.a <= 3": False, "y": 0}) for _ in one.codes[1:]]]
    assert observed(one, runs).draft.observes == ("y.a <= 3", "y")
