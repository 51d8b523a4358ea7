"""A Ray cluster of several node processes on this machine, started for a test and ended with it."""

import contextlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed: make install-dev")

_STORE = 80 << 20
_TRIES = 4


class LocalCluster:
    """The head and nodes of a cluster; each node is a raylet of its own, with variables of its own."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.address: str = cluster.address

    @property
    def head(self) -> Any:
        """The head's processes."""
        return self._cluster.head_node

    def add(self, **variables: str) -> Any:
        """Start one more node of one processor, with more environment variables."""
        given = {"num_cpus": 1, "object_store_memory": _STORE, "env_vars": {**_variables(), **variables}}
        return _patiently(lambda: self._cluster.add_node(**given))

    def remove(self, node: Any) -> None:
        """Kill a node, all its processes at once."""
        self._cluster.remove_node(node, allow_graceful=False)


def _patiently(start: Callable[[], Any]) -> Any:
    """What `start` gives; Ray gives up on a node after thirty seconds, which a busy machine may take."""
    for _ in range(_TRIES - 1):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return start()


def processes_of(node: Any, words: str) -> list[int]:
    """The processes below a node whose command line holds these words, by number."""
    below, found = {process.process.pid for several in node.all_processes.values() for process in several}, list[int]()
    for _ in range(12):  # generations
        below |= {number for number, parent in _parents().items() if parent in below}
    for number in sorted(below):
        with contextlib.suppress(OSError):
            if words in Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode():
                found.append(number)
    return found


def _parents() -> dict[int, int]:
    found: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def signal_all(node: Any, words: str, number: int) -> list[int]:
    """Send a signal to the processes below a node whose command line holds these words; there must be one."""
    found = processes_of(node, words)
    assert found, f"no process of the node is {words}"
    for process in found:
        with contextlib.suppress(ProcessLookupError):  # it went with another of them
            os.kill(process, number)
    return found


def _variables() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}


@contextmanager
def local_cluster(nodes: int, **head: Any) -> Iterator[LocalCluster]:
    """A cluster of so many nodes of one processor each; `head` are more of Ray's parameters for the first of them."""
    from ray._common.utils import get_ray_address_file
    from ray.cluster_utils import Cluster

    from apigap.cluster.engines import leave

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Ray writes the address there, wherever its other files go; a machine on which it never ran has no such folder.
    Path(get_ray_address_file(None)).parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="apigap-ray-", ignore_cleanup_errors=True) as folder:  # sockets want a short path
        usual = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": _STORE, "temp_dir": folder}
        cluster = _patiently(lambda: Cluster(initialize_head=True, head_node_args={**usual, **head}))
        try:
            made = LocalCluster(cluster)
            for _ in range(nodes - 1):
                made.add()
            yield made
        finally:
            leave()
            ray.shutdown()  # where only a model was asked there
            cluster.shutdown()
