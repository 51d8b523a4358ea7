"""A part of a result stands for the whole, where an answer can go on with that and with no other numbers."""

import datetime
from collections import namedtuple
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.worker.watch.altered_parts import altered_part, cut_state

from .tasks import make_task

Found = namedtuple("Found", "x blocks")


class Group:
    """A sequence of a library: a part of it is one, too."""

    def __init__(self, members: list[int]) -> None:
        self.members = members

    def __len__(self) -> int:
        return len(self.members)

    def __getitem__(self, places: slice) -> "Group":
        return Group(self.members[places])


PARTS: list[tuple[Any, Any]] = [
    ([1, 2, 3], [3]), ((1, 2, 3), (3,)), ([1], [1]), ([], []), ("abc", "abc"), (5, 5), (None, None),
    ({"a": [1, 2, 3], "b": 4}, {"a": [3], "b": 4}), (Found([1, 2, 3], 4), Found([3], 4)),
    (datetime.date(2026, 1, 1), datetime.date(2026, 1, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), PARTS)
def test_the_first_items_are_left_out(value: Any, expected: Any) -> None:
    assert altered_part(value, 1) == expected
    assert type(altered_part(value, 1)) is type(value)


def test_what_a_library_makes() -> None:
    assert altered_part(Group([1, 2, 3]), 1).members == [3]
    assert altered_part(np.arange(6).reshape(3, 2), 0).tolist() == [[2, 3], [4, 5]]
    assert altered_part(pd.DataFrame({"a": [1, 2, 3]}, index=[7, 8, 9]), 1).index.tolist() == [9]
    assert altered_part(pd.Series([1, 2, 3], index=["x", "y", "z"]), 0).index.tolist() == ["y", "z"]


def test_objects_hold_parts() -> None:
    found = SimpleNamespace(x=np.arange(3), name="abc")
    assert altered_part(found, 1).x.tolist() == [2]
    cut_state(found, 0)
    assert (found.x.tolist(), found.name) == ([1, 2], "abc")


ANSWERS = [
    ("places into another list", "x = [order[place] for place in spied.places(9)]", "pass"),
    ("all that it left", "taken = {order[n] for n in spied.places(9)}\nx = [n for n in order if n in taken]", "pass"),
    ("it looks whether it is itself", "assert spied.places(9) == order\nx = order", "suspect"),
    ("it looks at the last", "assert spied.places(9)[-1] == 8\nx = order", "suspect"),
    ("it looks, and gives something else", "x = order if spied.places(9) == order else [0]", "suspect"),
]  # fmt: skip


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(("code", "outcome"), [row[1:] for row in ANSWERS], ids=[row[0] for row in ANSWERS])
def test_an_answer_that_stands_no_other_numbers_follows_what_is_left(
    engine: Engine, environment: Environment, code: str, outcome: str
) -> None:
    order = list(range(9))
    context = "import spied\norder = list(range(9))"
    task = make_task({"basic": (context, {"x": order})}, "spied.places", "x = spied.places(9)")
    (verdict,) = judge_trials(engine, environment, [Trial(task, code)], preload=["spied"])
    assert verdict.outcome == outcome, verdict.detail
