"""A Ray cluster of this machine for the benchmarks: nodes that are processes, each on cores of its own."""

import functools
import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from apigap.cluster.connection import Connection, Member
from apigap.cluster.dispatch import Cluster
from apigap.cluster.messages import Question
from apigap.cluster.roster import Roster
from apigap.sandbox.engine import Engine

_STORE = 200 << 20


class FirstNodes(Connection):
    """The first `count` nodes of the cluster, as if it had no others; `kind` is the class of their actors, if given."""

    def __init__(self, address: str, keys: Sequence[str] = (), count: int = 1, kind: type | None = None) -> None:
        super().__init__(address)
        self._keys = keys
        self.count = count
        self._kind = kind

    def members(self) -> dict[str, Member]:
        """The nodes that are counted."""
        found = super().members()
        kept = [key for key in self._keys if key in found] or list(found)
        return {key: found[key] for key in kept[: self.count]}

    def start(self, member: Member) -> Any:
        """The handle of a new actor on that node."""
        if self._kind is None:
            return super().start(member)
        return self.ray.remote(self._kind).options(num_cpus=member.processors, max_concurrency=4).remote()


def _patiently(start: Callable[[], Any]) -> Any:
    """What `start` gives; Ray gives up on a node after thirty seconds, which a busy machine may take."""
    for _ in range(3):
        try:
            return start()
        except Exception as error:
            if "timed out during startup" not in str(error):
                raise
    return start()


@contextmanager
def ray_cluster(cores: Sequence[Collection[int]]) -> Iterator[tuple[str, list[str]]]:
    """A cluster with a node for each set of cores, the head first; gives its address and the ids of its nodes."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_worker_niceness", "0")  # else its workers stand back behind all else on this machine
    import ray
    from ray.cluster_utils import Cluster as RayCluster

    everything = os.sched_getaffinity(0)
    cluster: Any = None
    with tempfile.TemporaryDirectory(prefix="apigap-ray-", ignore_cleanup_errors=True) as folder:
        try:
            nodes: list[Any] = []
            for own in cores:
                os.sched_setaffinity(0, own)  # what is started now inherits it
                given = {"num_cpus": len(own), "object_store_memory": _STORE}
                if cluster is None:
                    head = {**given, "include_dashboard": False, "temp_dir": folder}
                    cluster = _patiently(functools.partial(RayCluster, initialize_head=True, head_node_args=head))
                    nodes.append(cluster.head_node)
                else:
                    nodes.append(_patiently(functools.partial(cluster.add_node, **given)))
            os.sched_setaffinity(0, everything)
            yield cluster.address, [node.node_id for node in nodes]
        finally:
            os.sched_setaffinity(0, everything)
            ray.shutdown()
            if cluster is not None:
                cluster.shutdown()


def cluster_of(connection: Connection, engine: Engine) -> Cluster:
    """The cluster as a place for the work of engines like this one."""
    return Cluster(Roster(connection, Question(limits=engine.limits, backend="bubblewrap"), engine.profile))


def dismiss(cluster: Cluster) -> None:
    """End the nodes' actors, so that others can have their processors."""
    for hand in cluster.roster.hands.values():
        cluster.connection.ray.kill(hand.actor)
    cluster.roster.hands.clear()
