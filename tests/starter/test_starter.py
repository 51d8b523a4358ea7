"""The starter benchmark: what is in it, and that a part of it, another one every day, still holds."""

import datetime
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest

from apigap.gates.validate import validate_file
from apigap.packages.interpreters import at_hand
from apigap.records.configuration import load_settings
from apigap.records.errors import UsageError
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.tasks.hand_written import read_written
from apigap.tasks.leak import leaks
from apigap.tasks.starter_files import editions, newest, starter_files, tasks_path
from apigap.tasks.task_files import load_tasks
from tests.silent import Silent

SOURCES = Path(__file__).parents[2] / "starter"
SAMPLE = 3
FEW = 2
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


def test_no_prompt_names_an_api_but_that_of_code_that_must_move_on() -> None:
    for task in (task for path in starter_files() for task in load_tasks(path)):
        assert (task.before is not None) == (f"With {task.library} {task.old_version} this did it" in task.description)
        for name in task.apis if task.before is None else ():
            assert not leaks(f"{task.description}\n{task.context_code}", name.rpartition(".")[2]), name


def test_what_each_further_edition_is_for() -> None:
    compose, migrate, autumn = (
        [task for path in starter_files(name) for task in load_tasks(path)] for name in ("compose", "migrate", newest())
    )
    assert len(autumn) >= 300 and len({task.library for task in autumn}) >= 15
    assert len(compose) >= 80 and all(2 <= len(task.apis) <= 4 for task in compose)
    assert len(migrate) >= 120 and len({task.library for task in migrate}) >= 10
    assert all(task.before for task in migrate)
    assert not any(task.before or len(task.apis) > 1 for task in autumn)
    assert all(
        task.since and task.since.released and task.since.released > datetime.date(2026, 5, 1) for task in autumn
    )


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
    """The oldest edition's part every day, and one of another edition in turn, as far as its Pythons are here."""
    day = datetime.datetime.now(datetime.UTC).date()
    others = editions()[1:]
    turn = others[day.toordinal() % len(others)]
    minors = {None, *(one.minor for one in at_hand())}
    further = [task for path in starter_files(turn) for task in load_tasks(path) if task.python in minors]
    for name, of_edition, most in (("2026.04", tasks, SAMPLE), (turn, further, FEW)):
        wanted = [task for task in of_edition if task.library not in SLOW_TO_INSTALL]
        path = tmp_path / f"{name}.jsonl"
        write_records(path, drawn(wanted, day.isoformat())[:most])
        found = validate_file(path, Silent(), load_settings().execution)
        assert found.problems == [], f"the part of {name} of {day}"
