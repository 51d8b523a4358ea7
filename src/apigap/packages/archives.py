"""Source archives of strangers, unpacked so that nothing is written outside the folder meant for them."""

import email
import io
import os
import tarfile
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from packaging.utils import InvalidWheelFilename, NormalizedName, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from apigap.records.errors import EnvironmentFailure, InfrastructureError

MAX_BYTES = 2 << 30
MAX_MEMBERS = 200_000
MAX_METADATA = 16 << 20
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


def check_wheel(filename: str, data: bytes, name: NormalizedName, version: Version) -> None:
    """Check that `data` is a wheel of that release, under a name that says so, and that its members stay inside.

    Raises:
        EnvironmentFailure: when it is anything else.
    """
    try:
        if PurePosixPath(filename).name != filename or parse_wheel_filename(filename)[:2] != (name, version):
            raise EnvironmentFailure(f"{filename[:200]!r} is no name for a wheel of {name} {version}")
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            members = zipped.infolist()
            _refuse_bomb(Path(filename), len(members), sum(member.file_size for member in members))
            outside = [member.filename for member in members if not _is_inside(member.filename)]
            infos = {first for one in members if (first := one.filename.split("/")[0]).endswith(".dist-info")}
            if outside or len(infos) != 1:
                raise EnvironmentFailure(f"{filename} has members outside of it, or not one .dist-info: {outside[:3]}")
            with zipped.open(f"{infos.pop()}/METADATA") as file:
                told = email.message_from_bytes(file.read(MAX_METADATA))
        if (canonicalize_name(str(told["Name"])), Version(str(told["Version"]))) != (name, version):
            raise EnvironmentFailure(f"{filename} says that it is {told['Name']} {told['Version']}")
    except (InvalidWheelFilename, InvalidVersion, zipfile.BadZipFile, zlib.error, LookupError, RuntimeError) as error:
        raise EnvironmentFailure(f"{filename[:200]!r} is no wheel of {name} {version}: {error}") from None


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
        kept = tarfile.data_filter(member, path)
    except tarfile.FilterError:
        return None
    # A build in the sandbox reads it as another user.
    return kept.replace(mode=kept.mode | 0o444, deep=False) if kept.isreg() else kept


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
