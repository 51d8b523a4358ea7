"""Nodes, actors and sandboxes that are killed, cut off, slow, full or without isolation: the verdicts stay the same."""

import contextlib
import os
import signal
import subprocess
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from apigap.cluster.engines import leave
from apigap.records.errors import ApigapWarning
from tests.cluster.local_cluster import LocalCluster, local_cluster, processes_of, signal_all
from tests.cluster.work import KINDS, codes, judged, plain, settings_of, slow_codes
from tests.sandbox.tasks import SOLUTION

pytestmark = [
    pytest.mark.network,
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::apigap.records.errors.ApigapWarning"),
]

ACTOR, SANDBOX = "ray::Node", "bwrap"
ANSWERS = slow_codes(5 * len(KINDS))


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with local_cluster(1) as made:
        yield made


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return [plain(verdict) for verdict in judged(settings_of(None), ANSWERS)]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    yield
    leave()


@contextmanager
def second_node(cluster: LocalCluster, **variables: str) -> Iterator[Any]:
    node = cluster.add(**variables)
    try:
        yield node
    finally:
        leave()
        if node.any_processes_alive():
            cluster.remove(node)


@contextmanager
def told() -> Iterator[list[str]]:
    """What the user is told meanwhile."""
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ApigapWarning)
        yield notes
    notes += [str(one.message) for one in caught if issubclass(one.category, ApigapWarning)]


def test_verdicts_are_the_same_at_one_two_and_three_nodes(cluster: LocalCluster, expected: list[str]) -> None:
    found = [judged(settings_of(cluster.address), ANSWERS)]
    with second_node(cluster):
        found.append(judged(settings_of(cluster.address), ANSWERS))
        with second_node(cluster):
            found.append(judged(settings_of(cluster.address), ANSWERS))
    assert [[plain(verdict) for verdict in verdicts] for verdicts in found] == [expected] * 3


def test_a_sandbox_that_is_killed_is_made_anew(cluster: LocalCluster, expected: list[str]) -> None:
    with second_node(cluster) as node:
        kill = {number: lambda: signal_all(node, SANDBOX, signal.SIGKILL) for number in (6, 14)}
        found = judged(settings_of(cluster.address), ANSWERS, kill)
    assert [plain(verdict) for verdict in found] == expected


def test_an_actor_that_is_killed_is_started_again(cluster: LocalCluster, expected: list[str]) -> None:
    with second_node(cluster) as node, told() as notes:
        found = judged(settings_of(cluster.address), ANSWERS, {6: lambda: signal_all(node, ACTOR, signal.SIGKILL)})
        assert processes_of(node, ACTOR)
    assert [plain(verdict) for verdict in found] == expected
    assert any("another one is started" in note for note in notes)


def test_a_node_that_is_killed_leaves_its_work_to_others(cluster: LocalCluster, expected: list[str]) -> None:
    with second_node(cluster) as node, told() as notes:
        found = judged(settings_of(cluster.address), ANSWERS, {6: lambda: cluster.remove(node)})
    assert [plain(verdict) for verdict in found] == expected
    assert any("has gone" in note or "died" in note for note in notes)


def test_a_node_that_comes_during_the_run_is_given_work(cluster: LocalCluster, expected: list[str]) -> None:
    came: list[Any] = []
    answers = [f"{code}\n# {number}\n" for number in range(4) for code in ANSWERS]  # it takes long to come
    found = judged(settings_of(cluster.address), answers, {3: lambda: came.append(cluster.add())})
    try:
        assert [plain(verdict) for verdict in found] == 4 * expected
        assert processes_of(came[0], SANDBOX)
    finally:
        leave()
        cluster.remove(came[0])


def test_a_node_without_bubblewrap_never_judges(cluster: LocalCluster, expected: list[str], tmp_path: Path) -> None:
    for folder in os.environ["PATH"].split(os.pathsep):
        for program in Path(folder).glob("*") if Path(folder).is_dir() else ():
            link = tmp_path / program.name
            if program.name != "bwrap" and not link.exists():
                link.symlink_to(program.resolve())
    with second_node(cluster, PATH=str(tmp_path)) as node, told() as notes:
        found = judged(settings_of(cluster.address), ANSWERS)
        assert not processes_of(node, "zygote")
    assert [plain(verdict) for verdict in found] == expected
    assert any("cannot isolate programs" in note and "bubblewrap" in note for note in notes)


def test_a_node_whose_disk_is_full_never_judges(cluster: LocalCluster, tmp_path: Path) -> None:
    answers = [f"{code}\n# more" for code in ANSWERS] + [f"{code}\n# still more" for code in ANSWERS]
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", str(tmp_path)], check=True)
    try:
        with second_node(cluster, APIGAP_CACHE=str(tmp_path / "cache")) as node, told() as notes:
            judged(settings_of(cluster.address), codes(2))
            with contextlib.suppress(OSError), (tmp_path / "filler").open("wb") as filler:
                while True:
                    filler.write(bytes(1 << 20))
            found = judged(settings_of(cluster.address), answers)
            assert not processes_of(node, "zygote")
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)
    here = judged(settings_of(None), answers)
    assert [plain(verdict) for verdict in found] == [plain(verdict) for verdict in here]
    assert any("is not used for pydantic" in note and "space" in note for note in notes)


def test_what_a_slow_node_has_is_done_by_another_and_counts_once(cluster: LocalCluster, expected: list[str]) -> None:
    with second_node(cluster) as node:
        stopped: list[int] = []
        stop = {6: lambda: stopped.extend(signal_all(node, ACTOR, signal.SIGSTOP))}
        found = judged(settings_of(cluster.address), ANSWERS, stop)
        assert stopped
        for process in stopped:
            os.kill(process, signal.SIGCONT)
        again = judged(settings_of(cluster.address), ANSWERS)  # its late answers are of an order that is over
    assert [plain(verdict) for verdict in found] == [plain(verdict) for verdict in again] == expected


def test_a_node_that_is_silent_for_thirty_seconds(cluster: LocalCluster, expected: list[str]) -> None:
    """Its raylet and its worker stand still, as where the network is cut; then they go on."""
    with second_node(cluster) as node:
        stopped: list[int] = []

        def go_on() -> None:
            for process in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGCONT)

        later = threading.Timer(30, go_on)

        def cut() -> None:
            for words in (ACTOR, "raylet/raylet"):
                stopped.extend(signal_all(node, words, signal.SIGSTOP))
            later.start()

        found = judged(settings_of(cluster.address), ANSWERS, {6: cut})
        later.join()
        again = judged(settings_of(cluster.address), ANSWERS)
    assert [plain(verdict) for verdict in found] == [plain(verdict) for verdict in again] == expected


_PARENTS = """
import os, signal
for number in range(1, 60):
    try: os.kill(number, signal.SIGKILL)
    except OSError: pass
"""
_FORGED = """
import os
for number in range(3, 300):
    try: os.write(number, b"x" * 99)
    except OSError: pass
"""
POISON = {
    "kills its parents": _PARENTS,
    "fills memory": "kept = [bytearray(10 ** 8) for _ in range(10 ** 4)]\n",
    "kills itself": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
    "forges a report": _FORGED,
    "forks for ever": "import os\nwhile True:\n    try: os.fork()\n    except OSError: break\n",
}


def test_poisoned_answers_fail_and_their_neighbours_do_not(cluster: LocalCluster) -> None:
    answers = [code for poison in POISON.values() for code in (poison + SOLUTION, f"{SOLUTION}\n# after\n")]
    with second_node(cluster):
        there = judged(settings_of(cluster.address), answers)
    here = judged(settings_of(None), answers)
    assert [verdict.outcome for verdict in there] == [verdict.outcome for verdict in here]
    assert {verdict.outcome for verdict in there[1::2]} == {"pass"}
    assert "infra" not in {verdict.outcome for verdict in there}
