"""The scenarios of a task: which outcomes make one, and which of them are spare."""

import ast

import pytest

from apigap.records.parsing.syntax import expression_tree
from apigap.records.run import RunRecord
from apigap.tasks.attempt import Attempt
from apigap.tasks.inputs.literals import changed
from apigap.tasks.inputs.scenarios import chosen_scenarios, judged
from apigap.tasks.inputs.variants import Variant
from tests.tasks.test_cut import candidate, draft


def test_what_is_left_over_is_spare_and_comes_last() -> None:
    attempt = Attempt(candidate(), draft("from lib import slugify\ny = slugify(x)\nassert y == 1"))
    tried = [Variant(f"x = {n}", ("y",), edge=n == 5) for n in range(1, 8)]
    runs = [RunRecord(status="completed", phase="report", observations={"y": n}) for n in range(8)]
    named = chosen_scenarios(attempt, tried, runs)
    assert [name for name, _ in judged(named)] == ["basic", "changed_1", "changed_2", "edge"]
    assert [name for name, _ in named[4:]] == ["example_1", "example_2", "example_3", "example_4"]


@pytest.mark.parametrize(("code", "other"), [("0.5", "0.75"), ("2.5", "3.5"), ("7", "8"), ("'Oslo'", "'Lima'")])
def test_a_changed_value_is_of_the_same_kind(code: str, other: str) -> None:
    made = changed(expression_tree(code))
    assert made is not None
    assert ast.unparse(made) == other
