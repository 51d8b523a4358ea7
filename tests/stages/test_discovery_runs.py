"""Stage 1 over several libraries, from an index on this machine and from text alone: nothing is run."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from apigap.discovery.library import LibraryConfig
from apigap.packages import transfer
from apigap.packages.environments import EnvironmentStore
from apigap.records.candidate import Candidate
from apigap.records.errors import ApigapWarning
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from apigap.stages.discovery_runs import DiscoveryRuns, LibraryOutcome
from tests.packages.index_server import IndexServer, index_server
from tests.packages.wheels import wheel

MODEL = "gguf/qwen2.5-coder-0.5b"  # cutoff 2024-09-01
DATES = {"1.0": "2024-01-01T00:00:00Z", "2.0": "2025-01-01T00:00:00Z"}
OLD, NEW = "def f(a): 'Do.'\n", "def f(a, b=1): 'Do.'\ndef g(): 'New.'\n"


@pytest.fixture
def index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[IndexServer]:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(transfer.time, "sleep", lambda seconds: None)
    with index_server() as server:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        yield server


def publish(index: IndexServer, name: str, texts: dict[str, str], python: str = ">=3.8") -> None:
    files = []
    for version, text in texts.items():
        more = {"upload-time": DATES[version], "requires-python": python}
        name_version = f"{name}-{version}"
        files.append(index.add_file(f"{name_version}-py3-none-any.whl", wheel({f"{name}/__init__.py": text}), **more))
        files.append(
            index.add_file(f"{name_version}.tar.gz", sdist(name_version, {f"{name}/__init__.py": text}), **more)
        )
    index.add_project(name, files)


def sdist(top: str, files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for path, text in files.items():
            member = tarfile.TarInfo(f"{top}/{path}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return buffer.getvalue()


NOTHING_RUNS = cast(Engine, SimpleNamespace(terms={"limits": {}}))


def outcomes(root: Path, *names: str, static: bool = True) -> list[LibraryOutcome]:
    runs = DiscoveryRuns(MODEL, root, NOTHING_RUNS, EnvironmentStore(), static)
    return list(runs.run([LibraryConfig(name=name, distribution=name) for name in names]))


def test_on_after_a_failure_and_not_again(index: IndexServer, tmp_path: Path) -> None:
    publish(index, "liba", {"1.0": OLD, "2.0": NEW})
    publish(index, "libz", {"1.0": OLD})
    found = outcomes(tmp_path / "data", "liba", "missing", "libz")
    assert [outcome.status for outcome in found] == ["read", "failed", "nothing new"]
    assert found[0].path is not None
    candidates = load_records(Path(found[0].path), Candidate)
    assert [(c.api_name, c.change) for c in candidates] == [("liba.f", "modified"), ("liba.g", "added")]
    assert "no library named 'missing'" in str(found[1])
    discovery = found[0].found
    assert discovery is not None
    assert (discovery.reading, discovery.objects_old, discovery.objects_new) == (
        "static",
        {"function": 1},
        {"function": 2},
    )
    assert discovery.changes == {"added": {"function": 1}, "modified": {"function": 1}}
    assert discovery.bytes_fetched > 0
    index.requests.clear()
    again = outcomes(tmp_path / "data", "liba")
    assert [(outcome.status, outcome.found) for outcome in again] == [("kept", discovery)]
    assert index.requests == []


def test_read_again_where_the_inputs_are_others(index: IndexServer, tmp_path: Path) -> None:
    publish(index, "liba", {"1.0": OLD, "2.0": NEW})
    outcomes(tmp_path / "data", "liba")
    manifest = next((tmp_path / "data").rglob("*.manifest.json"))
    manifest.write_text(manifest.read_text().replace('"readers": "', '"readers": "0'))
    assert [outcome.status for outcome in outcomes(tmp_path / "data", "liba")] == ["read"]
    manifest.write_text("{")
    assert [outcome.status for outcome in outcomes(tmp_path / "data", "liba")] == ["read"]


def test_a_library_for_a_newer_python_is_read_as_text(index: IndexServer, tmp_path: Path) -> None:
    publish(index, "libn", {"1.0": OLD, "2.0": NEW}, python=">=3.99")
    config = LibraryConfig(name="libn", distribution="libn", new="2.0")
    runs = DiscoveryRuns(MODEL, tmp_path / "data", NOTHING_RUNS, EnvironmentStore())
    with pytest.warns(ApigapWarning, match="no wheel for a Python of this machine"):
        (outcome,) = runs.run([config])
    assert outcome.found is not None
    assert (outcome.found.reading, outcome.found.counts["added"]) == ("static", 1)


def test_a_library_without_wheels_is_read_and_never_built(index: IndexServer, tmp_path: Path) -> None:
    setup = "raise SystemExit('setup.py was run')\n"
    texts = {"1.0": OLD, "2.0": NEW}
    files = [
        index.add_file(
            f"libs-{version}.tar.gz",
            sdist(f"libs-{version}", {"setup.py": setup, "src/libs/__init__.py": text, "tests/test_f.py": "x"}),
            **{"upload-time": DATES[version]},
        )
        for version, text in texts.items()
    ]
    index.add_project("libs", files)
    with pytest.warns(ApigapWarning, match=r"libs 1\.0 and 2\.0 has no wheel"):
        (outcome,) = outcomes(tmp_path / "data", "libs", static=False)
    assert outcome.found is not None
    assert outcome.found.changes == {"added": {"function": 1}, "modified": {"function": 1}}
    assert outcome.found.failures == ()
