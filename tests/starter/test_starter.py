"""The starter benchmark: what is in it, and that a part of it, another one every day, still holds."""

import datetime
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest

from apigap.gates.validate import validate_file
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.tasks.hand_written import read_written
from apigap.tasks.leak import leaks
from apigap.tasks.starter_files import newest, starter_files, tasks_path
from apigap.tasks.task_files import load_tasks
from tests.silent import Silent

SOURCES = Path(__file__).parents[2] / "starter"
SAMPLE = 14
SLOW_TO_INSTALL = {"torch", "transformers"}


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    return [task for path in starter_files("2026.04") for task in load_tasks(path)]


def test_its_size(tasks: list[Task]) -> None:
    libraries = Counter(task.library for task in tasks)
    assert len(tasks) >= 300
    assert len(libraries) >= 15
    assert min(libraries.values()) >= 12
    for library in libraries:
        assert len({task.api_name for task in tasks if task.library == library}) >= 6, library


def test_its_mixture(tasks: list[Task]) -> None:
    difficulty = Counter(task.difficulty for task in tasks)
    change = Counter(task.change for task in tasks)
    assert all(5 * difficulty[kind] >= len(tasks) for kind in ("easy", "medium", "hard")), difficulty
    assert all(4 * change[kind] >= len(tasks) for kind in ("added", "modified")), change


def test_no_prompt_names_the_api(tasks: list[Task]) -> None:
    for task in tasks:
        leaf = task.api_name.rpartition(".")[2]
        assert not leaks(f"{task.description}\n{task.context_code}", leaf), task.api_name


def test_every_file_has_its_source() -> None:
    for path in starter_files():
        written = read_written(SOURCES / path.parent.name / f"{path.stem}.toml")
        solutions = {task.solution for task in written.task}
        assert {task.masked_region for task in load_tasks(path)} <= solutions


def test_names_of_the_starter_benchmark(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"some\.jsonl does not exist; give a tasks file"):
        tasks_path(tmp_path / "some.jsonl")
    (tmp_path / "some.jsonl").touch()
    assert tasks_path(tmp_path / "some.jsonl") == tmp_path / "some.jsonl"
    assert tasks_path(Path("starter/numpy")).name == "numpy.jsonl"
    assert tasks_path(Path("starter/2026.04/numpy")).parent.name == "2026.04"
    assert tasks_path(Path("starter")) == tasks_path(Path("starter") / newest())
    assert tasks_path(Path("starter/2026.04")) != tasks_path(Path("starter/2026.11"))
    with pytest.raises(UsageError, match=r"no edition 2026\.05; it has 2026\.04, 2026\.11"):
        tasks_path(Path("starter/2026.05/numpy"))
    with pytest.raises(UsageError, match=r"no tasks for nothing; it has them for .*numpy"):
        tasks_path(Path("starter/nothing"))


def drawn(tasks: list[Task], seed: str) -> list[Task]:
    """A draw in which every library has its turn."""
    by_library: dict[str, list[Task]] = {}
    for task in random.Random(seed).sample(tasks, len(tasks)):
        by_library.setdefault(task.library, []).append(task)
    rounds = itertools.zip_longest(*by_library.values())
    return [task for one in rounds for task in one if task is not None][:SAMPLE]


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.timeout(600)
def test_a_part_of_it_holds(tasks: list[Task], tmp_path: Path) -> None:
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    wanted = [task for task in tasks if task.library not in SLOW_TO_INSTALL]
    path = tmp_path / "part.jsonl"
    write_records(path, drawn(wanted, day))
    found = validate_file(path, Silent(), load_settings().execution)
    assert found.problems == [], f"the part of {day}"
