"""The inputs of stage 2: a release with its environments, its source distribution and its modules."""

from dataclasses import dataclass
from pathlib import Path

from apigap.sandbox.environment import Environment


@dataclass(frozen=True)
class Release:
    """Both environments, the new version's sdist, its top-level modules; `preload` is loaded before programs fork."""

    new: Environment
    old: Environment | None
    sdist: Path | None
    modules: tuple[str, ...]
    preload: tuple[str, ...]
