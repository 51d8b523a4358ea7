"""The releases that a project's files name: lock files, requirements and pyproject, which are read and never run."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.markers import UndefinedComparison, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from apigap.projects.forks import chosen
from apigap.records.errors import CorruptRecord
from apigap.records.parsing.json_shapes import is_list, is_object
from apigap.records.store import read_text

_INCLUDE = re.compile(r"(?:-r|--requirement)[ =]\s*(\S+)")
_COMMENT = re.compile(r"(^|\s)#.*$")
_EXACT = re.compile(r"===?\s*([^\s*,;]+)")
_MOST_INCLUDED = 50


class Pin(NamedTuple):
    """A distribution that a file of the project names, in its normal spelling.

    `version` is the one release that is asked for, None where several would do: `wanted` has the words then. `file` is
    the path below the project's folder. `why` says why that release, where the file locks several.
    """

    name: str
    version: str | None
    wanted: str
    file: str
    why: str = ""


def pins_of(folder: Path) -> list[Pin]:
    """The pins in the files of a project: its lock files first, then requirements, then pyproject.

    Raises:
        CorruptRecord: when one of them cannot be read as what its name says.
    """
    return [pin for reader in (_locked, _required, _declared) for pin in reader(folder)]


def _locked(folder: Path) -> Iterator[Pin]:
    for name, packages in _LOCKS.items():
        path = folder / name
        if not path.is_file():
            continue
        of_name: dict[str, list[Mapping[str, Any]]] = {}
        for package in packages(_read(path)):
            if isinstance(package.get("name"), str) and isinstance(package.get("version"), str):
                of_name.setdefault(canonicalize_name(package["name"]), []).append(package)
        for library, several in of_name.items():
            taken, why = chosen(several)
            yield Pin(library, taken["version"], f"=={taken['version']}", name, why)


def _listed(key: str) -> Callable[[Mapping[str, Any]], Iterator[Mapping[str, Any]]]:
    """A reader of the packages of a lock file that lists them under `key`."""

    def packages(lock: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        found = lock.get(key)
        yield from (one for one in found if is_object(one)) if is_list(found) else ()

    return packages


def _of_pipenv(lock: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for part in ("default", "develop"):
        packages = lock.get(part)
        for name, told in packages.items() if is_object(packages) else ():
            if is_object(told) and isinstance(told.get("version"), str):
                yield {"name": name, "version": told["version"].removeprefix("==")}


_LOCKS: dict[str, Callable[[Mapping[str, Any]], Iterator[Mapping[str, Any]]]] = {
    "uv.lock": _listed("package"),
    "poetry.lock": _listed("package"),
    "pdm.lock": _listed("package"),
    "pylock.toml": _listed("packages"),
    "Pipfile.lock": _of_pipenv,
}
LOCKED = frozenset(_LOCKS)
"""The lock files: they name what a project's own requirements bring as well."""


def _required(folder: Path) -> Iterator[Pin]:
    for path in sorted([*folder.glob("requirements*.txt"), *folder.glob("requirements/*.txt")]):
        for line in _lines(path, folder, set()) if path.is_file() else ():
            yield from _pin(line, path.relative_to(folder).as_posix())


def _lines(path: Path, folder: Path, seen: set[Path]) -> Iterator[str]:
    """The requirements of a file and of those that it includes, which stand in the project too; each is read once."""
    seen.add(path.resolve())
    for line in read_text(path).replace("\\\n", " ").splitlines():
        text = _COMMENT.sub("", line).strip()
        include = _INCLUDE.match(text)
        if include is None:
            yield text.partition(" --")[0].strip()
            continue
        other = _included(path.parent / include[1], folder)
        if other is not None and other not in seen and len(seen) < _MOST_INCLUDED:
            yield from _lines(other, folder, seen)


def _included(path: Path, folder: Path) -> Path | None:
    """The file that is meant, where there is one in the project."""
    try:
        found = path.resolve()
        return found if found.is_file() and found.is_relative_to(folder.resolve()) else None
    except (OSError, ValueError, RuntimeError):  # no name of a file, or links in a circle
        return None


def _declared(folder: Path) -> Iterator[Pin]:
    path = folder / "pyproject.toml"
    if not path.is_file():
        return
    told = _read(path)
    project, tool = _object(told, "project"), _object(told, "tool")
    lists = [project.get("dependencies"), *_object(project, "optional-dependencies").values()]
    lists += [*_object(told, "dependency-groups").values()]
    for lines in lists:
        for line in lines if is_list(lines) else ():
            yield from _pin(line, path.name) if isinstance(line, str) else ()
    poetry = _object(tool, "poetry")
    groups = [_object(group, "dependencies") for group in _object(poetry, "group").values() if is_object(group)]
    for table in (_object(poetry, "dependencies"), *groups):
        for name, wanted in table.items():
            words = wanted.get("version") if is_object(wanted) else wanted
            if name != "python" and isinstance(words, str):
                exact = re.fullmatch(r"(?:==\s*)?(\d[\w.!+]*)", words.strip())
                yield Pin(canonicalize_name(name), exact[1] if exact else None, words, path.name)


def _pin(line: str, file: str) -> Iterator[Pin]:
    """The requirement of a line; none for an option, a path, an address, or what is for other machines than this."""
    try:
        wanted = Requirement(line)
        if wanted.marker is not None and not wanted.marker.evaluate():
            return
    except (InvalidRequirement, UndefinedComparison, UndefinedEnvironmentName, RecursionError):
        return
    exact = _EXACT.fullmatch(str(wanted.specifier))
    yield Pin(canonicalize_name(wanted.name), exact[1] if exact else None, str(wanted.specifier), file)


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if is_object(found) else {}


def _read(path: Path) -> Mapping[str, Any]:
    text = read_text(path)
    try:
        found = json.loads(text) if path.suffix == ".lock" and text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{path} cannot be read ({error}); repair it, or make it anew") from error
    return found if is_object(found) else {}
