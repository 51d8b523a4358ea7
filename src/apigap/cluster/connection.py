"""Ray itself: imported late, joined with its own token in force, and asked which nodes there are."""

import contextlib
import os
import socket
from typing import Any, NamedTuple

from apigap.records.errors import InfrastructureError
from apigap.records.extras import imported

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}
HELP = "docs/scale.md says how to start one"


class Member(NamedTuple):
    """A node of the cluster that is alive: its id, a name for people, and the processors that Ray may use there."""

    key: str
    name: str
    processors: int


class Connection:
    """This process in a cluster; one at a time, as Ray has it."""

    def __init__(self, address: str | None) -> None:
        """Join the cluster at `address`; without one that of this machine, which is started where there is none.

        Raises:
            InfrastructureError: when Ray is not installed or the cluster cannot be joined.
        """
        for name, value in _QUIET.items():
            os.environ.setdefault(name, value)
        self.ray: Any = imported("ray", "ray", "--engine ray")
        self.asked = address
        if not self.ray.is_initialized():
            _join(self.ray, address)
        self.address: str = self.ray.get_runtime_context().gcs_address

    @property
    def is_alive(self) -> bool:
        """False once this process has left the cluster."""
        return bool(self.ray.is_initialized())

    def answers(self) -> bool:
        """Tell whether the head can be reached."""
        host, _, port = self.address.rpartition(":")
        with contextlib.suppress(OSError):
            socket.create_connection((host.strip("[]"), int(port)), timeout=2.0).close()
            return True
        return False

    def members(self) -> dict[str, Member]:
        """The nodes that are alive and may be given work, by their ids."""
        found: dict[str, Member] = {}
        for node in self.ray.nodes():
            processors = int(node.get("Resources", {}).get("CPU", 0))
            if node["Alive"] and processors:
                key = str(node["NodeID"])
                found[key] = Member(key, f"{node['NodeManagerHostname']} ({key[:6]})", processors)
        return found

    def start(self, member: Member) -> Any:
        """The handle of a new `Node` on that node, which holds all processors that Ray has there."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        from apigap.cluster.node import Node

        options = {
            "num_cpus": member.processors,
            "max_concurrency": 4,
            "max_restarts": 0,
            "scheduling_strategy": NodeAffinitySchedulingStrategy(member.key, soft=False),
        }
        return self.ray.remote(Node).options(**options).remote(member.name, member.processors)

    def leave(self) -> None:
        """Leave the cluster; what was started for this process ends with it."""
        self.ray.shutdown()


def _join(ray: Any, address: str | None) -> None:
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        try:
            ray.init(address=address or "auto", **quiet)
        except ConnectionError:
            if address or os.environ.get("RAY_ADDRESS"):
                raise
            ray.init(include_dashboard=False, **quiet)  # a cluster of this machine alone
    except Exception as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        where = address or os.environ.get("RAY_ADDRESS") or "this machine"
        raise InfrastructureError(f"the Ray cluster at {where} cannot be joined ({said}); {HELP}") from error
