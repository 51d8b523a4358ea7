"""Every node of a cluster asked whether it may judge, and why not."""

import time

from apigap.cluster.connection import Connection
from apigap.cluster.messages import Facts, Question
from apigap.cluster.roster import unfit
from apigap.records.base import Record
from apigap.records.configuration import ExecutionSettings
from apigap.records.errors import ApigapError, InfrastructureError
from apigap.sandbox.engine import Engine
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import Limits

_SECONDS = 120.0


class NodeCheck(Record):
    """A node: whether it may judge and why not, and what it says of itself (None where it did not answer)."""

    name: str
    works: bool
    reason: str
    facts: Facts | None


def examine_nodes(settings: ExecutionSettings) -> list[NodeCheck]:
    """Ask every node that is alive and has processors.

    Raises:
        InfrastructureError: when the cluster cannot be joined, or has no such node.
    """
    limits, profile = _own(settings)
    question = Question(limits=limits, backend=settings.backend).to_line().encode()
    connection = Connection(settings.address)
    try:
        asked = {
            (actor := connection.start(member)).examine.remote(question): (member, actor)
            for member in connection.members().values()
        }
        if not asked:
            raise InfrastructureError(f"the Ray cluster at {connection.address} has no node with a processor")
        return sorted(
            (_check(connection, reference, member.name, profile) for reference, (member, _) in asked.items()),
            key=lambda check: check.name,
        )
    finally:
        connection.leave()


def _own(settings: ExecutionSettings) -> tuple[Limits, Profile | None]:
    """The limits of a run and the isolation of this machine, with which nodes must agree; None where it has none."""
    try:
        with Engine.of(settings) as engine:
            return engine.limits, engine.profile
    except ApigapError:
        return Limits(), None


def _check(connection: Connection, reference: object, name: str, profile: Profile | None) -> NodeCheck:
    began = time.monotonic()
    try:
        facts = Facts.from_line(connection.ray.get(reference, timeout=_SECONDS))
    except connection.ray.exceptions.GetTimeoutError:
        waited = f"it did not answer in {time.monotonic() - began:.0f} s: it is busy, or cannot import apigap"
        return NodeCheck(name=name, works=False, reason=waited, facts=None)
    except connection.ray.exceptions.RayError as error:
        said = str(error).strip().splitlines() or [""]
        reason = f"its worker did not start ({type(error).__name__}: {said[-1][:300]})"
        return NodeCheck(name=name, works=False, reason=reason, facts=None)
    reason = unfit(facts, profile)
    return NodeCheck(name=name, works=reason is None, reason=reason or "", facts=facts)
