"""The place where the tasks of one release of a library run."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apigap.sandbox.environment import Environment


@dataclass(frozen=True)
class Home:
    """The environment of a release, and the modules to load before the fork."""

    environment: Environment
    preload: tuple[str, ...]


Homes = Mapping[tuple[str, str], Home | str]
"""By (library, version) where its tasks run, or why they cannot run here."""


def warm_names(modules: Sequence[str], api_names: Iterable[str]) -> tuple[str, ...]:
    """Names to load before the fork: the top-level `modules` and what holds or is each API; at most 400 names.

    A method's class is enough, so the last segment is left out where two come before it.
    """
    holders = {name.rpartition(".")[0] if name.count(".") > 1 else name for name in api_names}
    return (*modules, *sorted(holders - set(modules))[:400])
