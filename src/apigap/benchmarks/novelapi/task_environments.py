"""The place where tasks are judged: an environment per release, and what is loaded there before any answer runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from apigap.benchmarks.novelapi import loadable_script
from apigap.benchmarks.task_environment import Home, Homes, warm_names
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.pythons import beside_of_tasks, python_of_tasks
from apigap.packages.workshop import environment_store
from apigap.records.errors import EnvironmentFailure
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment


def homes_of(tasks: Sequence[Task], engine: Engine) -> dict[tuple[str, str], Home]:
    """The homes of the tasks of each (library, version); environments that are not there yet are made.

    Raises:
        EnvironmentFailure: when one cannot be installed.
        UsageError: when tasks of one release were made with different versions of Python.
    """
    return {key: _home(own, engine) for key, own in _releases(tasks)}


def homes_at_hand(tasks: Sequence[Task], engine: Engine, progress: Progress) -> dict[tuple[str, str], Home | str]:
    """As `homes_of`, but a release that cannot be installed is noted and keeps no other from being judged.

    Raises:
        EnvironmentFailure: when none can be installed.
    """
    found: dict[tuple[str, str], Home | str] = {}
    failure: EnvironmentFailure | None = None
    for key, own in _releases(tasks):
        try:
            found[key] = _home(own, engine)
        except EnvironmentFailure as error:
            failure, found[key] = error, str(error)
            progress.note(f"no verdict on any task of {' '.join(key)}: {error}")
    if failure and all(isinstance(home, str) for home in found.values()):
        raise failure
    return found


def locks_of(homes: Homes) -> dict[str, str]:
    """The lock of each environment, by release; of those that are there."""
    return {" ".join(key): home.environment.lock for key, home in sorted(homes.items()) if not isinstance(home, str)}


def preload_of(
    names: Sequence[str], environment: Environment, engine: Engine, beside: Sequence[str] = ()
) -> tuple[str, ...]:
    """Names to load where answers on the APIs `names` run: see `warm_names`, without what cannot be.

    A name that wants settings first (of django) would spoil all others. What is installed `beside` the release comes
    first: each program would load it for itself.
    """
    tops = [modules_of(one, environment.site_packages).tops for one in (*beside, environment.library)]
    wanted = warm_names(tuple(dict.fromkeys(name for row in tops for name in row)), names)
    return tuple(engine.script(environment, Path(loadable_script.__file__), [*wanted]))


def _releases(tasks: Sequence[Task]) -> Iterator[tuple[tuple[str, str], list[Task]]]:
    """Every (library, version) with its tasks."""
    for key in sorted({(task.library, task.version) for task in tasks}):
        yield key, [task for task in tasks if (task.library, task.version) == key]


def _home(tasks: Sequence[Task], engine: Engine) -> Home:
    library, version = tasks[0].library, tasks[0].version
    beside = beside_of_tasks(tasks)
    environment = environment_at(library, version, environment_store(engine), python_of_tasks(tasks), beside)
    return Home(environment, preload_of([name for task in tasks for name in task.apis], environment, engine, beside))
