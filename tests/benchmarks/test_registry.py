"""Benchmarks of packages that are broken: none of them keeps the others from being found."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from apigap.benchmarks import base
from apigap.experiments.plugin import tasks_of
from apigap.records.errors import ApigapWarning, InfrastructureError


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A benchmark whose module fails while it is imported, beside those that are installed."""
    (tmp_path / "broken_sums.py").write_text("raise ValueError('half an upgrade')\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    entry = EntryPoint("broken-sums", "broken_sums:Sums", base.GROUP)
    known = {**base.registered(), entry.name: entry}
    monkeypatch.setattr(base, "registered", lambda: known)
    return entry.name


def test_a_benchmark_that_cannot_be_imported_is_named(broken: str) -> None:
    with pytest.raises(InfrastructureError, match=r"broken-sums .*broken_sums:Sums.*half an upgrade"):
        base.find_benchmark(broken)


def test_a_benchmark_that_cannot_be_imported_ends_no_other_task(broken: str) -> None:
    with pytest.warns(ApigapWarning, match=r"no task apigap/broken-sums: .*half an upgrade"):
        found = tasks_of(base.benchmark_names())
    assert "broken_sums" not in found
    assert {"apibank", "novelapi", "novelapi_release", "toolllm"} <= found.keys()
