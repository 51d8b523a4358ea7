"""The references of tasks in another version than their own: where one passes, the task asks for nothing newer."""

from collections.abc import Sequence

from apigap.discovery.distribution import modules_of
from apigap.execution.engine import Engine
from apigap.execution.environments import Environment
from apigap.execution.judge import Verdict, judge_trials
from apigap.execution.trials import Trial
from apigap.records.task import Task


def references_in(
    engine: Engine, environment: Environment, tasks: Sequence[Task], preload: Sequence[str]
) -> list[Verdict]:
    """The verdict on each task's reference in `environment`; of `preload` only what is there is loaded.

    No verdict is an answer too: the context may not run there, nor the API exist.
    """
    tops = modules_of(environment.library, environment.site_packages).tops
    there = [name for name in preload if name.partition(".")[0] in tops]
    return list(judge_trials(engine, environment, [Trial(task, task.masked_region) for task in tasks], preload=there))
