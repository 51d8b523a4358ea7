"""The project in a folder: which release of a library its code runs with, and what says so."""

import os
from collections.abc import Iterable, Iterator, Mapping
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

from packaging.utils import canonicalize_name

from apigap.projects.pins import LOCKED, pins_of
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean

_PLACES = (".venv", "venv", "env")


class InUse(NamedTuple):
    """A release that a project uses, and the file or environment that says so."""

    name: str
    version: str
    told_by: str


class Project:
    """The project in `folder`. Nothing of it is run or imported: files and the metadata of wheels are read.

    Code runs with what is installed: an environment in the folder (or that of `UV_PROJECT_ENVIRONMENT`) goes before the
    lock file, that before an exact requirement, and last comes the environment that is active (`VIRTUAL_ENV`).

    Raises:
        UsageError: when there is no such folder.
        CorruptRecord: when a file of it cannot be read as what its name says.
    """

    def __init__(self, folder: Path, surroundings: Mapping[str, str] = os.environ) -> None:
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}; name the project's with --project")
        self.folder = folder.resolve()
        self._pins = pins_of(folder)
        own = (surroundings.get("UV_PROJECT_ENVIRONMENT"), *_PLACES)
        self._own = _Environment.first(folder, own)
        self._active = _Environment.first(folder, [surroundings.get("VIRTUAL_ENV")])

    def release_of(self, library: str) -> InUse:
        """The release of a library by its name on the index.

        Raises:
            UsageError: when nothing names it, or what does leaves the release open.
        """
        name = canonicalize_name(library)
        pins = [pin for pin in self._pins if pin.name == name]
        exact = [InUse(name, pin.version, ", ".join(filter(None, (pin.file, pin.why)))) for pin in pins if pin.version]
        found = next(iter([*self._own.uses(name), *exact, *self._active.uses(name)]), None)
        if found:
            return found
        if pins:
            raise UsageError(
                f"{pins[0].file} asks for {name} {pins[0].wanted or 'in any release'}, and neither a lock file nor an "
                f"environment in {self.folder} says which one that is; install the project, or name the release with "
                "--new"
            )
        raise UsageError(self._stranger(name))

    def releases(self) -> list[InUse]:
        """The releases that are known, by name: what the project asks for itself, else all that is locked."""
        asked = {pin.name for pin in self._pins if pin.file not in LOCKED}
        names = asked or {pin.name for pin in self._pins} or set(self._own.installed or self._active.installed)
        return [found for name in sorted(names) if (found := self._known(name))]

    def _known(self, name: str) -> InUse | None:
        try:
            return self.release_of(name)
        except UsageError:
            return None

    def _stranger(self, name: str) -> str:
        known = {pin.name for pin in self._pins} | set(self._own.installed) | set(self._active.installed)
        if not known:
            return (
                f"{self.folder} has no lock file, requirements, pyproject.toml or environment that names a release; "
                "name the project's folder with --project, or the release with --new"
            )
        hint = did_you_mean(name, known, "name the release with --new", cutoff=0.7)
        return f"nothing in {self.folder} names {name}; {hint}"


class _Environment(NamedTuple):
    """An environment by its place, in words, and the versions of what is installed there."""

    place: str
    installed: Mapping[str, str]

    @classmethod
    def first(cls, folder: Path, places: Iterable[str | None]) -> "_Environment":
        """The first of `places`, paths below the folder or anywhere, that holds distributions; else an empty one."""
        for place in filter(None, places):
            for site in sorted((folder / place).glob("lib/python3*/site-packages")):
                if installed := dict(_installed(site)):
                    return cls(place, installed)
        return cls("", {})

    def uses(self, name: str) -> list[InUse]:
        """The release of a distribution, if it is installed."""
        version = self.installed.get(name)
        return [InUse(name, version, f"the environment {self.place}")] if version else []


def _installed(site: Path) -> Iterator[tuple[str, str]]:
    """The names and versions of the distributions in an environment, by the metadata that their wheels brought."""
    for path in filter(Path.is_file, sorted(site.glob("*.dist-info/METADATA"))):
        head = HeaderParser().parsestr(path.read_text("utf-8", "replace").partition("\n\n")[0])
        if head["Name"] and head["Version"]:
            yield canonicalize_name(head["Name"]), head["Version"]
