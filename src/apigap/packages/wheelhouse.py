"""Wheels of this machine beside the index: folders of the user's, such as one with the CPU build of torch.

What lies there is a release like any other, and is taken where it is named: its version, or a requirement that names
it exactly. An environment with such wheels says so, by their hashes.
"""

import email
import functools
import os
import re
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from apigap.packages.archives import MAX_METADATA
from apigap.packages.transfer import file_sha256
from apigap.packages.wheel_tags import tags_of
from apigap.records.paths import cache_home, exclusive

VARIABLE = "APIGAP_WHEELHOUSE"
HOW_TO = f"put a wheel of it into a folder and name that in {VARIABLE} or --set packages.wheelhouse=[FOLDER]"
_OF_INSTALLERS = ("UV_FIND_LINKS", "PIP_FIND_LINKS")
_chosen: list[Path] = []


class LocalWheel(NamedTuple):
    """A wheel in one of the folders: its distribution in normal form, version, place, sha256 in hex, size in bytes."""

    name: str
    version: Version
    path: Path
    sha256: str
    size: int

    def fits(self, python: str) -> bool:
        """Tell whether its tags say that it is for this version of Python (3.12.1) on this kind of machine."""
        return bool(parse_wheel_filename(self.path.name)[3] & tags_of(int(python.split(".")[1])))


def use(folders: Sequence[Path]) -> None:
    """Put the folders of the settings in force for this process, before those of the environment; none: as it was."""
    _chosen[:] = [folder.expanduser().absolute() for folder in folders]


def wheel_folders() -> tuple[Path, ...]:
    """The folders in force: of the settings, else of APIGAP_WHEELHOUSE, else those that uv or pip is told to look into.

    They are UV_FIND_LINKS and PIP_FIND_LINKS, whose addresses on the network are passed over.
    """
    own = os.environ.get(VARIABLE, "")
    if _chosen or own:
        return tuple(_chosen or (Path(part).expanduser().absolute() for part in own.split(os.pathsep) if part))
    told = (part for name in _OF_INSTALLERS for part in re.split(r"[,\s]+", os.environ.get(name, "")) if part)
    return tuple(dict.fromkeys(folder for part in told if (folder := _folder(part)) is not None))


def count_wheels(folder: Path) -> int:
    """The number of wheels in a folder; none where it cannot be read."""
    return len(_wheels_in(folder))


def local_wheels(name: str) -> list[LocalWheel]:
    """The wheels of a distribution in the folders in force, by version and file name; of two alike the first folder's.

    A folder that cannot be read holds none.
    """
    wanted, found = canonicalize_name(name), dict[str, LocalWheel]()
    for folder in wheel_folders():
        for path in _wheels_in(folder):
            wheel = None if path.name in found else _wheel(path, wanted)
            if wheel is not None:
                found[path.name] = wheel
    return sorted(found.values(), key=lambda wheel: (wheel.version, wheel.path.name))


def named_exactly(requirements: Sequence[str]) -> list[LocalWheel]:
    """The local wheels of all requirements that name one version (`torch==2.13.0+cpu`)."""
    found: list[LocalWheel] = []
    for text in requirements:
        name, version = _exact(text)
        found += [wheel for wheel in local_wheels(name) if wheel.version == version] if version else []
    return found


def taken(requirements: Sequence[str], python: str) -> dict[str, LocalWheel]:
    """The local wheel in the place of each requirement that names one exactly, for that version of Python.

    Of several that fit it is the first by file name: one of that Python alone comes before one of all.
    """
    fitting = {text: [wheel for wheel in named_exactly([text]) if wheel.fits(python)] for text in requirements}
    return {text: wheels[0] for text, wheels in fitting.items() if wheels}


def as_files(requirements: Sequence[str], python: str) -> list[str]:
    """The requirements as an installer is told them: files of this machine where there are, by their links.

    Raises:
        InfrastructureError: when the cache cannot be written.
    """
    local = taken(requirements, python)
    return [_as_file(text, local[text]) if text in local else text for text in requirements]


def _as_file(requirement: str, wheel: LocalWheel) -> str:
    extras = ",".join(sorted(Requirement(requirement).extras))
    return f"{wheel.name}{f'[{extras}]' if extras else ''} @ {link_of(wheel).as_uri()}"


def needs_of(wheel: LocalWheel) -> list[str]:
    """The names of the distributions that a wheel requires, sorted; none where its metadata cannot be read."""
    try:
        return sorted({canonicalize_name(Requirement(one).name) for one in _told(wheel, "Requires-Dist")})
    except InvalidRequirement:
        return []


def requires_python_of(wheel: LocalWheel) -> str | None:
    """The versions of Python that a wheel says it is for (`>=3.10`); None where it says nothing."""
    return next(iter(_told(wheel, "Requires-Python")), None)


def _told(wheel: LocalWheel, field: str) -> list[str]:
    """The values of a field of a wheel's metadata; none where that cannot be read."""
    try:
        with zipfile.ZipFile(wheel.path) as zipped:
            name = next(name for name in zipped.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
            with zipped.open(name) as file:
                return [str(one) for one in email.message_from_bytes(file.read(MAX_METADATA)).get_all(field, [])]
    except (OSError, StopIteration, zipfile.BadZipFile, zlib.error, RuntimeError):
        return []


def link_of(wheel: LocalWheel) -> Path:
    """A link to a wheel in the cache, in a folder named by the wheel's hash.

    So an installer that keeps what it has unpacked meets the same path again, and never one path with two contents.

    Raises:
        InfrastructureError: when the cache cannot be written.
    """
    folder = cache_home() / "wheelhouse" / wheel.sha256[:16]
    link = folder / wheel.path.name
    with exclusive(folder.with_name(folder.name + ".lock")):
        folder.mkdir(parents=True, exist_ok=True)
        if link.is_symlink() and link.readlink() != wheel.path:
            link.unlink()
        if not link.is_symlink():
            link.symlink_to(wheel.path)
    return link


def _folder(told: str) -> Path | None:
    parts = urlsplit(told)
    if parts.scheme == "file":
        return Path(unquote(parts.path))
    return None if "://" in told else Path(told).expanduser().absolute()


def _wheels_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(".whl") and path.is_file())
    except OSError:
        return []


def _wheel(path: Path, wanted: str) -> LocalWheel | None:
    try:
        name, version, *_ = parse_wheel_filename(path.name)
        status = path.stat()
        if name != wanted:
            return None
        return LocalWheel(name, version, path, _sha256(path, status.st_size, status.st_mtime_ns), status.st_size)
    except (InvalidWheelFilename, InvalidVersion, OSError):
        return None


@functools.lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed: int) -> str:
    """The hash of a file; `size` and `changed` are so that one that was written anew is read again."""
    return file_sha256(path)


def _exact(text: str) -> tuple[str, Version | None]:
    try:
        requirement = Requirement(text)
        (specifier,) = requirement.specifier
        return requirement.name, Version(specifier.version) if specifier.operator == "==" else None
    except (InvalidRequirement, InvalidVersion, ValueError):
        return text, None
