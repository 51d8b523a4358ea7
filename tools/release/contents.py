"""The contents of a wheel and of a source archive, held against the files of a commit."""

import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from email import message_from_string
from email.message import Message
from pathlib import Path

PACKAGE = "src/"
_INFO = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
MOST_BYTES = 10_000_000
"""Of either file; an archive that grows past it holds what nobody meant to give away."""


def wheel_problems(wheel: Path, tracked: Iterable[str], version: str) -> list[str]:
    """Faults of a wheel: it must hold the package's files and its metadata, and nothing else.

    `tracked` are the files of the commit, as paths from its root; `version` is what the release is called.
    """
    wanted = {name.removeprefix(PACKAGE) for name in tracked if name.startswith(PACKAGE)}
    info = f"apigap-{version}.dist-info/"
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if not name.endswith("/")}
        metadata = message_from_string(archive.read(f"{info}METADATA").decode()) if f"{info}METADATA" in found else None
    own = {name for name in found if not name.startswith(info)}
    problems = [*_differences(own, wanted), *_too_large(wheel)]
    problems += _differences({name.removeprefix(info) for name in found - own}, _INFO)
    return problems + list(_metadata_problems(metadata, version))


def source_problems(archive: Path, tracked: Iterable[str], version: str) -> list[str]:
    """Faults of a source archive: it must hold the files of the commit and its own metadata."""
    head = f"apigap-{version}/"
    with tarfile.open(archive) as opened:
        members = [member for member in opened.getmembers() if not member.isdir()]
    strange = [f"{member.name} is no file" for member in members if not member.isreg()]
    outside = [f"{member.name} is not in {head}" for member in members if not member.name.startswith(head)]
    found = {member.name.removeprefix(head) for member in members}
    return [*strange, *outside, *_differences(found, {*tracked, "PKG-INFO"}), *_too_large(archive)]


def _differences(found: set[str], wanted: set[str]) -> Iterator[str]:
    yield from (f"{name} is missing" for name in sorted(wanted - found))
    yield from (f"{name} does not belong there" for name in sorted(found - wanted))


def _too_large(path: Path) -> list[str]:
    size = path.stat().st_size
    return [f"{path.name} has {size} bytes, more than {MOST_BYTES}"] if size > MOST_BYTES else []


def _metadata_problems(metadata: Message | None, version: str) -> Iterator[str]:
    if metadata is None:
        return
    wanted = {"Name": "apigap", "Version": version, "License-Expression": "Apache-2.0", "Requires-Python": ">=3.11"}
    for key, value in wanted.items():
        if metadata[key] != value:
            yield f"its metadata has {key} {metadata[key]!r}, not {value!r}"
    direct = [name for name in metadata.get_all("Requires-Dist", []) if " @ " in name]
    yield from (f"it needs {name}, which no index takes" for name in direct)
