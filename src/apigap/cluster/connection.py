"""Ray itself: imported late, joined with its own token in force, and asked which nodes there are."""

import contextlib
import os
import socket
from typing import Any, NamedTuple

from apigap.records.errors import InfrastructureError
from apigap.records.extras import imported

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0"}
_joined: list[str | None] = []  # the address that was asked for; Ray itself tells it in another spelling
HELP = "docs/scale.md says how to start one"


class Member(NamedTuple):
    """A node that is alive: its id, a name for people, the processors and GPUs that Ray may use there."""

    key: str
    name: str
    processors: int
    gpus: float = 0.0


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
        if self.ray.is_initialized() and _joined not in ([], [address]):
            self.ray.shutdown()
        if not self.ray.is_initialized():
            _join(self.ray, address)
            _joined[:] = [address]
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
            resources = node.get("Resources", {})
            processors = int(resources.get("CPU", 0))
            if node["Alive"] and processors:
                key, gpus = str(node["NodeID"]), float(resources.get("GPU", 0.0))
                found[key] = Member(key, f"{node['NodeManagerHostname']} ({key[:6]})", processors, gpus)
        return found

    def start(self, member: Member) -> Any:
        """The handle of a new `Node` on that node, which holds all processors that Ray has there."""
        from apigap.cluster.node import Node

        return self.place(member, Node, member.name, member.processors, num_cpus=member.processors, max_concurrency=4)

    def place(self, member: Member, kind: type, *given: object, **options: Any) -> Any:
        """The handle of a new actor on that node, made with what is `given`; `options` are Ray's own."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        there = NodeAffinitySchedulingStrategy(member.key, soft=False)
        return self.ray.remote(kind).options(max_restarts=0, scheduling_strategy=there, **options).remote(*given)

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
