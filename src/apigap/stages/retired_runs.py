"""Retirements shown by programs: usages of the old release run in both, and calls that answer otherwise."""

from collections.abc import Sequence

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.diff import classify
from apigap.discovery.discover import Discovery, environment_at, read_pair
from apigap.discovery.distribution import modules_of
from apigap.discovery.library import LibraryConfig, find_library
from apigap.knowledge.stale.behaviour import BehaviourChanges, Unchanged
from apigap.knowledge.stale.habit_usages import HabitUsages, Pair
from apigap.knowledge.usages.harvest import harvest
from apigap.knowledge.usages.usage import Usage
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import fetch_sdist
from apigap.packages.interpreters import minor_of
from apigap.records.errors import UsageError
from apigap.records.progress import Progress
from apigap.records.retired import Retirement
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment


def with_usages(found: Discovery, engine: Engine, progress: Progress, store: EnvironmentStore) -> Discovery:
    """`found` with usages of what was taken away, and with what answers otherwise; everything runs in the sandbox.

    Raises:
        UsageError: where there is no old release, or both were read as text, so that nothing can run.
        EnvironmentFailure: when a version cannot be installed.
    """
    if found.old_version is None or found.reading == "static":
        raise UsageError(
            f"{found.library} {found.old_version or '(nothing)'} -> {found.new_version} was read as text, so no usage "
            "of it can run; leave out --static, or compare releases that can be installed here"
        )
    config = find_library(found.library)
    old, new = (
        environment_at(config.name, version, store, minor_of(found.pythons[version]) if found.pythons else None)
        for version in (found.old_version, found.new_version)
    )
    pair = Pair(old, new, preload_of([], new, engine))
    before, after = read_pair(config, found.old_version, found.new_version, engine=engine, store=store)
    unchanged = Unchanged([one.entry for one in classify(before, after) if one.verdict == "unchanged"])
    examples = _examples(config, (old, new), unchanged.leaves)
    shown = HabitUsages(engine, pair, old_usages(old, config, found.retired)).added_to(
        found.retired, progress.step(f"{found.library}: stale usages")
    )
    changes = BehaviourChanges(engine, pair, unchanged, config.name)
    behaviour = changes.found(examples, progress.step(f"{found.library}: changed behaviour"))
    known = {one.old_name for one in shown}
    together = [*shown, *(one for one in behaviour if one.old_name not in known)]
    return found.model_copy(update={"retired": tuple(sorted(together, key=_key))})


def old_usages(old: Environment, config: LibraryConfig, retired: Sequence[Retirement]) -> list[Usage]:
    """The usages in the old release's documents, docstrings and tests that name one of `retired`."""
    tops = modules_of(old.library, old.site_packages).tops
    sdist = fetch_sdist(config.distribution, old.version)
    leaves = frozenset(one.old_name.rpartition(".")[2] for one in retired)
    return harvest(old.site_packages, tops, sdist, leaves, leaves)


def _examples(config: LibraryConfig, releases: tuple[Environment, ...], leaves: frozenset[str]) -> list[Usage]:
    """The examples in docstrings and documents of both releases, those of the older one first.

    What the newer one shows of an API that answers otherwise is most often the very case.
    """
    found: dict[str, Usage] = {}
    for environment in releases:
        tops = modules_of(environment.library, environment.site_packages).tops
        sdist = fetch_sdist(config.distribution, environment.version)
        for usage in harvest(environment.site_packages, tops, sdist, leaves, tests=False):
            found.setdefault(usage.code, usage)
    return list(found.values())


def _key(one: Retirement) -> tuple[str, str, str]:
    return one.key
