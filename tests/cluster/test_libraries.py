"""Libraries made on the nodes of a cluster by whole commands: the files are those of this machine, whatever dies."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.cluster.libraries import MODEL, apigap, files, publish
from tests.cluster.local_cluster import LocalCluster, local_cluster, processes_of, signal_all
from tests.packages.index_server import index_server

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
COMMAND = "apigap.cluster.bound"
BOTH = ["--library", "liba", "--library", "libb", "--model", MODEL]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for the machine that asks; its index has two libraries, its cache is not that of any node."""
    root = tmp_path_factory.mktemp("libraries")
    with pytest.MonkeyPatch.context() as patch, index_server() as server:
        patch.setenv("UV_DEFAULT_INDEX", f"{server.url}/simple")
        patch.setenv("APIGAP_CACHE", str(root / "cache"))
        for name in ("liba", "libb"):
            publish(server, name)
        yield root


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[LocalCluster]:
    with local_cluster(1, env_vars={**os.environ, "APIGAP_CACHE": str(folder / "first")}) as made:
        made.add(APIGAP_CACHE=str(folder / "second"))
        yield made


def on(cluster: LocalCluster) -> list[str]:
    return ["--engine", "ray", "--address", cluster.address]


def both(folder: Path, cluster: LocalCluster, words: Sequence[str]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files that a command leaves here, and by the cluster."""
    found: list[dict[str, bytes]] = []
    for name, more in (("here", []), ("there", on(cluster))):
        where = folder / f"{words[0]}-{name}"
        where.mkdir(exist_ok=True)
        done = apigap(where, [*words, *more], APIGAP_CACHE=str(folder / f"cache-{name}"))
        assert done.returncode == 0, done.stderr
        found.append(files(where))
    return found[0], found[1]


@pytest.mark.slow
def test_a_library_is_made_by_one_node_in_the_same_bytes(folder: Path, cluster: LocalCluster) -> None:
    here, there = both(folder, cluster, ["generate", *BOTH])
    assert there == here
    for library in ("liba", "libb"):
        assert here[f"data/raw/{library}/stage3_tasks.qwen2.5-coder-0.5b.jsonl"].count(b"\n") == 2
    nodes = [path.name for node in ("first", "second") for path in (folder / node / "environments").glob("lib?-2*")]
    assert {name[:4] for name in nodes} == {"liba", "libb"}
    assert not (folder / "cache-there" / "environments").exists()  # nothing of theirs was installed where it was asked


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["discover", *BOTH],
        ["items", *BOTH, "--most", "3", "--seed", "5"],
        ["pipeline", *BOTH, "--mock-llm", "--set", "gates.c2_samples=2"],
    ],
)
def test_other_commands_leave_the_same_files(folder: Path, cluster: LocalCluster, words: list[str]) -> None:
    here, there = both(folder, cluster, words)
    assert there == here
    assert {name.split("/")[-2] for name in here} >= {"liba", "libb"} or words[0] == "items"
    before = files(folder / f"{words[0]}-there")
    assert apigap(folder / f"{words[0]}-there", [*words, *on(cluster)]).returncode == 0  # goes on from what is there
    assert files(folder / f"{words[0]}-there") == before


@pytest.mark.slow
def test_one_that_fails_is_named_and_the_other_is_made(folder: Path, cluster: LocalCluster) -> None:
    own = folder / "own" / "configs" / "libraries"
    own.mkdir(parents=True)
    (own / "libb.yaml").write_text("prepare: import nothing_of_that_name\n")  # which the node has to be told
    words = ["pipeline", *BOTH, "--stages", "1", "2", "--json", *on(cluster)]
    done = apigap(folder / "own", words)
    rows = {row["library"]: row for row in json.loads(done.stdout)}
    assert done.returncode == 3
    assert (rows["liba"]["status"], rows["liba"]["bundles"], rows["libb"]["status"]) == ("done", 2, "failed")
    assert "nothing_of_that_name" in rows["libb"]["error"] and "first: libb" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("what", ["command", "node"])
def test_what_dies_in_the_middle_is_done_by_another(folder: Path, cluster: LocalCluster, what: str) -> None:
    expected = apigap(folder, ["generate", *BOTH, "--data", f"expected-{what}"])
    assert expected.returncode == 0, expected.stderr
    node = cluster.add(APIGAP_CACHE=str(folder / f"third-{what}"))
    words = ["generate", *BOTH, "--library", "liba", "--data", f"found-{what}", *on(cluster)]
    command = [sys.executable, "-m", "apigap.cli.main", *words]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as run:
        while not (begun := processes_of(node, COMMAND)):
            assert run.poll() is None, run.communicate()
            time.sleep(0.05)
        if what == "node":
            cluster.remove(node)
        else:
            signal_all(node, COMMAND, signal.SIGKILL)
        _, said = run.communicate(timeout=240)
    assert run.returncode == 0, said
    assert files(folder / f"found-{what}") == files(folder / f"expected-{what}")
    deadline = time.monotonic() + 30
    while any(Path(f"/proc/{process}/cmdline").exists() for process in begun):
        assert time.monotonic() < deadline, "a command outlived its node"
        time.sleep(0.2)
    if what == "command":
        cluster.remove(node)
