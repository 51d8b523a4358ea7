"""Whole audits on a real pair of releases, answered by Inspect's mock model."""

import subprocess
import sys
from pathlib import Path

APIGAP = [sys.executable, "-m", "apigap.cli.main"]
AUDIT = ["audit", "httpx", "--from", "0.25.2", "--to", "0.28.1", "--model", "mockllm/model"]
SETTINGS = [
    "--set",
    "selection.per_library=6",
    "--set",
    "tasks.per_api=1",
    "--set",
    "tasks.worth_asking=false",
    "--set",
    "gates.c2_samples=1",
    "--ladder",
    "3",
    "--set",
    "audit.conditions=[baseline,s,full]",
]


def audit_command(data: Path) -> list[str]:
    """The audit as a user would start it."""
    return [*APIGAP, *AUDIT, *SETTINGS, "--data", str(data)]


def stage_files(data: Path) -> dict[str, bytes]:
    """Every file of stages 1 to 4, and the predictions; verdicts hold seconds, which are never the same twice."""
    paths = [*(data / "raw").rglob("*.json*"), *data.rglob("predictions*.json*")]
    return {str(path.relative_to(data)): path.read_bytes() for path in paths if path.is_file()}


def run(command: list[str], timeout: float = 900) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
