"""Manifests: beside every file of a run, what made it. A stage goes on only where the same things made it."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from apigap.records.base import Record, content_hash
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import read_text, write_text
from apigap.version import __version__


class Manifest(Record):
    """The making of a file. It depends neither on where files lie, nor on the clock but for an adaptation's costs.

    `made_from` decides whether a stage may go on with what is there: settings, hashes of inputs, environment
    locks, evaluator, model. `counts` are for readers. `files` has the hashes of the files that the stage has written,
    where it watches over them.
    """

    apigap: str
    stage: str
    made_from: dict[str, Any]
    counts: dict[str, Any] = {}
    files: dict[str, str] = {}
    complete: bool = False


class Stage:
    """One stage's manifest on disk; use it as: skip when `complete`, else work and `finish`."""

    def __init__(
        self,
        path: Path,
        name: str,
        made_from: dict[str, Any],
        growing: Collection[str] = (),
        files: Collection[Path] = (),
    ) -> None:
        """Open the manifest at `path`.

        `growing` are keys of `made_from` whose other value means only that there is work again: with it the stage goes
        on, and is not complete. Nor is it where one of the `files` that it writes is no longer what it has written:
        one that lost its end is made whole.

        Raises:
            UsageError: when the files there were made from something else.
            CorruptRecord: when the manifest cannot be read.
        """
        self._path = path
        self._files = files
        self.manifest = Manifest(apigap=__version__, stage=name, made_from=made_from)
        if not path.exists() or self._has_grown(read_manifest(path), growing):
            self._write()

    @property
    def complete(self) -> bool:
        """True when an earlier run finished this stage, and its files are as that has left them."""
        known = self.manifest.files
        written = [path for path in self._files if path.name in known]
        return self.manifest.complete and all(p.exists() and file_hash(p) == known[p.name] for p in written)

    def finish(self, counts: dict[str, Any]) -> None:
        """Mark the stage as complete."""
        files = {path.name: file_hash(path) for path in self._files if path.exists()}
        self.manifest = self.manifest.model_copy(update={"counts": counts, "files": files, "complete": True})
        self._write()

    def _write(self) -> None:
        write_text(self._path, self.manifest.model_dump_json(indent=2) + "\n")

    def _has_grown(self, earlier: Manifest, growing: Collection[str]) -> bool:
        """True when the inputs have grown since; else the manifest that is there is taken over."""
        grown = {key: value for key, value in self.manifest.made_from.items() if key in growing}
        differing = next(_differing({**earlier.made_from, **grown}, self.manifest.made_from), None)
        if differing:
            key, theirs, ours = differing
            raise UsageError(
                f"{self._path.parent} was made with {key} = {_short(theirs)}, this run has {_short(ours)}; choose "
                f"another folder with --data or --out, or remove {self._path.name} and the files that it is about"
            )
        if any(earlier.made_from.get(key) != value for key, value in grown.items()):
            return True
        self.manifest = earlier
        return False


def file_hash(path: Path) -> str:
    """The first 16 hex digits of the sha256 of a text file's lines.

    Raises:
        InfrastructureError: when it cannot be read.
        CorruptRecord: when it is no UTF-8.
    """
    return content_hash(read_text(path))


def read_manifest(path: Path) -> Manifest:
    """The manifest of a file.

    Raises:
        CorruptRecord: when it cannot be read.
    """
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise CorruptRecord(
            f"{path} is not a manifest; remove it and the files beside it to make them again"
        ) from error


def _differing(theirs: Any, ours: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places at which two values differ, by their keys, and both values there."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        first, second = cast("dict[str, Any]", theirs), cast("dict[str, Any]", ours)
        for key in sorted(first.keys() | second.keys()):
            yield from _differing(first.get(key), second.get(key), f"{at}.{key}" if at else key)
    elif theirs != ours:
        yield at, theirs, ours


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
