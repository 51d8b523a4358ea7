"""The place where local models run, one for the process: this machine, or the nodes of a cluster."""

from typing import NamedTuple

from apigap.records.configuration import ExecutionSettings


class Nodes(NamedTuple):
    """The nodes of the cluster at `address` (None: where Ray finds it); each server there has so many `gpus`."""

    address: str | None
    gpus: float


_in_force: list[Nodes] = []


def use(settings: ExecutionSettings) -> None:
    """Have the local models that are loaded from now on run where these settings have programs run."""
    _in_force[:] = [Nodes(settings.address, settings.gpus)] if settings.engine == "ray" else []


def nodes() -> Nodes | None:
    """The nodes on which local models run; None for this machine."""
    return _in_force[0] if _in_force else None
