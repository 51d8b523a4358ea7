"""Stages 2 and 3 by themselves, on files that the user names or on those of a data folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apigap.discovery.library import find_library
from apigap.packages.workshop import environment_store
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.errors import UsageError
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest
from apigap.records.progress import Progress
from apigap.records.store import load_records, read_bytes
from apigap.sandbox.engine import Engine
from apigap.stages.authorship import Authors
from apigap.stages.chain import LibraryChain, Target


@dataclass(frozen=True)
class NamedFiles(Layout):
    """The stage files that a user named, in the place of those of a data folder."""

    files: Mapping[str, Path]

    def stage(self, library: str, stage: str) -> Path:
        """The file of `stage`."""
        return self.files[stage]


@dataclass(frozen=True)
class SingleStages:
    """Runs stage 2 or stage 3; what was finished before is not done again."""

    settings: Settings
    engine: Engine
    progress: Progress
    authors: Authors = field(default_factory=Authors)

    def extract_file(self, candidates: Path, out: Path) -> Manifest:
        """Stage 2 of a file of candidates: bundles into `out`, beside it the usages for tasks and the log.

        Raises:
            UsageError: when the file is not of one release, or `out` was made from something else.
        """
        found = _of_one_release(candidates)
        files = _files(candidates, out, out)
        chain = self._chain(_target(found), NamedFiles(out.parent, "", files))
        chain.take(found)
        chain.extract(found)
        return _manifest(NamedFiles(out.parent, "", files).manifest(out))

    def generate_file(self, candidates: Path, knowledge: Path, out: Path) -> Manifest:
        """Stage 3 of what `extract_file` wrote to `knowledge`: tasks into `out`, beside it the log.

        Raises:
            UsageError: as `extract_file`, and when `knowledge` has no usages beside it.
        """
        found = _of_one_release(candidates)
        files = _files(candidates, knowledge, out)
        if not files["stage2_usages"].exists():
            raise UsageError(
                f"there is no {files['stage2_usages']}; make it with: "
                f"apigap extract --candidates {candidates} --out {knowledge}"
            )
        layout = NamedFiles(out.parent, "", files)
        chain = self._chain(_target(found), layout)
        chain.take(found)
        chain.generate(found)
        return _manifest(layout.manifest(out))

    def extract_release(self, target: Target, out: Path) -> Manifest:
        """Stages 1 and 2 of a library: bundles into `out`, beside it the candidates, the usages for tasks, the log."""
        candidates = out.with_name(f"{out.stem}.candidates.jsonl")
        return self.extract_library(target, NamedFiles(out.parent, "", _files(candidates, out, out)))

    def generate_release(self, target: Target, out: Path) -> Manifest:
        """Stages 1 to 3 of a library: tasks into `out`, beside it what they were made of."""
        candidates, knowledge = (out.with_name(f"{out.stem}.{what}.jsonl") for what in ("candidates", "bundles"))
        return self.generate_library(target, NamedFiles(out.parent, "", _files(candidates, knowledge, out)))

    def extract_library(self, target: Target, layout: Layout) -> Manifest:
        """Stages 1 and 2 of a library, in the data folder's files."""
        chain = self._chain(target, layout)
        chain.extract(chain.discover())
        return _manifest(layout.manifest(layout.stage(target.library, "stage2_knowledge")))

    def generate_library(self, target: Target, layout: Layout) -> Manifest:
        """Stages 1 to 3 of a library, in the data folder's files."""
        chain = self._chain(target, layout)
        candidates = chain.discover()
        chain.extract(candidates)
        chain.generate(candidates)
        return _manifest(layout.manifest(layout.stage(target.library, "stage3_tasks")))

    def _chain(self, target: Target, layout: Layout) -> LibraryChain:
        store = environment_store(self.engine)
        chain = LibraryChain(target, layout, self.settings, self.engine, store, self.progress, self.authors)
        chain.prepare()
        return chain


def counts_of(manifests: Sequence[Manifest]) -> list[dict[str, Any]]:
    """Per manifest its library, versions and counts."""
    keys = ("library", "old_version", "new_version")
    return [{**{key: manifest.made_from[key] for key in keys}, **manifest.counts} for manifest in manifests]


def _files(candidates: Path, knowledge: Path, out: Path) -> dict[str, Path]:
    return {
        "stage1_discovery": candidates,
        "stage2_knowledge": knowledge,
        "stage2_usages": knowledge.with_name(f"{knowledge.stem}.usages.jsonl"),
        "stage2_log": knowledge.with_name(f"{knowledge.stem}.log.jsonl"),
        "stage2_rewrites": knowledge.with_name(f"{knowledge.stem}.rewrites.jsonl"),
        "stage2_transcripts": knowledge.with_name(f"{knowledge.stem}.transcripts.jsonl"),
        "stage3_tasks": out,
        "stage3_log": out.with_name(f"{out.stem}.log.jsonl"),
        "stage3_transcripts": out.with_name(f"{out.stem}.transcripts.jsonl"),
    }


def _of_one_release(path: Path) -> list[Candidate]:
    found = load_records(path, Candidate)
    releases = sorted({(c.library, c.old_version or "", c.new_version) for c in found})
    if len(releases) != 1:
        raise UsageError(f"{path} holds candidates of {len(releases)} releases; give a file with those of one")
    return found


def _target(candidates: Sequence[Candidate]) -> Target:
    first = candidates[0]
    domain = find_library(first.library).domain
    return Target(first.library, first.old_version, first.new_version, "user" if domain == "other" else domain)


def _manifest(path: Path) -> Manifest:
    return Manifest.model_validate_json(read_bytes(path))
