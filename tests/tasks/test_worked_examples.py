"""Worked examples: what else the same lines give, in a line that a reader takes in."""

from typing import Any

import pytest

from apigap.records.run import RunRecord
from apigap.records.task import Observation, Scenario
from apigap.tasks.worked_examples import contrast, worked_example, worked_examples


def scenario(context: str, value: Any) -> Scenario:
    return Scenario(name="n", context_code=context, observations=(Observation(expression="y", expected=value),))


BASIC = scenario("import lib\nx = [3, 1]\nn = 2", [1, 3])
ROWS = [
    ("another input", "import lib\nx = [5, 4]\nn = 2", [4, 5], "- after `x = [5, 4]`: `y` is a list of 2: `[4, 5]`"),
    ("two", "import lib\nx = [5]\nn = 7", [4, 6], "- after `x = [5]` and `n = 7`: `y` is a list of 2: `[4, 6]`"),
    ("the same outcome", "import lib\nx = [1, 3, 3]\nn = 2", [1, 3], None),
    ("another count of statements", "import lib\nx = [5, 4]", [4, 5], None),
    ("a definition", "import lib\ndef x():\n    return 5\nn = 2", [4, 5], None),
    ("an outcome that shows nothing", "import lib\nx = []\nn = 2", [], None),
    ("the name of the API", "import lib\nx = ['slugify', 4]\nn = 2", [4, 5], None),
]


@pytest.mark.parametrize(("context", "value", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_worked_example(context: str, value: Any, expected: str | None) -> None:
    assert worked_example(BASIC, scenario(context, value), "slugify") == expected


def test_examples_change_different_inputs_first() -> None:
    others = [
        scenario("import lib\nx = [5, 4]\nn = 2", [4, 5]),
        scenario("import lib\nx = [6, 4]\nn = 2", [4, 6]),
        scenario("import lib\nx = [3, 1]\nn = 9", [1, 9]),
    ]
    lines = worked_examples(BASIC, others, "slugify", 2)
    assert [line.partition(":")[0] for line in lines] == ["- after `x = [5, 4]`", "- after `n = 9`"]


def run(value: Any) -> RunRecord:
    return RunRecord(status="completed", phase="report", observations={"y": value})


def test_what_a_changed_parameter_decides_is_told_by_what_would_be_without_it() -> None:
    text = contrast(BASIC, run([3, 1]), "1.0", "slugify")
    assert text == "Without what 1.0 did not take, `y` would be a list of 2: `[3, 1]`."
    assert contrast(BASIC, run([1, 3]), "1.0", "slugify") is None


def test_what_looks_the_same_without_a_changed_parameter_is_no_contrast() -> None:
    categorical = {"type": "lib.Column", "text": "small, medium", "fields": [["dtype", "category"]]}
    plain = {"type": "lib.Column", "text": "small, medium", "fields": [["dtype", "object"]]}
    assert contrast(scenario("n = 2", categorical), run(plain), "1.0", "slugify") is None
