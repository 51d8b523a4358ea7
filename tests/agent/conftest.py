"""A place to work in: a small library of the starter benchmark, installed for real."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.agent.workplace import Workplace
from apigap.records.configuration import load_settings
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_files import load_tasks
from tests.silent import Silent


@pytest.fixture(scope="session")
def tasks() -> list[Task]:
    return load_tasks(tasks_path(Path("starter/more-itertools")))


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with Engine(workers=2) as made:
        yield made


@pytest.fixture(scope="session")
def workplace(tasks: list[Task], engine: Engine) -> Workplace:
    return Workplace(tasks, engine, load_settings().agent, Silent())
