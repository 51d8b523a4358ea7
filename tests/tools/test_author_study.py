"""The tables of docs/author.md are those of the kept study, and its answers are to its tasks."""

from pathlib import Path

from tools.author.make_study import ANSWERS, TASKS, TRIES, Tries, tables

from apigap.gates.kept_answers import KeptAnswer
from apigap.records.store import load_records
from apigap.records.task import Task

PAGE = Path(__file__).resolve().parents[2] / "docs" / "author.md"


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [table for table in tables() if table.strip() not in page] == []


def test_answers_and_tries_are_about_the_kept_tasks() -> None:
    tasks = {task.task_id: task for task in load_records(TASKS, Task)}
    assert {answer.task_id for answer in load_records(ANSWERS, KeptAnswer)} == set(tasks)
    tries = load_records(TRIES, Tries)
    assert {row.api_name for row in tries if row.accepted} == {task.api_name for task in tasks.values()}
    assert sum(row.accepted for row in tries) == len(tasks)
