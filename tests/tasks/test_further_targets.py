"""Further targets: APIs that changed alike, and those of them with which a reference is right as well."""

from collections.abc import Iterator

import pytest

from apigap.packages.environments import EnvironmentStore
from apigap.records.candidate import Candidate, Change, Parameter
from apigap.records.task import Observation, Spy, Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.further_targets import changed_alike, fitting_answers, further_targets, with_spy
from tests.sandbox.tasks import make_task
from tests.tasks.test_cut import candidate

ADDED = (Change(what="parameter added", parameter="weights"),)


def of(name: str, changes: tuple[Change, ...] = ADDED, **more: object) -> Candidate:
    values = {"api_name": name, "change": "modified" if changes else "added", "changes": changes, "kind": "function"}
    return candidate(**{**values, **more})


def test_what_changed_alike_is_told_by_kind_and_change() -> None:
    other = (Change(what="parameter added", parameter="axis"),)
    several = [
        of("lib.mean"), of("lib.median"), of("lib.sub.mode"), of("lib.sort", other), of("lib.fresh", ()),
        of("lib.Mean", kind="class"), of("lib.sub.mean"),
    ]  # fmt: skip
    assert [c.api_name for c in changed_alike("lib.mean", several)] == ["lib.median", "lib.sub.mode"]
    assert changed_alike("lib.unknown", several) == []


def test_what_is_new_is_alike_where_it_takes_the_same() -> None:
    same, other = (Parameter(name="a"), Parameter(name="b")), (Parameter(name="a"),)
    several = [
        of("lib.one", (), parameters=same), of("lib.two", (), parameters=same), of("lib.three", (), parameters=other),
        of("lib.sub.four", (), parameters=same), of("lib.five", (), parameters=()), of("lib.six", (), parameters=()),
    ]  # fmt: skip
    assert [c.api_name for c in changed_alike("lib.one", several)] == ["lib.two"]
    assert changed_alike("lib.five", several) == []


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def task() -> Task:
    context = "import statistics\nvalues = {}\n"
    scenarios: dict[str, tuple[str, dict[str, object]]] = {
        "basic": (context.format("[1.0, 4.0, 4.0]"), {"result": 3.0}),
        "others": (context.format("[2.0, 5.0]"), {"result": 3.5}),
    }
    return make_task(scenarios, "statistics.mean", "result = statistics.mean(values)\n")


@pytest.mark.network
@pytest.mark.sandbox
def test_a_sister_stands_in_where_the_reference_is_right_with_it(engine: Engine, task: Task) -> None:
    environment = EnvironmentStore().get("packaging", "25.0")
    candidates = [of(f"statistics.{name}", import_module="statistics") for name in ("mean", "fmean", "median")]
    assert further_targets([task], candidates, engine, environment, []) == [("statistics.fmean",)]
    answers = [
        (task, "statistics.fmean", "result = statistics.fmean(values)\n"),
        (task, "statistics.fmean", "result = statistics.mean(values)\n"),
        (task, "statistics.fmean", "statistics.fmean(values)\nresult = sum(values) / len(values)\n"),
        (task, "statistics.median", "result = statistics.median(values)\n"),
    ]
    assert fitting_answers(answers, engine, environment, []) == [True, False, False, False]


@pytest.mark.network
@pytest.mark.sandbox
def test_an_answer_through_an_accepted_sister_passes_and_no_other(engine: Engine, task: Task) -> None:
    environment = EnvironmentStore().get("packaging", "25.0")
    accepting = with_spy(task, Spy(target="statistics.mean", also=("statistics.fmean",)))
    codes = [
        "result = statistics.mean(values)\n",
        "result = statistics.fmean(values)\n",
        "result = sum(values) / len(values)\n",
        "statistics.fmean(values)\nresult = sum(values) / len(values)\n",
        "try:\n    result = statistics.fmean(values)\nexcept Exception:\n    result = statistics.mean(values)\n",
        "try:\n    result = statistics.fmean(values)\nexcept Exception:\n    result = sum(values) / len(values)\n",
    ]
    verdicts = judge_trials(engine, environment, [Trial(accepting, code) for code in codes])
    assert [verdict.outcome for verdict in verdicts] == ["pass", "pass", "fail", "suspect", "pass", "fail"]
    (strict,) = judge_trials(engine, environment, [Trial(task, codes[1])])
    assert (strict.outcome, "statistics.mean" in strict.detail["reason"]) == ("fail", True)


def test_what_is_left_open_goes_on_to_a_task_with_other_targets(task: Task) -> None:
    assert with_spy(task, Spy(target="statistics.mean")).task_id == task.task_id
    assert isinstance(with_spy(task, Spy(target="a.b")).harness.scenarios[0].observations[0], Observation)
