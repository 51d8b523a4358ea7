"""The references of tasks in another version than their own: where one passes, the task asks for nothing newer.

Where infrastructure kept one from being run, nothing is known of it.
"""

from collections.abc import Sequence

from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.library import find_library
from apigap.discovery.pythons import beside_of_tasks, python_of_former, python_of_tasks
from apigap.packages.index import release
from apigap.packages.workshop import environment_store
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial


def former_environment(tasks: Sequence[Task], version: str, engine: Engine) -> Environment:
    """The environment of another version of the tasks' library: on their version of Python where it can be had there.

    Raises:
        UsageError: when the tasks were made with different versions of Python.
        EnvironmentFailure: when it cannot be installed.
    """
    store, config = environment_store(engine), find_library(tasks[0].library)
    told = python_of_tasks(tasks)
    python = python_of_former(config, release(config.distribution, version), store, told) if told else None
    return environment_at(config.name, version, store, python, beside_of_tasks(tasks))


def references_in(
    engine: Engine, environment: Environment, tasks: Sequence[Task], preload: Sequence[str]
) -> list[Verdict]:
    """The verdict on each task's reference in `environment`; of `preload` only what is there is loaded.

    `infra` is an answer too, unless `stopped_by` names what kept it from running: the context may not run there, nor
    the API exist.
    """
    tops = modules_of(environment.library, environment.site_packages).tops
    there = [name for name in preload if name.partition(".")[0] in tops]
    return list(judge_trials(engine, environment, [Trial(task, task.masked_region) for task in tasks], preload=there))


def stopped_by(verdict: Verdict) -> str | None:
    """The reason of the machine that kept a program of the trial from beginning; None where each began.

    A context that does not run, and a target that cannot be watched since it is not there, are of the version or the
    task, and running them again would show the same.
    """
    runs = (*verdict.runs, *([verdict.recorded] if verdict.recorded else []))
    return next(
        (run.reason or "the sandbox failed" for run in runs if run.status == "infra" and run.phase == "start"), None
    )
