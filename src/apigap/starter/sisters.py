"""The further targets of the starter benchmark's tasks: APIs that changed alike and do a task's work as well."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.discovery.diff import candidates_of, classify
from apigap.discovery.discover import read_pair
from apigap.discovery.library import find_library
from apigap.discovery.pythons import python_of_tasks
from apigap.packages.workshop import environment_store
from apigap.records.candidate import Candidate
from apigap.records.progress import Progress
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.starter.candidates import starter_candidates
from apigap.tasks.further_targets import changed_alike, further_targets


@dataclass(frozen=True)
class Sisters:
    """One task, the APIs that changed like its target, those that do its work, and those that it accepts already."""

    task: Task
    alike: tuple[str, ...]
    fitting: tuple[str, ...]

    @property
    def accepted(self) -> tuple[str, ...]:
        """The further targets that are in the task."""
        return self.task.harness.spy.also


def sisters_of(path: Path, engine: Engine, progress: Progress) -> list[Sisters]:
    """The sisters of the target of each task of one library's file, tried with the reference's own arguments.

    Raises:
        InfrastructureError: when a version cannot be read.
    """
    tasks = load_records(path, Task)
    step = progress.step(f"{path.stem}: APIs that changed like the targets of {len(tasks)} tasks")
    step(0, 2)
    candidates = _candidates(tasks, engine)
    step(1, 2)
    home = next(iter(homes_of(tasks, engine).values()))
    fitting = further_targets(tasks, candidates, engine, home.environment, home.preload)
    step(2, 2)
    alike = [tuple(c.api_name for c in changed_alike(task.api_name, candidates)) for task in tasks]
    return [Sisters(*row) for row in zip(tasks, alike, fitting, strict=True)]


def _candidates(tasks: Sequence[Task], engine: Engine) -> list[Candidate]:
    """All that the release brought, and the targets that only their authors know to have changed."""
    store, first = environment_store(engine, python=python_of_tasks(tasks)), tasks[0]
    config = find_library(first.library)
    surfaces = read_pair(config, first.old_version, first.version, engine=engine, store=store)
    found = candidates_of(classify(*surfaces), config.name, first.old_version, first.version)
    named = starter_candidates(tasks, engine, store)
    return list({candidate.api_name: candidate for candidate in (*found, *named)}.values())
