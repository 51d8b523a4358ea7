"""What lies deep in a result is altered where nothing else changes, and what the functions in it give."""

import functools
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.worker.watch.altered import altered
from apigap.sandbox.worker.watch.altered_deeper import alter_state_deeper, altered_deeper

from .tasks import make_task

Pair = namedtuple("Pair", "name call")


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    call: Any


def four() -> int:
    return 4


HOLDERS = [
    (SimpleNamespace(call=four), lambda made: made.call()),
    (SimpleNamespace(steps=(Step("a", four),)), lambda made: made.steps[0].call()),
    ([four], lambda made: made[0]()),
    ({"a": functools.partial(max, 3)}, lambda made: made["a"](4)),
    (Pair("a", four), lambda made: made.call()),
    (Step("a", four), lambda made: made.call()),
    (four, lambda made: made()),
]


@pytest.mark.parametrize(("value", "called"), HOLDERS)
def test_what_a_result_holds_is_called_and_gives_another_result(value: Any, called: Any) -> None:
    assert (called(value), called(altered_deeper(value, 3)), called(value)) == (4, 7, 4)


def test_a_level_of_objects_more() -> None:
    made: Any = 1
    for _ in range(5):
        made = SimpleNamespace(inner=made)

    def deepest(value: Any) -> Any:
        return deepest(value.inner) if isinstance(value, SimpleNamespace) else value

    assert (deepest(altered(made, 1)), deepest(altered_deeper(made, 1)), deepest(made)) == (1, 2, 1)


def test_an_instance_is_altered_where_it_stands() -> None:
    made = SimpleNamespace(call=four, name="a")
    alter_state_deeper(made, 1)
    assert (made.call(), made.name) == (5, "b")


TASKS = [
    ("a function where the reference has a number", "x = spied.later(lambda: 3).value()", "pass"),
    ("a partial", "import functools\nx = spied.later(functools.partial(int, 3)).value()", "pass"),
    ("it is made for show", "spied.later(lambda: 3)\nx = 3", "suspect"),
    ("it is called for show", "spied.later(lambda: 3).value()\nx = 3", "suspect"),
    ("it looks whether it is itself", "assert spied.later(lambda: 3).value() == 3\nx = 3", "suspect"),
]


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(("code", "outcome"), [row[1:] for row in TASKS], ids=[row[0] for row in TASKS])
def test_an_answer_may_hand_over_a_function_that_the_library_calls_later(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    task = make_task({"basic": ("import spied", {"x": 3})}, "spied.later", "x = spied.later(3).value()")
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["spied"])
    assert verdict.outcome == outcome, verdict.detail
