"""Results in other containers: what a task leaves open passes, and nothing else."""

from collections.abc import Iterator

import pytest

from apigap.gates.accepted_forms import forms_of, try_forms
from apigap.packages.environments import EnvironmentStore
from apigap.records.task import Containers, Task, with_containers
from apigap.sandbox.engine import Engine
from tests.sandbox.tasks import make_task

PAIRS = [{"tuple": ["a", 1]}, {"tuple": ["b", 2]}]


def task(containers: Containers | None, result: object = PAIRS, code: str = "sorted(counts.items())") -> Task:
    scenarios: dict[str, tuple[str, dict[str, object]]] = {
        "basic": ("counts = {'b': 2, 'a': 1}\n", {"result": result}),
    }
    made = make_task(scenarios, "builtins.sorted", f"result = {code}\n", required=False)
    opened = tuple(with_containers(one, {"result": containers} if containers else {}) for one in made.harness.scenarios)
    harness = made.harness.model_copy(update={"scenarios": opened})
    return Task.model_validate({**made.model_dump(exclude={"task_id", "harness"}), "harness": harness})


def names(made: Task, *parts: str) -> dict[str, bool]:
    return {form.name: form.accepted for form in forms_of(made, parts)}


def test_each_form_is_accepted_as_the_task_says() -> None:
    never = {"iterator": False, "lying list": False, "empty list": False}
    assert names(task(None)) == {"tuple": False, "list of lists": False, **never}
    assert names(task("any inside")) == {"tuple": False, "list of lists": True, **never}
    assert names(task("any")) == {"tuple": True, "list of lists": True, **never}
    flat = names(task("any", [1, 2]), "numpy", "pandas")
    assert flat == {"tuple": True, "array": True, "column": True, **never}
    assert names(task("any", [1, "a"]), "numpy", "pandas") == {"tuple": True, **never}
    assert names(task("any", {"dict": [["a", 1]]})) == {"ordered": True, "read-only": True}
    assert names(task("any", {"set": ["a"]})) == {"frozenset": True}
    assert names(task(None, 3)) == names(task(None, "text")) == {}


def test_an_empty_result_is_no_wrong_form_where_the_right_one_is_empty() -> None:
    scenarios: dict[str, tuple[str, dict[str, object]]] = {
        "basic": ("n = 0\n", {"result": []}),
        "more": ("n = 2\n", {"result": [0, 1]}),
    }
    made = make_task(scenarios, "builtins.range", "result = list(range(n))\n", required=False)
    assert names(made) == {"tuple": False, "iterator": False, "lying list": False}


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=1) as made:
        yield made


@pytest.mark.network
@pytest.mark.sandbox
@pytest.mark.parametrize("containers", [None, "any inside", "any"])
def test_the_forms_are_judged(engine: Engine, containers: Containers | None) -> None:
    environment = EnvironmentStore().get("packaging", "25.0")
    made = task(containers)
    done = try_forms([made], engine, environment, [])
    assert [tried.form for tried in done if tried.problem] == []
    assert len(done) == len(forms_of(made, []))


@pytest.mark.network
@pytest.mark.sandbox
def test_a_task_that_takes_what_it_says_it_does_not_is_told(engine: Engine) -> None:
    environment = EnvironmentStore().get("packaging", "25.0")
    done = try_forms([task(None, [], "[]")], engine, environment, [])
    assert {tried.form.name: tried.problem for tried in done} == {"tuple": None}
