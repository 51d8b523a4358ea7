"""Since when the APIs of written tasks are there, so that a model is asked about what lies beyond its horizon."""

from collections.abc import Sequence

from apigap.discovery.library import find_library
from apigap.discovery.pythons import python_of_tasks
from apigap.discovery.since.dating import first_after, with_first_releases
from apigap.packages.workshop import environment_store
from apigap.records.candidate import Since
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.starter.candidates import starter_candidates


def dated(tasks: Sequence[Task], engine: Engine, progress: Progress) -> list[Task]:
    """The tasks, which are of one release, with the first release that has what each is on.

    Of a task on several APIs it is that of the youngest. Where no text of a release tells, as of changes in what an
    API does, the first release after the old one is given, and is not exact.

    Raises:
        InfrastructureError: when a release cannot be read.
    """
    if not tasks:
        return []
    library, old, new = tasks[0].library, tasks[0].old_version, tasks[0].version
    config = find_library(library)
    untold = first_after(config, old, new)
    store = environment_store(engine, python=python_of_tasks(tasks))
    candidates = starter_candidates(tasks, engine, store)
    told = [one for one in candidates if one.change != "modified" or one.changes]
    found = with_first_releases(config, told, old, new, progress.step(f"{library}: first releases"))
    since = {one.api_name: one.since for one in found if one.since is not None}
    return [_dated(task, since, untold) for task in tasks]


def _dated(task: Task, since: dict[str, Since], untold: Since) -> Task:
    firsts = [since.get(name, untold) for name in task.apis]
    youngest = max(firsts, key=lambda first: (first.released is not None, first.released, first.exact))
    return task.model_copy(update={"since": youngest})
