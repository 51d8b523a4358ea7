"""A node behind a network of its own (a namespace and a pair of virtual cards), which is cut for half a minute."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apigap.cluster.connection import Connection
from apigap.cluster.engines import leave
from tests.cluster.local_cluster import local_cluster
from tests.cluster.work import KINDS, judged, plain, settings_of, slow_codes

pytestmark = [
    pytest.mark.network,
    pytest.mark.sandbox,
    pytest.mark.slow,
    pytest.mark.filterwarnings("default::apigap.records.errors.ApigapWarning"),
    pytest.mark.skipif(os.getuid() != 0 or shutil.which("ip") is None, reason="needs root and iproute2"),
]

NAME, HERE, THERE = "apigap-cut", "10.231.77.1", "10.231.77.2"
CARD, OTHER_CARD = "apigap-cut0", "apigap-cut1"
SECONDS = 30


def ip(*words: str, inside: bool = False) -> None:
    subprocess.run(["ip", *(("-n", NAME) if inside else ()), *words], check=True, capture_output=True)


@contextmanager
def network() -> Iterator[None]:
    """A namespace that reaches this machine by one card, and nothing else."""
    with contextlib.suppress(subprocess.CalledProcessError):
        ip("netns", "del", NAME)
    ip("netns", "add", NAME)
    try:
        ip("link", "add", CARD, "type", "veth", "peer", "name", OTHER_CARD)
        ip("link", "set", OTHER_CARD, "netns", NAME)
        ip("addr", "add", f"{HERE}/24", "dev", CARD)
        ip("link", "set", CARD, "up")
        ip("addr", "add", f"{THERE}/24", "dev", OTHER_CARD, inside=True)
        for card in (OTHER_CARD, "lo"):
            ip("link", "set", card, "up", inside=True)
        yield
    finally:
        for process in processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        ip("netns", "del", NAME)


def processes() -> list[int]:
    """The processes in the namespace."""
    within = subprocess.run(["ip", "netns", "pids", NAME], capture_output=True, text=True, check=False).stdout
    return [int(process) for process in within.split()]


def judges() -> bool:
    """Tell whether the node's worker is at work."""
    for process in processes():
        with contextlib.suppress(OSError):
            if b"ray::Node" in Path(f"/proc/{process}/cmdline").read_bytes():
                return True
    return False


def start_node(address: str) -> None:
    """A node in the namespace, once it is in the cluster's table."""
    ray = Path(sys.executable).with_name("ray")
    words = ["start", f"--address={address}", f"--node-ip-address={THERE}", "--num-cpus=1"]
    # Not `ip netns exec`, which hides the control groups, so that the node's isolation would be another one.
    inside = ["nsenter", f"--net=/run/netns/{NAME}"]
    started = [*inside, str(ray), *words, f"--object-store-memory={80 << 20}"]
    subprocess.run(started, check=True, capture_output=True, timeout=120)
    connection = Connection(address)
    until = time.monotonic() + 60
    while len(connection.members()) < 2:
        assert time.monotonic() < until
        time.sleep(0.5)


def test_a_node_that_is_cut_off_for_thirty_seconds() -> None:
    answers = slow_codes(16 * len(KINDS))
    expected = [plain(verdict) for verdict in judged(settings_of(None), answers)]
    with network(), local_cluster(1, node_ip_address=HERE) as cluster:
        start_node(cluster.address)
        worked: list[bool] = []
        restored = threading.Timer(SECONDS, lambda: ip("link", "set", CARD, "up"))

        def cut() -> None:
            worked.append(judges())
            ip("link", "set", CARD, "down")
            restored.start()

        found = judged(settings_of(cluster.address), answers, {24: cut})
        restored.join()
        again = judged(settings_of(cluster.address), answers[: 2 * len(KINDS)])
        leave()
    assert worked == [True]
    assert [plain(verdict) for verdict in found] == expected
    assert [plain(verdict) for verdict in again] == expected[: 2 * len(KINDS)]
