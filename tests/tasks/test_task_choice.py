"""Which tasks are asked when not all can be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.records.task import Task
from apigap.tasks.task_choice import select_tasks, younger_than
from tests.records.test_task import make_task


def tasks_of(shape: list[tuple[str, str]]) -> list[Task]:
    return [
        make_task(library=library, api_name=f"{library}.{api}", description=f"Task {number}.")
        for number, (library, api) in enumerate(shape)
    ]


def test_every_api_gets_one_before_any_gets_two() -> None:
    tasks = tasks_of([("a", "x"), ("a", "x"), ("a", "y"), ("a", "z"), ("b", "w"), ("b", "w")])
    assert {task.api_name for task in select_tasks(tasks, 4)} == {"a.x", "a.y", "a.z", "b.w"}


def test_a_small_library_gives_all_that_it_has() -> None:
    tasks = tasks_of([("a", f"x{n}") for n in range(20)] + [("b", "y"), ("b", "z")])
    chosen = select_tasks(tasks, 8)
    assert sum(task.library == "b" for task in chosen) == 2
    assert len(chosen) == 8


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=30), st.integers(0, 40))
def test_the_choice_is_a_part_in_order_and_does_not_depend_on_it(shape: list[tuple[str, str]], most: int) -> None:
    tasks = tasks_of(shape)
    chosen = select_tasks(tasks, most)
    assert len(chosen) == (len(tasks) if most == 0 else min(most, len(tasks)))
    assert [task for task in tasks if task in chosen] == chosen
    assert set(select_tasks(tasks[::-1], most)) == set(chosen)


def test_the_apis_of_a_library_are_asked_in_the_order_of_their_places() -> None:
    tasks = tasks_of([("a", "x"), ("a", "y"), ("a", "y"), ("a", "z"), ("b", "w")])
    places = {"a.z": 0, "a.y": 1, "b.w": 2}
    assert {task.api_name for task in select_tasks(tasks, 3, places)} == {"a.z", "a.y", "b.w"}
    assert {task.api_name for task in select_tasks(tasks, 2, places)} == {"a.z", "b.w"}


def test_only_what_is_certainly_as_young_is_asked() -> None:
    days = ["2026-05-02", "2026-08-01", "2026-10-07", None]
    tasks = [
        make_task(description=f"Task {day}.", since={"version": "2", "released": day} if day else None) for day in days
    ]
    assert younger_than(tasks, None) == tasks
    assert younger_than(tasks, "2026-08-01") == tasks[1:3]
    with pytest.raises(UsageError, match="the newest is of 2026-10-07"):
        younger_than(tasks, "2026-11-01")
    with pytest.raises(UsageError, match="do not say since when"):
        younger_than(tasks[3:], "2026-01-01")
    with pytest.raises(UsageError, match="is no day"):
        younger_than(tasks, "August")
