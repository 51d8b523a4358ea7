"""Sheets of tasks to read: all libraries alike, numbered, with the criteria on top."""

from tools.knowledge.reading_sheet import CRITERIA, drawn_evenly, sheets

from apigap.records.task import Task
from tests.tools.test_task_sample import task


def of(library: str, api: str, number: int = 0) -> Task:
    return task(api, number).model_copy(update={"library": library, "api_name": f"{library}.{api}"})


TASKS = [of("many", api, number) for api in "abcdefgh" for number in range(2)] + [of("few", "a"), of("one", "b")]


def test_libraries_take_turns_and_an_api_has_one_task() -> None:
    drawn = drawn_evenly(TASKS, 5, 1)
    assert [one.library for one in drawn].count("many") == 3
    assert {one.library for one in drawn[:3]} == {"many", "few", "one"}
    assert len({one.api_name for one in drawn_evenly(TASKS, 99, 1)}) == len(drawn_evenly(TASKS, 99, 1)) == 10
    assert drawn == drawn_evenly(TASKS[::-1], 5, 1)


def test_sheets_show_everything_and_say_what_to_write() -> None:
    made = sheets(drawn_evenly(TASKS, 10, 1), 4)
    assert len(made) == 3
    assert all(f"({name})" in text for name in CRITERIA for text in made)
    assert sum(text.count("Answer, with `") for text in made) == 10
    assert "y = a(x)" in "".join(made) and "Do it" in made[0]
