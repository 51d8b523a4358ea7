"""Beside every file of a run stands its manifest: what made it. A stage goes on only where the same things made it."""

from pathlib import Path
from typing import Any

from pydantic import ValidationError

import apigap
from apigap.records.base import Record, content_hash
from apigap.records.errors import CorruptRecord, InfrastructureError, UsageError
from apigap.records.store import write_text


class Manifest(Record):
    """What made a file. Nothing in it depends on the clock or on where files lie: same run, same bytes.

    `made_from` decides whether a stage may go on with what is there: settings, hashes of inputs, environment
    locks, evaluator, model. `counts` are for readers.
    """

    apigap: str
    stage: str
    made_from: dict[str, Any]
    counts: dict[str, Any] = {}
    complete: bool = False


class Stage:
    """One stage's manifest on disk; use it as: skip when `complete`, else work and `finish`."""

    def __init__(self, path: Path, name: str, made_from: dict[str, Any]) -> None:
        """Open the manifest at `path`.

        Raises:
            UsageError: when the files there were made from something else.
            CorruptRecord: when the manifest cannot be read.
        """
        self._path = path
        self.manifest = Manifest(apigap=apigap.__version__, stage=name, made_from=made_from)
        if path.exists():
            self._continue(read_manifest(path))
        else:
            write_text(path, self.manifest.model_dump_json(indent=2) + "\n")

    @property
    def complete(self) -> bool:
        """True when an earlier run finished this stage."""
        return self.manifest.complete

    def finish(self, counts: dict[str, Any]) -> None:
        """Mark the stage as complete."""
        self.manifest = self.manifest.model_copy(update={"counts": counts, "complete": True})
        write_text(self._path, self.manifest.model_dump_json(indent=2) + "\n")

    def _continue(self, found: Manifest) -> None:
        ours, theirs = self.manifest.made_from, found.made_from
        differing = sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))
        if differing:
            key = differing[0]
            raise UsageError(
                f"{self._path.parent} was made with {key} = {_short(theirs.get(key))}, this run has "
                f"{_short(ours.get(key))}; choose another folder with --data, or remove that one"
            )
        self.manifest = found


def file_hash(path: Path) -> str:
    """The first 16 hex digits of the sha256 of a text file's lines."""
    try:
        return content_hash(path.read_text("utf-8"))
    except OSError as error:
        raise InfrastructureError(
            f"{path} cannot be read ({error.strerror}), though its stage is complete; "
            "remove its manifest to make it again"
        ) from error


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


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
