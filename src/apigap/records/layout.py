"""Paths of a run's files (the names are a contract with other tools)."""

import re
from dataclasses import dataclass
from pathlib import Path

from apigap.records.names import path_part
from apigap.records.target import Target


@dataclass(frozen=True)
class Layout:
    """Paths under one data folder, for one model.

    Raises:
        UsageError: from each path, for a name that would lead out of the folder.
    """

    root: Path
    model: str

    @property
    def slug(self) -> str:
        """The model's name as part of a file name: `gguf/smollm2-135m` is `smollm2-135m`."""
        name = self.model.removeprefix("gguf/")
        return re.sub(r"[^\w.+-]+", "--", name)

    def stage(self, library: str, stage: str) -> Path:
        """The JSONL file of a stage, such as `stage1_discovery`."""
        return self.root / "raw" / path_part(library, "a library") / f"{stage}.{self.slug}.jsonl"

    def ladder_items(self, target: Target) -> Path:
        """The items of a pair of releases, which are the same for every model."""
        pair = path_part(f"{target.old or 'none'}-{target.new}", "a pair of releases")
        return self.root / "raw" / path_part(target.library, "a library") / f"ladder_items.{pair}.jsonl"

    def manifest(self, path: Path) -> Path:
        """The manifest beside `path`."""
        return path.with_name(f"{path.stem}.manifest.json")

    def cell(self, experiment: str, cell: str) -> Path:
        """The folder of one cell: predictions.jsonl, results.jsonl, summary.json."""
        return self.root / "results" / path_part(experiment, "an experiment") / path_part(cell, "a cell")

    @property
    def grid(self) -> Path:
        """The list of the experiments that are one grid."""
        return self.root / "grid.json"

    def analysis(self, experiment: str) -> Path:
        """The folder of an experiment's tables and report."""
        return self.root / "analysis" / path_part(experiment, "an experiment")

    def tuning_set(self, group: str, name: str) -> Path:
        """The training conversations of a group, one per line."""
        return self.root / "sft" / path_part(group, "a group") / f"{path_part(name, 'a tuning set')}.jsonl"

    def adapted(self, group: str, method: str, condition: str) -> Path:
        """The folder of an adapted model: tuned ones are in `sft`, edited ones in `edits`."""
        room = "sft" if method in ("sft", "raft") else "edits"
        name = path_part(f"{method}.{condition}", "a condition")
        return self.root / room / path_part(group, "a group") / path_part(self.slug, "a model") / name
