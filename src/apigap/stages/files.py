"""Files of stages: those of a data folder, or those that a user named; and the manifest of each stage."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from apigap.discovery.library import find_library
from apigap.records.candidate import Candidate
from apigap.records.errors import UsageError
from apigap.records.layout import Layout
from apigap.records.manifest import Manifest, read_manifest
from apigap.records.store import load_records
from apigap.records.target import Target

RESULT_OF_STAGE = {1: "stage1_discovery", 2: "stage2_knowledge", 3: "stage3_tasks", 4: "stage4_filtered"}


@dataclass(frozen=True)
class NamedFiles(Layout):
    """The stage files that a user named, in the place of those of a data folder."""

    files: Mapping[str, Path]

    def stage(self, library: str, stage: str) -> Path:
        """The file of `stage`."""
        return self.files[stage]


def named_files(candidates: Path, knowledge: Path, tasks: Path) -> NamedFiles:
    """The files of stages 1 to 3 by these three names; the others are put beside them."""
    files = {
        "stage1_discovery": candidates,
        "stage1_retired": candidates.with_name(f"{candidates.stem}.retired.jsonl"),
        "stage2_knowledge": knowledge,
        **{f"stage2_{kind}": _beside(knowledge, kind) for kind in ("usages", "log", "rewrites", "transcripts")},
        "stage3_tasks": tasks,
        **{f"stage3_{kind}": _beside(tasks, kind) for kind in ("log", "transcripts")},
    }
    return NamedFiles(tasks.parent, "", files)


def files_beside(out: Path, last: int) -> NamedFiles:
    """The files of stages 1 to `last` where only that of the last one has a name, `out`."""
    knowledge = _beside(out, "bundles") if last == 3 else out
    return named_files(_beside(out, "candidates"), knowledge, out)


def target_of(candidates: Path) -> Target:
    """The releases that a file of candidates is about.

    Raises:
        UsageError: when it is not about one pair of releases.
    """
    found = load_records(candidates, Candidate)
    releases = sorted({(c.library, c.old_version or "", c.new_version) for c in found})
    if len(releases) != 1:
        raise UsageError(f"{candidates} holds candidates of {len(releases)} releases; give a file with those of one")
    ((library, old, new),) = releases
    domain = find_library(library).domain
    return Target(library, old or None, new, "user" if domain == "other" else domain)


def stage_manifest(layout: Layout, library: str, stage: int) -> Manifest:
    """The manifest of a stage that has been begun."""
    return read_manifest(_manifest_path(layout, library, stage))


def is_finished(layout: Layout, library: str, stage: int) -> bool:
    """True where a stage is complete; never for one that was not begun."""
    return _manifest_path(layout, library, stage).exists() and stage_manifest(layout, library, stage).complete


def _manifest_path(layout: Layout, library: str, stage: int) -> Path:
    return layout.manifest(layout.stage(library, RESULT_OF_STAGE[stage]))


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f"{path.stem}.{kind}.jsonl")
