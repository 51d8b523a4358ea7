"""Migrations that nobody wrote: made of what `apigap discover` found that a release took away."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.discovery.library import find_library
from apigap.knowledge.stale.habit_usages import HabitUsages, Pair
from apigap.packages.workshop import environment_store
from apigap.records.configuration import TaskSettings
from apigap.records.errors import UsageError
from apigap.records.progress import Progress
from apigap.records.retired import Retirement
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.stages.retired_runs import old_usages
from apigap.starter.files import Built, build_tasks
from apigap.tasks.hand_written import WrittenTasks
from apigap.tasks.migrations.drafting import MigrationAuthor
from apigap.tasks.migrations.habits import target_of


@dataclass(frozen=True)
class Migrations:
    """The migrations that hold; of how many habits; and for each habit without one its name and the last reason."""

    library: str
    old_version: str
    new_version: str
    habits: int
    tasks: tuple[Task, ...]
    dropped: tuple[tuple[str, str], ...]


def migrations(source: Path, limits: TaskSettings, engine: Engine, progress: Progress, out: Path) -> Migrations:
    """Make a migration of each habit in `source`, a file of retirements; those that hold go to `out`.

    Raises:
        UsageError: where the file is of several pairs of releases, or names no old one.
        CorruptRecord: when the file cannot be read.
        EnvironmentFailure: when a version of the library cannot be installed.
    """
    retirements = load_records(source, Retirement)
    library, old, new = _release(source, retirements)
    store = environment_store(engine)
    environment = environment_at(library, new, store)
    names = [target_of(one) for one in retirements]
    config = find_library(library)
    pair = Pair(environment_at(library, old, store), environment, preload_of(names, environment, engine))
    usages = HabitUsages(engine, pair, old_usages(pair.old, config, retirements))
    step = progress.step(f"{library} {old} -> {new}: migrations")
    drafted = [*MigrationAuthor(engine, pair, usages, limits).write(retirements, step)]
    tasks = tuple(one.task for one in drafted if one.task is not None)
    written = WrittenTasks(library=library, version=new, old_version=old, domain=config.domain, task=tasks)
    built = build_tasks(written, engine, progress, out) if tasks else Built(library, (), ())
    dropped = [(one.retirement.old_name, one.dropped[-1]) for one in drafted if one.task is None]
    dropped += [(name, reason) for name, _, reason in (problem.partition(": ") for problem in built.problems)]
    return Migrations(library, old, new, len(retirements), built.tasks, tuple(dropped))


def _release(source: Path, retirements: Sequence[Retirement]) -> tuple[str, str, str]:
    """(library, old version, new version) of a file of retirements."""
    found = {(one.library, one.old_version, one.new_version) for one in retirements}
    if len(found) != 1:
        raise UsageError(f"{source} has what {len(found)} pairs of releases took away; give a file of one")
    library, old, new = found.pop()
    if old is None:
        raise UsageError(f"{source} names no old release, so that no code of it can run")
    return library, old, new
