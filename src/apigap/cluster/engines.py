"""The engine that the settings of a run ask for: sandboxes of this machine, or those of a cluster's nodes."""

from apigap.cluster.connection import Connection
from apigap.cluster.dispatch import Cluster
from apigap.cluster.messages import Question
from apigap.cluster.roster import Roster
from apigap.records.configuration import ExecutionSettings, PackageSettings
from apigap.records.errors import UsageError
from apigap.sandbox.engine import Engine

_joined: list[Cluster] = []  # Ray has one cluster per process, and hiring its nodes takes seconds


def engine_of(
    settings: ExecutionSettings,
    unsafe_local: bool = False,
    cold: bool = False,
    packages: PackageSettings | None = None,
) -> Engine:
    """The engine of a run, to be used as a context manager; with `ray` its programs and trials run on the nodes.

    Nodes stay hired until this process ends, or until `leave`.

    Raises:
        UsageError: for a cluster without isolation, or an address without a cluster.
        IsolationMissing: when no sandbox can be made on this machine.
        InfrastructureError: when the cluster cannot be joined.
    """
    if settings.engine == "local":
        if settings.address is not None:
            raise UsageError("--address is that of a Ray cluster: give --engine ray as well")
        return Engine.of(settings, unsafe_local, cold, packages)
    if unsafe_local:
        raise UsageError("the nodes of a cluster always isolate what they run: leave out --unsafe-local")
    with Engine.of(settings, packages=packages) as here:
        question = Question(limits=here.limits, backend=settings.backend)
        cluster = _cluster(settings.address, question, here)
    return Engine.of(settings, False, cold, packages, cluster)


def leave() -> None:
    """Leave the cluster that this process is in, if it is in one."""
    while _joined:
        _joined.pop().connection.leave()


def _cluster(address: str | None, question: Question, here: Engine) -> Cluster:
    if _joined and _joined[0].connection.asked == address and _joined[0].connection.is_alive:
        return _joined[0]
    leave()
    cluster = Cluster(Roster(Connection(address), question, here.profile))
    _joined.append(cluster)
    return cluster
