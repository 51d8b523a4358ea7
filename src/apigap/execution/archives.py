"""Source archives of strangers, unpacked so that nothing is written outside the folder meant for them."""

import os
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from apigap.records.errors import InfrastructureError

MAX_BYTES = 2 << 30
MAX_MEMBERS = 200_000
SUFFIXES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip")


def unpack(archive: Path, into: Path) -> None:
    """Unpack a .tar.* or .zip archive into the folder `into`; members that would leave it are left out.

    Raises:
        InfrastructureError: when the archive is damaged, or larger than any honest source distribution.
    """
    into.mkdir(parents=True, exist_ok=True)
    try:
        if archive.name.endswith(".zip"):
            _unpack_zip(archive, into)
        else:
            _unpack_tar(archive, into)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, OSError) as error:
        raise InfrastructureError(f"cannot unpack {archive.name}: {error}; remove {archive} and run again") from error


def _unpack_tar(archive: Path, into: Path) -> None:
    if not hasattr(tarfile, "data_filter"):
        raise InfrastructureError("unpacking source archives safely needs Python 3.11.4 or newer")
    with tarfile.open(archive) as tar:
        members: list[tarfile.TarInfo] = []
        size = 0
        for member in tar:
            members.append(member)
            size += member.size
            _refuse_bomb(archive, len(members), size)
        tar.extractall(into, members, filter=_inside_only)  # noqa: S202 - the filter is the check


def _inside_only(member: tarfile.TarInfo, path: str) -> tarfile.TarInfo | None:
    try:
        return tarfile.data_filter(member, path)
    except tarfile.FilterError:
        return None


def _unpack_zip(archive: Path, into: Path) -> None:
    with zipfile.ZipFile(archive) as zipped:
        members = [member for member in zipped.infolist() if _is_inside(member.filename)]
        _refuse_bomb(archive, len(members), sum(member.file_size for member in members))
        for member in members:
            zipped.extract(member, into)  # writes links as plain files that hold their target's name


def _is_inside(name: str) -> bool:
    parts = PurePosixPath(name.replace(os.sep, "/"))
    return not parts.is_absolute() and ".." not in parts.parts


def _refuse_bomb(archive: Path, members: int, size: int) -> None:
    if members > MAX_MEMBERS or size > MAX_BYTES:
        raise InfrastructureError(
            f"{archive.name} unpacks to {members} files and {size} bytes, more than {MAX_MEMBERS} files or "
            f"{MAX_BYTES} bytes: it is not unpacked"
        )
