"""What solvers answered gets the verdict that is kept with it: a part every day, and right answers once refused."""

import datetime
import random
from collections.abc import Collection
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.gates.kept_answers import KeptAnswer, replay
from apigap.packages.interpreters import at_hand
from apigap.records.configuration import load_settings
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from apigap.tasks.starter_files import library_path
from apigap.tasks.task_files import load_tasks
from tests.starter.test_starter import SLOW_TO_INSTALL, SOURCES

FILES = sorted(SOURCES.glob("*/answers/*.jsonl"))
ONCE_REFUSED = {"migrate/sqlalchemy": ("dbe5ba0433d52776",)}
"""Tasks to which right answers were refused, until the judge was mended: by edition and library."""
FEW = 3


def name_of(path: Path) -> str:
    return f"{path.parts[-3]}/{path.stem}"


def tasks_path(name: str) -> Path:
    edition, _, library = name.partition("/")
    return library_path(library, edition)


def answers_to(name: str) -> list[KeptAnswer]:
    return load_records(next(path for path in FILES if name_of(path) == name), KeptAnswer)


def problems(name: str, chosen: Collection[str]) -> list[str]:
    """The kept answers to these tasks that get another verdict than the one that is kept."""
    tasks = [task for task in load_tasks(tasks_path(name)) if task.task_id in chosen]
    answers = [one for one in answers_to(name) if one.task_id in chosen]
    with Engine.of(load_settings().execution) as engine:
        (home,) = homes_of(tasks, engine).values()
        found = replay(tasks, answers, engine, home.environment, home.preload)
    assert len(found) == len(answers) > 0
    return [problem for one in found if (problem := one.problem)]


def test_every_answer_belongs_to_a_task() -> None:
    for path in FILES:
        known = {task.task_id for task in load_tasks(tasks_path(name_of(path)))}
        assert {one.task_id for one in answers_to(name_of(path))} <= known, path


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.timeout(300)
def test_a_part_of_them_gets_the_verdict_that_is_kept() -> None:
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    draw = random.Random(day)
    minors = {None, *(one.minor for one in at_hand())}
    names = [name_of(path) for path in FILES if path.stem not in SLOW_TO_INSTALL]
    fit = [name for name in names if all(task.python in minors for task in load_tasks(tasks_path(name)))]
    name = draw.choice(fit)
    ids = sorted({one.task_id for one in answers_to(name)})
    assert problems(name, draw.sample(ids, min(FEW, len(ids)))) == [], f"the part of {name} of {day}"


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ONCE_REFUSED)
def test_right_answers_that_were_once_refused_pass(name: str) -> None:
    assert problems(name, ONCE_REFUSED[name]) == []
