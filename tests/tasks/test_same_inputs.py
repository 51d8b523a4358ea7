"""Inputs that are the same, told apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.parsing.syntax import parse
from apigap.tasks.inputs.same_inputs import has_same_inputs, told_apart

SETUPS = [
    ("lists of numbers", ("a = [3, 1, 2]", "b = [3, 1, 2]"), ("a = [3, 1, 2]", "b = [3, 1, 3]")),
    ("shares stay shares", ("a = [0.5, 0.25]", "b = [0.5, 0.25]"), ("a = [0.5, 0.25]", "b = [0.5, 0.625]")),
    ("three alike", ("a = [5, 8]", "b = [5, 8]", "c = [5, 8]"), ("a = [5, 8]", "b = [5, 9]", "c = [6, 8]")),
    ("numbers alone", ("n = 3", "m = 3"), ("n = 3", "m = 4")),
    ("numbers beside data", ("n = 3", "m = 3", "a = [1, 2]"), ("n = 3", "m = 3", "a = [1, 2]")),
    ("both ends", ("start = 3", "end = 3", "a = [1, 2]"), ("start = 3", "end = 4", "a = [1, 2]")),
    ("calls", ("a = array([1, 2])", "b = array([1, 2])"), ("a = array([1, 2])", "b = array([1, 3])")),
    ("names in lists", ("a = [x, y]", "b = [x, y]"), ("a = [x, y]", "b = [y, x]")),
    ("nothing to change", ("a = [x]", "b = [x]"), ("a = [x]", "b = [x]")),
    ("the same calls, with nothing in them", ("a = Box()", "b = Box()"), ("a = Box()", "b = Box()")),
    ("statements between", ("a = [1, 2]", "a.sort()", "b = [1, 2]"), ("a = [1, 2]", "a.sort()", "b = [1, 3]")),
]


@pytest.mark.parametrize(("setup", "wanted"), [case[1:] for case in SETUPS], ids=[case[0] for case in SETUPS])
def test_the_later_input_gets_another_value(setup: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    assert told_apart(setup) == wanted


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=3), min_size=1, max_size=4))
def test_lists_of_numbers_are_always_told_apart(rows: list[list[int]]) -> None:
    setup = [f"x_{n} = {row}" for n, row in enumerate(rows)]
    found = told_apart(setup)
    assert not has_same_inputs(parse("\n".join(found)))
    assert found[0] == setup[0]
    assert told_apart(found) == found
