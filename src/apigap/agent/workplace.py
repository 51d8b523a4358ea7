"""The place where agents work: the documentation and the interpreter of each release, made when first needed."""

import threading
from collections.abc import Sequence
from functools import partial

from apigap.agent.documentation import Documentation
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.benchmarks.task_environment import Home
from apigap.discovery.discover import environment_at
from apigap.discovery.library import find_library
from apigap.discovery.pythons import beside_of_tasks
from apigap.discovery.run_time import read_surface
from apigap.discovery.surface import Surface
from apigap.packages.workshop import environment_store
from apigap.records.configuration import AgentSettings
from apigap.records.errors import EnvironmentFailure
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine, Runner
from apigap.sandbox.environment import Environment

_Release = tuple[str, str]


class Workplace:
    """The place where the agents of `tasks` work, in the sandboxes of `engine`. Threads may share it."""

    def __init__(self, tasks: Sequence[Task], engine: Engine, settings: AgentSettings, progress: Progress) -> None:
        self._tasks = tasks
        self._engine = engine
        self._settings = settings
        self._progress = progress
        self._homes = homes_at_hand(tasks, engine, progress)
        self._documentation: dict[_Release, Documentation] = {}
        self._lock = threading.Lock()
        self.reading = threading.Lock()
        """Held by whoever reads documentation, whose index one thread at a time may build and use."""

    @property
    def locks(self) -> dict[str, str]:
        """The lock of each environment, by release."""
        return locks_of(self._homes)

    def runner(self, task: Task) -> Runner:
        """The runner of programs in the environment of a task's release.

        Raises:
            EnvironmentFailure: when the release cannot be installed here.
        """
        home = self._home(task)
        return self._engine.runner(home.environment, home.preload)

    def documentation(self, task: Task) -> Documentation:
        """The documentation of a task's release.

        Raises:
            EnvironmentFailure, InfrastructureError: when the release cannot be installed or read here.
        """
        key = (task.library, task.version)
        with self._lock:
            if key not in self._documentation:
                self._documentation[key] = self._read(task)
            return self._documentation[key]

    def _read(self, task: Task) -> Documentation:
        home = self._home(task)
        return Documentation(
            self._surface(task, home.environment),
            home.environment.site_packages,
            partial(self._before, task, home.environment),
            self._settings.result_characters,
            self._settings.hits,
        )

    def _before(self, task: Task, new: Environment) -> Surface | None:
        if task.old_version is None:
            return None
        self._progress.note(f"reading {task.library} {task.old_version}, to tell what {task.version} changed")
        beside = beside_of_tasks(
            [one for one in self._tasks if (one.library, one.version) == (task.library, task.version)]
        )
        old = environment_at(task.library, task.old_version, environment_store(self._engine), new.minor, beside)
        return self._surface(task, old)

    def _surface(self, task: Task, environment: Environment) -> Surface:
        config = find_library(task.library)
        companions = [name.partition("==")[0] for name in config.companions]
        return read_surface(environment, self._engine, companions, config.prepare)

    def _home(self, task: Task) -> Home:
        home = self._homes[task.library, task.version]
        if isinstance(home, str):
            raise EnvironmentFailure(home)
        return home
