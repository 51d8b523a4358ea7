"""The text of a wheel without the wheel: its Python files are read out of it by HTTP ranges, and kept."""

import io
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from packaging.utils import canonicalize_name, parse_wheel_filename

from apigap.packages.index import Release, ReleaseFile
from apigap.packages.interpreters import running
from apigap.packages.transfer import download, get_part
from apigap.records.errors import InfrastructureError
from apigap.records.paths import cache_home, exclusive

MAX_TEXT_BYTES = 1 << 30
_TAIL_BYTES = 1 << 16
_GAP_BYTES = 1 << 18  # a request costs about as much time as that many bytes
_TEXT = (".py", ".pyi", ".dist-info/RECORD", ".dist-info/METADATA", ".dist-info/top_level.txt")


def wheel_to_read(release: Release) -> ReleaseFile | None:
    """The wheel whose text stands for `release`: one for this machine, else the best one for another; None without.

    Withdrawn files count too, when there is nothing else: the version was asked for by its number.
    """
    wheels = [file for file in release.files if not file.is_sdist and file.sha256]

    def rank(file: ReleaseFile) -> tuple[bool, bool, bool, bool, bool, int, str]:
        tags = parse_wheel_filename(file.filename)[3]
        pure, linux = (any(word in tag.platform for tag in tags) for word in ("any", "linux"))
        own = not file.fits(running().version)  # so that the text does not depend on which others are there
        elsewhere = file.place is None  # a wheel of this machine is the one that is installed
        return (file.yanked, elsewhere, own, not file.fits_here, not (pure or linux), file.size or 0, file.filename)

    return min(wheels, key=rank, default=None)


def fetch_wheel_text(library: str, version: str, file: ReleaseFile) -> Path:
    """The folder with the Python files and stubs of the wheel `file`, its tests left out; fetched once, then kept.

    What comes by ranges is checked by the archive's own checksums, member by member: the hash that the index
    promises is that of the whole file, of which only some hundredths are read.

    Raises:
        InfrastructureError: when the index cannot be reached, or the file is no wheel.
    """
    sha256 = file.sha256 or ""
    home = cache_home() / "wheels" / f"{canonicalize_name(library)}-{version}-{sha256[:16]}"
    with exclusive(home.with_name(home.name + ".lock")):
        if not home.exists():
            temporary = home.with_name(home.name + ".tmp")
            shutil.rmtree(temporary, ignore_errors=True)
            try:
                _unpack(file, sha256, temporary)
            except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
                reason = f"two of its members cannot stand side by side ({error})"
                raise InfrastructureError(f"{file.filename} cannot be read as a wheel: {reason}") from error
            except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, RuntimeError) as error:
                raise InfrastructureError(f"{file.filename} cannot be read as a wheel: {error}") from error
            temporary.rename(home)
    return home


def _unpack(file: ReleaseFile, sha256: str, into: Path) -> None:
    into.mkdir(parents=True)
    if file.place is not None:
        with zipfile.ZipFile(file.place) as zipped:
            _extract(zipped, _text_members(zipped), into)
        return
    remote = RemoteFile.open(file.url)
    if remote is None:  # the index gives whole files only
        archive = download(file.url, sha256, into.with_name(file.filename))
        with zipfile.ZipFile(archive) as zipped:
            _extract(zipped, _text_members(zipped), into)
        archive.unlink()
        return
    with zipfile.ZipFile(remote) as zipped:
        members = _text_members(zipped)
        remote.prefetch(_extents(zipped, members))
        _extract(zipped, members, into)


def _text_members(zipped: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    found = [member for member in zipped.infolist() if member.filename.endswith(_TEXT) and _is_wanted(member.filename)]
    size = sum(member.file_size for member in found)
    if size > MAX_TEXT_BYTES:
        raise zipfile.BadZipFile(f"its Python files unpack to {size} bytes, more than {MAX_TEXT_BYTES}")
    return found


def _is_wanted(name: str) -> bool:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name:
        return False
    return "tests" not in path.parts and not path.name.startswith("test_") and path.name != "conftest.py"


def _extents(zipped: zipfile.ZipFile, members: Sequence[zipfile.ZipInfo]) -> list[tuple[int, int]]:
    """First byte and end of each member with its header: it goes as far as the next member begins."""
    starts = sorted(member.header_offset for member in zipped.infolist())
    ends = dict(zip(starts, [*starts[1:], zipped.start_dir], strict=True))
    return [(member.header_offset, ends[member.header_offset]) for member in members]


def _extract(zipped: zipfile.ZipFile, members: Iterable[zipfile.ZipInfo], into: Path) -> None:
    for member in members:
        path = into / member.filename
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(zipped.read(member))


class RemoteFile(io.RawIOBase):
    """A file on a server, of which only the parts that are read are fetched."""

    def __init__(self, url: str, total: int, tail: tuple[int, bytes]) -> None:
        self._url = url
        self._total = total
        self._position = 0
        self._parts = [tail]

    @classmethod
    def open(cls, url: str) -> "RemoteFile | None":
        """The file at `url`, with its last bytes already fetched; None where the server gives whole files only."""
        tail = get_part(url, f"-{_TAIL_BYTES}")
        return None if tail is None else cls(url, tail.total, (tail.start, tail.body))

    def prefetch(self, extents: Iterable[tuple[int, int]]) -> None:
        """Fetch the bytes of all `extents` (first byte, end); those that lie near one another in one request."""
        joined: list[list[int]] = []
        for start, end in sorted(extents):
            if joined and start - joined[-1][1] <= _GAP_BYTES:
                joined[-1][1] = max(end, joined[-1][1])
            else:
                joined.append([start, end])
        for start, end in joined:
            self._fetch(start, end)

    def _fetch(self, start: int, end: int) -> bytes:
        part = get_part(self._url, f"{start}-{end - 1}")
        if part is None or part.start != start or part.total != self._total:
            raise InfrastructureError(f"{self._url} changed, or its server stopped serving parts; run again")
        self._parts.append((start, part.body))
        return part.body

    def readable(self) -> bool:
        """True."""
        return True

    def seekable(self) -> bool:
        """True."""
        return True

    def tell(self) -> int:
        """The position of the next byte."""
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Move as in any file."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._total}[whence]
        self._position = base + offset
        return self._position

    def read(self, size: int = -1, /) -> bytes:
        """The next `size` bytes, from what is there or else from the server."""
        start = self._position
        end = self._total if size < 0 else min(start + size, self._total)
        if end <= start:
            return b""
        data = next(
            (body[start - at : end - at] for at, body in self._parts if at <= start and end <= at + len(body)), b""
        )
        data = data or self._fetch(start, end)
        self._position = start + len(data)
        return data
