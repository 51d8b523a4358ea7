"""The environment of a library version: all that a sandbox needs to know of it."""

import platform
import sys
from pathlib import Path
from typing import Literal

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from apigap.records.base import Record


class Environment(Record):
    """An installed library version. Paths are absolute; `packages` are `name==version` lines, sorted.

    `root` is the virtual environment, `python` its interpreter, `base_prefix` the installation that the
    interpreter belongs to, `python_version` its version (`3.12.1`), by default that of the one that runs apigap.
    `lock` is the hash of `packages` and the interpreter's version: it names the environment in manifests and caches,
    so no path enters a result. `resolved` says whose packages are there beside the library: those of the release's
    time, or today's, where that could not be solved. `wheels` are the files that came from a folder of this machine and
    not from the index, each with its sha256; with any, the lock is of them too.
    """

    library: str
    version: str
    root: Path
    python: Path
    base_prefix: Path
    site_packages: Path
    packages: tuple[str, ...]
    lock: str
    python_version: str = Field(default_factory=platform.python_version)
    resolved: Literal["release", "today"] = "release"
    wheels: dict[str, str] = {}

    @property
    def minor(self) -> str:
        """The version of its interpreter without the patch, `3.12`."""
        return ".".join(self.python_version.split(".")[:2])

    @property
    def is_newer(self) -> bool:
        """Tell whether its Python is a newer one than that of apigap, which may not be able to read its syntax."""
        return int(self.minor.split(".")[1]) > sys.version_info.minor

    @model_serializer(mode="wrap")
    def _as_before(self, write: SerializerFunctionWrapHandler) -> dict[str, object]:
        """The fields; the later ones only where unusual: what was written before is read and written alike."""
        fields = write(self)
        if self.python_version == platform.python_version():
            fields.pop("python_version", None)
        if self.resolved == "release":
            fields.pop("resolved", None)
        if not self.wheels:
            fields.pop("wheels", None)
        return fields


Stamp = tuple[int, ...] | None


def stamp(environment: Environment) -> Stamp:
    """A mark that changes when a distribution is put into the environment or taken out of it; None when it is gone."""
    try:
        site, python = environment.site_packages.stat(), environment.python.stat()
    except OSError:
        return None
    return (site.st_dev, site.st_ino, site.st_mtime_ns, python.st_ino)
