"""Stage 1: of one pair of releases, and of many libraries, on after a failure and not again where nothing changed."""

import hashlib
import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from packaging.version import Version
from pydantic import ValidationError

import apigap.discovery
from apigap.discovery.discover import Discovery, discover
from apigap.discovery.library import LibraryConfig
from apigap.discovery.missing import how_to_read
from apigap.discovery.versions import newest_before, newest_version
from apigap.models.model_facts import cutoff_of
from apigap.packages.environments import EnvironmentStore
from apigap.packages.index import releases
from apigap.records.base import Json, Record
from apigap.records.errors import ApigapError
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest, Stage
from apigap.records.progress import Progress
from apigap.records.store import write_records, write_text
from apigap.records.target import Target

if TYPE_CHECKING:
    from apigap.sandbox.engine import Engine

Status = Literal["read", "kept", "nothing new", "failed"]


class LibraryOutcome(Record):
    """The fate of one library. `found` has no candidates in it: they are in the stage's own file, `path`."""

    library: str
    status: Status
    old_version: str | None = None
    new_version: str | None = None
    found: Discovery | None = None
    path: str | None = None
    error: str | None = None

    def __str__(self) -> str:
        """One line for people, and one for each thing to know of the reading."""
        versions = f"{self.library} {self.old_version or 'nothing'} -> {self.new_version}"
        if self.status == "failed":
            return f"{self.library}: FAILED: {self.error}"
        if self.found is None:
            return f"{self.library}: nothing new: {self.new_version} is from before the cutoff"
        counts = Counter({change: sum(kinds.values()) for change, kinds in self.found.changes.items()})
        changes = ", ".join(f"{counts[change]} {change}" for change in ("added", "modified", "moved"))
        unread = f", {len(self.found.failures)} modules not read" if self.found.failures else ""
        cost = f"{self.found.seconds:.1f} s, {self.found.bytes_fetched / 1e6:.1f} MB, {self.found.reading}"
        line = f"{versions}: {changes}{unread} ({'kept' if self.status == 'kept' else cost})"
        advice = how_to_read(self.library, self.found.new_version, self.found.missing)
        notes = [f"{self.library}: {note}" for note in self.found.notes]
        return "\n".join((line, *notes, *([advice] if advice else [])))


def discover_target(
    target: Target, engine: "Engine", progress: Progress, store: EnvironmentStore, static: bool = False
) -> Discovery:
    """The changes between the two releases of `target`; as text alone where it is `static`.

    Raises:
        UsageError, InfrastructureError: see `discover`.
    """
    step = progress.step(f"{target.library}: discovery")
    step(0, 1)
    found = discover(target.library, target.old, target.new, engine=engine, store=store, static=static)
    step(1, 1)
    for note in found.notes:
        progress.note(f"{target.library}: {note}")
    return found


@dataclass(frozen=True)
class DiscoveryRuns:
    """Stage 1 of several libraries for one model, into the folder `root`."""

    model: str
    root: Path
    engine: "Engine"
    store: EnvironmentStore
    static: bool = False
    cutoff: date | None = None

    def run(self, configs: Sequence[LibraryConfig]) -> Iterator[LibraryOutcome]:
        """One outcome per library, as it is reached; a library that fails does not stop the others.

        Raises:
            UsageError: when the model's cutoff is not known.
        """
        cutoff_of(self.model, self.cutoff)
        for config in configs:
            try:
                yield self._library(config)
            except ApigapError as error:
                yield LibraryOutcome(library=config.name, status="failed", error=str(error))

    def _library(self, config: LibraryConfig) -> LibraryOutcome:
        old = newest_before(releases(config.distribution), cutoff_of(self.model, self.cutoff), to_run=False)
        new = newest_version(config)
        outcome = LibraryOutcome(library=config.name, status="nothing new", old_version=old, new_version=new)
        if old is not None and Version(old) >= Version(new):
            return outcome
        layout = Layout(self.root, self.model)
        path = layout.stage(config.name, "stage1_discovery")
        summary = path.with_name(f"{path.stem}.summary.json")
        stage = _stage(layout.manifest(path), self._made_from(config, old, new))
        kept = _kept(summary) if stage.complete and path.exists() else None
        if kept is not None:
            return outcome.model_copy(update={"status": "kept", "found": kept, "path": str(path)})
        found = discover(config.name, old, new, engine=self.engine, store=self.store, static=self.static)
        write_records(path, found.candidates)
        write_records(layout.stage(config.name, "stage1_retired"), found.retired)
        short = found.model_copy(update={"candidates": (), "retired": ()})
        write_text(summary, short.to_line() + "\n")
        stage.finish({**found.counts, "failures": list(found.failures), "notes": list(found.notes)})
        return outcome.model_copy(update={"status": "read", "found": short, "path": str(path)})

    def _made_from(self, config: LibraryConfig, old: str | None, new: str) -> dict[str, Json]:
        """All that decides what stage 1 finds."""
        return {
            "library": config.name,
            "old_version": old,
            "new_version": new,
            "configuration": config.model_dump(mode="json"),
            "reading": "static" if self.static else config.read,
            "python": platform.python_version(),
            "readers": _readers(),
            **(self.engine.terms if not self.static and config.read == "runtime" else {}),
        }


def _stage(path: Path, made_from: dict[str, Json]) -> Stage:
    """The stage; begun anew where what is there was made from something else."""
    name = "stage 1: discovery"
    try:
        if path.exists() and Manifest.model_validate_json(path.read_bytes()).made_from != made_from:
            path.unlink()
    except ValidationError:
        path.unlink()
    return Stage(path, name, made_from)


def _kept(summary: Path) -> Discovery | None:
    try:
        return Discovery.model_validate_json(summary.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def _readers() -> str:
    """The hash of the code of stage 1."""
    folder = Path(apigap.discovery.__path__[0])
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))).hexdigest()[:16]
