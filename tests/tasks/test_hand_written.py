"""Tasks written by hand: what a source must hold, and what becomes of one that does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from apigap.packages.environments import EnvironmentStore
from apigap.records.errors import CorruptRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.tasks.finish import finish
from apigap.tasks.hand_written import WrittenTask, WrittenTasks, read_written

TASK = {
    "api": "math.dist",
    "change": "added",
    "difficulty": "easy",
    "description": "`far` is how far the two points are from each other",
    "context": "import math\na, b = (0, 0), (3, 4)\n",
    "solution": "far = math.dist(a, b)\n",
    "observe": ["far"],
    "scenario": [
        {"name": "nearer", "replace": [["(3, 4)", "(0, 1)"]]},
        {"name": "the same", "replace": [["(3, 4)", "(0, 0)"]]},
    ],
}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def environment() -> Environment:
    return EnvironmentStore().get("packaging", "25.0")


HEAD = 'library = "numpy"\nversion = "2.4.4"\ndomain = "test"\n'


def finished(engine: Engine, environment: Environment, **changed: object) -> str | None:
    task = WrittenTask.model_validate({**TASK, **changed})
    tasks = WrittenTasks(library="math", version="1", domain="test", task=(task,))
    (done,) = finish(tasks, engine, environment, [])
    assert (done.task is None) == (done.problem is not None)
    return done.problem


@pytest.mark.network
@pytest.mark.sandbox
def test_a_task_gets_its_expectations_from_its_reference(engine: Engine, environment: Environment) -> None:
    tasks = WrittenTasks(library="math", version="1", domain="test", task=(WrittenTask.model_validate(TASK),))
    (first,), (second,) = (finish(tasks, engine, environment, []) for _ in range(2))
    assert first == second
    assert first.task is not None
    expected = [one.expected for scenario in first.task.harness.scenarios for one in scenario.observations]
    assert expected == [5.0, 1.0, 0.0]


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"change": "moved"}, "added or modified"),
        ({"solution": "far = (\n"}, "does not parse"),
        ({"solution": "far = 5.0\n"}, "does not use dist"),
        ({"description": "call dist"}, "names the API"),
        ({"scenario": []}, "fewer than 3"),
        ({"scenario": [{"name": n, "replace": [["(9, 9)", "1"]]} for n in "ab"]}, "does not hold"),
        ({"scenario": [{"name": n, "replace": [["(3, 4)", "(4, 3)"]]} for n in "ab"]}, "the same values"),
        ({"scenario": [{"name": n, "replace": [["(3, 4)", "(4,)"]]} for n in "ab"]}, "does not run in scenario a"),
        ({"observe": ["__import__('os').urandom(9)"]}, "differs from run to run"),
        ({"observe": ["[far]"], "containers": {"far": "any"}}, "'far' open, which it does not observe"),
        ({"containers": {"far": "any"}}, "are left open, and the description says them"),
        ({"solution": "far = [math.dist(a, b)]\n"}, "does not say its containers (any)"),
        ({"also": [{"api": "math.hypot", "solution": "far = 5.0\n"}]}, "solution with math.hypot does not use it"),
        ({"also": [{"api": "math.far", "solution": "far = math.far(a)\n"}]}, "names the API (far)"),
    ],
)
def test_a_task_that_does_not_hold_says_why(
    engine: Engine, environment: Environment, changed: dict[str, object], says: str
) -> None:
    problem = finished(engine, environment, **changed)
    assert problem is not None
    assert says in problem


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("library = ", "not TOML"),
        (HEAD, "task"),
        (HEAD + '[[task]]\napi = "numpy.sum"\n', "task.0.change"),
        (HEAD + "[[task]]\nunknown = 1\n", "task.0"),
    ],
)
def test_a_source_of_another_form_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "some.toml"
    path.write_text(text)
    with pytest.raises(CorruptRecord, match=says):
        read_written(path)


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(("author", "containers"), [("written", {"far": "any"}), ("a model", {})])
def test_what_is_left_open_is_the_authors_word_or_that_of_a_models_description(
    engine: Engine, environment: Environment, author: str, containers: dict[str, str]
) -> None:
    changed = {"solution": "far = [math.dist(a, b)]\n", "author": author, "containers": containers}
    task = WrittenTask.model_validate({**TASK, **changed})
    tasks = WrittenTasks(library="math", version="1", domain="test", task=(task,))
    (done,) = finish(tasks, engine, environment, [])
    assert done.task is not None, done.problem
    assert {o.containers for scenario in done.task.harness.scenarios for o in scenario.observations} == {"any"}


WARNS = "import warnings\nwarnings.warn('going away', DeprecationWarning)\nfar = math.dist(a, b)\n"
MIGRATIONS = [
    ("what the code before gave", {"before": "far = math.hypot(3, b[1]) if b[1] == 4 else float(b[1])\n"}, None),
    ("its warnings are of then", {"before": WARNS}, None),
    ("another value before", {"before": "far = -1.0 - b[1]\n"}, "far was something else in the old version"),
    (
        "it did not run before",
        {"before": "far = math.nothing(a)\n"},
        "in the old version: its code before does not run",
    ),
    ("what warns today", {"before": "far = math.dist(a, b)\n", "solution": WARNS}, "DeprecationWarning: going away"),
    ("an added API", {"before": "far = math.dist(a, b)\n", "change": "added"}, "its change is not modified"),
]


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize(("changed", "says"), [row[1:] for row in MIGRATIONS], ids=[row[0] for row in MIGRATIONS])
def test_a_migration_wants_what_the_code_before_gave(
    engine: Engine, environment: Environment, changed: dict[str, object], says: str | None
) -> None:
    task = WrittenTask.model_validate({**TASK, "change": "modified", "description": "`far` by math.dist", **changed})
    tasks = WrittenTasks(library="math", version="2", old_version="1", domain="test", task=(task,))
    (done,) = finish(tasks, engine, environment, [], environment)
    if says is not None:
        assert says in (done.problem or "")
        return
    assert done.task is not None, done.problem
    assert done.task.before == task.before
    assert done.task.description.endswith(f"With math 1 this did it:\n```python\n{changed['before']}```")
    assert done.task.context_code.startswith("import warnings\n")
    (alone,) = finish(tasks, engine, environment, [])
    assert alone.problem == "it is a migration, and its old version is not there"
