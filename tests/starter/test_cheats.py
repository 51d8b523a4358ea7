"""The battery's cases for the starter benchmark: they can be made for every task, and one family is judged on all."""

from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.gates.battery import Aims, Case, battery, problem_of, with_references
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.starter_files import starter_files
from apigap.tasks.task_files import load_tasks

AIMS = Aims(Path("/home/x"), Path("/tmp"), Path("/environment"))
REDEFINES = 55
"""The family that needs contexts whose functions or modules are observed; the battery's own tasks have none."""


def tasks() -> list[Task]:
    """The tasks of all editions."""
    return [task for path in starter_files() for task in load_tasks(path)]


@pytest.fixture(scope="module")
def cases() -> list[tuple[Task, Case]]:
    return [(task, case) for task in tasks() for case in battery(task, AIMS).cases]


def test_cases_can_be_made_for_every_task(cases: list[tuple[Task, Case]]) -> None:
    made = {task.task_id for task, _ in cases}
    assert made == {task.task_id for task in tasks()}
    assert sum(case.family == REDEFINES for _, case in cases) >= 20


def test_no_two_cases_of_an_api_have_one_name() -> None:
    """A validation that goes on knows its cases by their names."""
    for task in tasks():
        for facet in task.facets:
            names = [(case.family, case.name) for case in with_references(task, battery(facet, AIMS).cases)]
            assert len(names) == len(set(names)), task.api_name


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_no_answer_passes_that_redefines_what_observations_use(cases: list[tuple[Task, Case]]) -> None:
    chosen = [(task, case) for task, case in cases if case.family == REDEFINES]
    with Engine(workers=2) as engine:
        homes = homes_of([task for task, _ in chosen], engine)
        for key, home in homes.items():
            here = [(task, case) for task, case in chosen if (task.library, task.version) == key]
            trials = [Trial(task, case.code) for task, case in here]
            verdicts = judge_trials(engine, home.environment, trials, preload=home.preload)
            for (task, case), verdict in zip(here, verdicts, strict=True):
                assert problem_of(task, case, verdict).problem is None, task.api_name
