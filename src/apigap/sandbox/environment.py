"""The environment of a library version: all that a sandbox needs to know of it."""

from pathlib import Path
from typing import Literal

from apigap.records.base import Record


class Environment(Record):
    """An installed library version. Paths are absolute; `packages` are `name==version` lines, sorted.

    `root` is the virtual environment, `python` its interpreter, `base_prefix` the installation that the
    interpreter belongs to. `lock` is the hash of `packages` and the interpreter's version: it names the
    environment in manifests and caches, so no path enters a result. `resolved` says whose packages are there beside the
    library: those of the release's time, or today's, where that could not be solved.
    """

    library: str
    version: str
    root: Path
    python: Path
    base_prefix: Path
    site_packages: Path
    packages: tuple[str, ...]
    lock: str
    resolved: Literal["release", "today"] = "release"


Stamp = tuple[int, ...] | None


def stamp(environment: Environment) -> Stamp:
    """A mark that changes when a distribution is put into the environment or taken out of it; None when it is gone."""
    try:
        site, python = environment.site_packages.stat(), environment.python.stat()
    except OSError:
        return None
    return (site.st_dev, site.st_ino, site.st_mtime_ns, python.st_ino)
