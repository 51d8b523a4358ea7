"""Inputs of a context, and scenarios that change them."""

import pytest

from apigap.models.schemas.structured import UnreadableAnswer
from apigap.tasks.author.answers import ScenariosAnswer, TaskAnswer, code_of, inputs_of, scenarios_of
from apigap.tasks.hand_written import WrittenTask

CONTEXT = """\
import math
from math import pi
old_prices = [3, 4]
prices = [3, 4]
a, b = (0, 0), (1,
    2)
name: str = "x"; other = 5
half = prices
def area(radius):
    scale = 2
    return scale * radius
"""


def test_inputs_are_assignments_that_hold_data() -> None:
    assert inputs_of(CONTEXT) == {
        "old_prices": "old_prices = [3, 4]",
        "prices": "prices = [3, 4]",
        "(a, b)": "a, b = (0, 0), (1,\n    2)",
        "name": 'name: str = "x"; other = 5',
    }


def scenarios(*sets: list[str] | str, names: str = "abcdef") -> ScenariosAnswer:
    return ScenariosAnswer.model_validate(
        {"scenarios": [{"name": name, "inputs": lines} for name, lines in zip(names, sets, strict=False)]}
    )


def contexts(answer: ScenariosAnswer) -> list[str]:
    task = WrittenTask(
        api="math.dist", change="added", difficulty="easy", description="d", context=CONTEXT, solution="s",
        observe=("o",), scenario=scenarios_of(answer, CONTEXT),
    )  # fmt: skip
    return [context for _, context in task.contexts]


def test_a_scenario_changes_its_inputs_and_nothing_else() -> None:
    basic, first, second = contexts(scenarios(["prices = []"], ["old_prices = [1]", "a, b = (1, 1), (2, 2)"]))
    assert basic == CONTEXT
    assert first == CONTEXT.replace("\nprices = [3, 4]", "\nprices = []")
    assert second == CONTEXT.replace("old_prices = [3, 4]", "old_prices = [1]").replace(
        "a, b = (0, 0), (1,\n    2)", "a, b = ((1, 1), (2, 2))"
    )


def test_inputs_may_span_lines_and_come_as_one_text() -> None:
    _, first, _ = contexts(scenarios(["prices = [", "  9,", "]"], "prices = [7]\nold_prices = [8]"))
    assert "\nprices = [9]\n" in first


def test_an_input_in_the_first_line_is_changed_too() -> None:
    answer = scenarios(["x = 2"], ["x = 3"])
    found = [dict(one.replace) for one in scenarios_of(answer, "x = 1\ny = x\n")]
    assert found == [{"x = 1\n": "x = 2\n"}, {"x = 1\n": "x = 3\n"}]


def test_names_are_made_different() -> None:
    found = scenarios_of(
        scenarios(["prices = []"], ["prices = [1]"], ["prices = [2]"], names=["basic", " ", " "]),  # pyright: ignore[reportArgumentType]
        CONTEXT,
    )
    assert [one.name for one in found] == ["basic 2", "scenario", "scenario 2"]


REFUSED = [
    ([["prices = []"]], "2 are needed"),
    ([["prices = ["], ["prices = []"]], "do not parse"),
    ([["price = 1"], ["prices = []"]], "`price = 1` assigns to none of the inputs, which are `old_prices`, `prices`"),
    ([["half = 1"], ["prices = []"]], "none of the inputs"),
    ([["import os"], ["prices = []"]], "none of the inputs"),
    ([["prices = \x00"], ["prices = []"]], "do not parse"),
    ([["(" * 2000], ["prices = []"]], "do not parse"),
]


@pytest.mark.parametrize(("sets", "says"), REFUSED)
def test_other_scenarios_are_refused_with_the_reason(sets: list[list[str]], says: str) -> None:
    with pytest.raises(UnreadableAnswer) as caught:
        scenarios_of(scenarios(*sets), CONTEXT)
    assert says in str(caught.value)


def test_code_may_come_as_lines_or_as_one_text() -> None:
    lines, text = (
        TaskAnswer.model_validate({"description": "d", "context": code, "solution": code, "observe": "x"})
        for code in (["if 1:", "    x = 1"], "if 1:\n    x = 1\n")
    )
    assert code_of(lines.solution) == code_of(text.solution) == "if 1:\n    x = 1\n"
    assert text.observe == ["x"]
