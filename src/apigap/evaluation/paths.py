"""The files beside a run's answers or results."""

from pathlib import Path

_RESULTS = "results"


def manifest_path(out: Path) -> Path:
    """The manifest of a file: NAME.manifest.json beside NAME.jsonl."""
    return out.with_name(f"{out.stem}.manifest.json")


def summary_path(out: Path) -> Path:
    """The summary of a results file: summary.json beside results.jsonl, else NAME.summary.json."""
    return out.with_name("summary.json" if out.stem == _RESULTS else f"{out.stem}.summary.json")
