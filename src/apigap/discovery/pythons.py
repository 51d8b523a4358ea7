"""The interpreter of releases that belong together: of a pair that is compared, and of tasks that were made."""

import warnings
from collections.abc import Sequence

from apigap.discovery.library import LibraryConfig
from apigap.discovery.neighbours import requirements_beside
from apigap.discovery.versions import companions_of
from apigap.packages.environments import EnvironmentStore, wanted
from apigap.packages.index import Release
from apigap.packages.interpreter_choice import NEWEST, Wanted
from apigap.records.errors import ApigapWarning, UsageError
from apigap.records.task import Task


def python_of_pair(config: LibraryConfig, pair: Sequence[Release], store: EnvironmentStore) -> str | None:
    """The minor version of Python on which all these releases can be installed; None where each needs its own.

    Raises:
        UsageError, InfrastructureError: see `EnvironmentStore.get`.
    """
    return store.python_of(*(_wanted(config, found) for found in pair))


def python_of_former(config: LibraryConfig, found: Release, store: EnvironmentStore, python: str) -> str:
    """The version for a release from before one that is on `python`: the same, or else the newest that it can have.

    Raises:
        UsageError, InfrastructureError: see `EnvironmentStore.get`.
    """
    return python if store.suits(_wanted(config, found), python) else NEWEST


def python_of_tasks(tasks: Sequence[Task]) -> str | None:
    """The version that the tasks of one release were made with; None where they do not say.

    Raises:
        UsageError: when they were made with different ones.
    """
    told = {task.python for task in tasks}
    if len(told) > 1:
        first = tasks[0]
        raise UsageError(
            f"tasks of {first.library} {first.version} were made with different versions of Python "
            f"({', '.join(sorted(str(one or 'not told') for one in told))}); judge each file by itself"
        )
    return told.pop() if told else None


def beside_of_tasks(tasks: Sequence[Task]) -> tuple[str, ...]:
    """What was installed beside the release that the tasks were made with.

    Raises:
        UsageError: when they were made with different ones.
    """
    told = {task.beside for task in tasks}
    if len(told) > 1:
        first = tasks[0]
        raise UsageError(
            f"tasks of {first.library} {first.version} were made beside different distributions "
            f"({'; '.join(sorted(', '.join(one) or 'none' for one in told))}); judge each file by itself"
        )
    return told.pop() if told else ()


def tell_of_two_pythons(library: str, pythons: dict[str, str]) -> None:
    """Warn where releases that are compared run on different minor versions of Python; `pythons` is by release."""
    if len({version.split(".")[1] for version in pythons.values()}) > 1:
        told = ", ".join(f"{release} on Python {version}" for release, version in pythons.items())
        warnings.warn(
            f"no Python of this machine can have both releases of {library}: {told}; "
            "what differs may be Python's doing",
            ApigapWarning,
            stacklevel=3,
        )


def _wanted(config: LibraryConfig, found: Release) -> Wanted:
    pinned = [
        line
        for other in companions_of(config, found)
        if (line := f"{other.library}=={other.version}") in config.companions
    ]
    return wanted(config.distribution, found.version, [*pinned, *requirements_beside(config)])
