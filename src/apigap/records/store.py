"""JSONL files: append, flush per record, resume after a kill, and never a silent loss."""

import codecs
import contextlib
import errno
import fcntl
import os
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from io import BufferedReader, BufferedWriter, FileIO
from pathlib import Path
from types import TracebackType
from typing import Generic, TypeVar

from pydantic import ValidationError

from apigap.records.base import Record
from apigap.records.errors import ApigapWarning, CorruptRecord, InfrastructureError, UsageError
from apigap.records.parsing.faults import first_fault

R = TypeVar("R", bound=Record)


def read_records(path: Path, kind: type[R], holding: bytes = b"") -> Iterator[R]:
    """Yield the records of `path`; a half-written last line is left out with a warning.

    A last line that only lacks its line break is a record like any other: no beginning of one is valid JSON.
    Lines without the bytes `holding` are passed over unread.

    Raises:
        CorruptRecord: for any other line that is not a `kind`, naming file, line and reason.
    """
    with _to_read(path) as file:
        if file.peek(2).startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            _decoded(path, file.read())
        for number, text in enumerate(file, start=1):
            if holding not in text or not text.strip():
                continue
            try:
                yield kind.from_line(text)
            except ValidationError as error:
                if text.endswith(b"\n"):
                    raise CorruptRecord(_describe(path, number, kind, error)) from error
                reason = f"{path}: the last line is half-written ({len(text)} bytes) and is left out"
                warnings.warn(reason, ApigapWarning, stacklevel=2)


def load_records(path: Path, kind: type[R]) -> list[R]:
    """All records of `path` as a list; see `read_records`."""
    return list(read_records(path, kind))


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Replace `path` by `records` in one step: a reader sees the old file or the new one, never a part."""
    write_text(path, "".join(record.to_line() + "\n" for record in records))


def write_text(path: Path, text: str, *, sync: bool = True) -> None:
    """Replace `path` by `text` (UTF-8); see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"), sync=sync)


def write_bytes(path: Path, data: bytes, *, sync: bool = True) -> None:
    """Replace `path` by `data` in one step; without `sync` a power cut may lose it.

    Raises:
        InfrastructureError: when the disk is full or the folder cannot be written; the old file is untouched.
    """
    # One name, so that what a killed run left behind is overwritten by the run that goes on.
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _owned(temporary) as file:
            try:
                file.write(data)
                file.flush()
                if sync:
                    os.fsync(file.fileno())
                temporary.replace(path)
            except OSError:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise disk_error(path, error) from error


def _owned(temporary: Path) -> BufferedWriter:
    """The empty file of this name, which no other process or thread writes until it is closed.

    Whoever waited for it may find that it has got its final name meanwhile: then there is another one to be made.
    """
    while True:
        file = temporary.open("ab")
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), temporary.stat()):
                file.truncate(0)
                return file
        file.close()


class Journal(Generic[R]):
    """An append-only JSONL file that survives a kill.

    Opening it reads what is finished (`done`) and cuts a half-written last line off the file (or ends a whole one),
    so that the next record starts on a line of its own. Records that `again` says are to be made again are taken out.
    `append` returns after the record has left the process. One process at a time has it: two runs of the same command
    would write every record twice.

    Raises:
        UsageError: when another process has it open.
        CorruptRecord: when it holds what is no record of this kind.
    """

    def __init__(self, path: Path, kind: type[R], again: Callable[[R], bool] = lambda record: False) -> None:
        self.path = path
        self.done: list[R] = []
        self._file = _opened(path)
        try:
            found = load_records(path, kind)
            self.done = [record for record in found if not again(record)]
            if len(self.done) < len(found):
                write_records(path, self.done)
                self.close()  # that was the file of before
                self._file = _opened(path)
            _end_line(path, len(self.done))
        except OSError as error:
            raise disk_error(path, error) from error
        except BaseException:
            self.close()
            raise

    def append(self, record: R) -> None:
        """Write one record as one line.

        Raises:
            InfrastructureError: when the disk is full; the part of the line already written is taken back.
        """
        line = (record.to_line() + "\n").encode()
        start = os.fstat(self._file.fileno()).st_size
        try:
            written = self._file.write(line)
            if written != len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            os.ftruncate(self._file.fileno(), start)
            raise disk_error(self.path, error) from error
        self.done.append(record)

    def finish(self, order: Callable[[R], str | tuple[str | int, ...]]) -> None:
        """Rewrite the journal sorted by `order` and close it: the same records give the same bytes."""
        write_records(self.path, sorted(self.done, key=order))
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> "Journal[R]":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def existing_file(path: Path, wanted: str) -> Path:
    """`path`, which a user named; `wanted` says what to give where it is no file.

    Raises:
        UsageError: when it is none.
    """
    if not path.is_file():
        raise UsageError(f"{path} {'is a folder' if path.is_dir() else 'does not exist'}; give {wanted}")
    return path


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InfrastructureError: when it is not there or cannot be read.
    """
    with _to_read(path) as file:
        return file.read()


def first_line(path: Path) -> bytes:
    """The first line of a file, which may be large.

    Raises:
        InfrastructureError: when it is not there or cannot be read.
    """
    with _to_read(path) as file:
        return file.readline().rstrip(b"\r\n")


@contextlib.contextmanager
def _to_read(path: Path) -> Generator[BufferedReader]:
    """The open file; errors as those of `read_bytes`."""
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InfrastructureError(f"{path} does not exist") from None
    except OSError as error:
        raise InfrastructureError(f"cannot read {path}: {error.strerror or error}") from error


def read_text(path: Path) -> str:
    """The content of a UTF-8 file, its line ends as one.

    Raises:
        InfrastructureError: when it is not there or cannot be read.
        CorruptRecord: when it is written in another way.
    """
    return _decoded(path, read_bytes(path)).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(path: Path, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        kind = "UTF-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "another encoding"
        raise CorruptRecord(f"{path}:{line} is not UTF-8 (it looks like {kind}): save the file as UTF-8") from error


def _opened(path: Path) -> FileIO:
    """The file to append to, made where it is missing, and held against other processes until it is closed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise disk_error(path, error) from error
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UsageError(f"{path} is being written by another run; let that end, or choose another folder") from None
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOTSUP):  # a file system without locks
            file.close()
            raise disk_error(path, error) from error
    return file


def _end_line(path: Path, records: int) -> None:
    """Make the file end with its last whole record, and that with a line break."""
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    if end == len(data):
        return
    if sum(1 for line in data[:end].split(b"\n") if line.strip()) == records:
        os.truncate(path, end)
        return
    with path.open("ab") as file:
        file.write(b"\n")


def disk_error(path: Path, error: OSError) -> InfrastructureError:
    """The error to raise when `path` could not be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return InfrastructureError(
            f"no space left to write {path}; free some space and run the same command again: it goes on from there"
        )
    advice = "name a file in it" if error.errno == errno.EISDIR else "name another place, or make this one writable"
    return InfrastructureError(f"cannot write {path}: {error.strerror or error}; {advice}")


def _describe(path: Path, number: int, kind: type[Record], error: ValidationError) -> str:
    fault = first_fault(error)
    reason = f"{fault.where}: {fault.words}" if fault.place else fault.words
    whole = "give a file of such lines, or " if number == 1 else ""
    return (
        f"{path}:{number} is not a {kind.__name__} ({reason}); {whole}repair or remove that line (what apigap wrote "
        "itself can be removed, and is made again)"
    )
