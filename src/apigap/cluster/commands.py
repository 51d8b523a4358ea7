"""A whole command on a node: run there as on a machine of its own, with its files there and back as text."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from apigap.records.base import Record
from apigap.records.errors import InfrastructureError, UsageError
from apigap.records.store import read_bytes, write_text

DATA = "data"
"""The folder in a command's own whose files come back."""
_PREFIX = "apigap: "
_NOTE = f"{_PREFIX}note: "
_STEP = re.compile(r": \d+/\d+(, .*)?$")
"""The end of a line that tells progress."""
_WIDE = "10000"
"""Columns of what a command says, so that its lines are not wrapped."""


class Command(Record):
    """The words of a command after `apigap`, and the files that it is to find in its folder, by their names there."""

    words: tuple[str, ...]
    files: dict[str, str] = {}


class Ended(Record):
    """The end of a command: its exit code, what it printed and what it said, and the files of `data` that are new."""

    code: int
    output: str
    said: str
    files: dict[str, str] = {}

    @property
    def mark(self) -> str:
        """The outcome: `infra` where another node might do what this one could not."""
        return "done" if self.code == 0 else "failed" if self.code == UsageError.exit_code else "infra"

    @property
    def problem(self) -> str:
        """The reason for its failure, as it said itself; else the last line of what it said."""
        lines = self._lines or [f"it ended with {self.code} and said nothing"]
        return "\n".join(lines[self._last_word :]).removeprefix(_PREFIX) or lines[-1]

    @property
    def notes(self) -> list[str]:
        """The lines that it told beside its progress and its last word."""
        before = self._lines[: self._last_word]
        return [line.removeprefix(_NOTE) for line in before if line.strip() and not _STEP.search(line)]

    @property
    def _lines(self) -> list[str]:
        return self.said.strip().splitlines()

    @property
    def _last_word(self) -> int:
        """The number of the line that begins what it said of its end; that of lines where it said nothing of it."""
        lines = self._lines
        told = [n for n, line in enumerate(lines) if line.startswith(_PREFIX) and not line.startswith(_NOTE)]
        return told[-1] if told and self.code else len(lines)


def carry_out(command: Command, workers: int) -> Ended:
    """Run a command in a folder of its own, with so many programs at a time.

    It ends with this process, and has the caches of this machine.

    Raises:
        InfrastructureError: when the folder cannot be written.
    """
    with TemporaryDirectory(prefix="apigap-command-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        put(command.files, folder)
        begun = [sys.executable, "-P", "-m", "apigap.cluster.bound", str(os.getpid())]
        done = subprocess.run(
            [*begun, *command.words, "--workers", str(workers)],
            cwd=folder,
            env={**os.environ, "COLUMNS": _WIDE},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        found = taken(folder, DATA)
        new = {name: text for name, text in found.items() if command.files.get(name) != text}
        return Ended(code=done.returncode, output=done.stdout, said=done.stderr, files=new)


def taken(folder: Path, *patterns: str) -> dict[str, str]:
    """The text files of a folder that fit one of the patterns, those of its folders with them, by name."""
    found: set[Path] = set()
    for pattern in patterns:
        for path in folder.glob(pattern):
            found.update(path.rglob("*") if path.is_dir() else [path])
    files = sorted(path for path in found if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): read_bytes(path).decode("utf-8") for path in files}


def put(files: Mapping[str, str], folder: Path) -> None:
    """Write files into a folder; manifests last, so that none speaks of what is not there yet.

    Raises:
        InfrastructureError: for a name that leads out of the folder, or where it cannot be written.
    """
    for name in sorted(files, key=lambda name: (name.endswith(".manifest.json"), name)):
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts or "\0" in name:
            raise InfrastructureError(f"a node sent a file {name!r}, which leads out of its folder; nothing is written")
        write_text(folder / parts, files[name])
