"""The nodes that have a local model: hired when they join, refused with a reason, hired anew where their worker died.

Its methods are called by one thread at a time.
"""

import time
import warnings
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from apigap.cluster.connection import HELP, Connection, Member
from apigap.cluster.roster import LOOK_SECONDS, SILENCE, difference
from apigap.models.gguf.node import ModelNode
from apigap.models.gguf.node_messages import ModelReady, ModelWanted
from apigap.models.gguf.places import Nodes
from apigap.models.gguf.servers import Settings, backend_of
from apigap.models.registry import ModelSpec
from apigap.records.errors import ApigapWarning, ModelUnavailable

MOST_TRIES = 3
"""Nodes that try a request; and workers that are started on a node, of which each has died."""
_LONG_SECONDS = 60.0


@dataclass(eq=False)
class Hand:
    """A node's actor: it is loading the model, or has it, with so many servers free and these prefixes read."""

    member: Member
    actor: Any
    loading: Any
    since: float
    servers: int
    free: int = 0
    prefixes: deque[str] = field(default_factory=lambda: deque[str](maxlen=8))
    told: bool = False


class ModelRoster:
    """The nodes with one model, `servers` of it on each or as many as fit."""

    def __init__(self, spec: ModelSpec, settings: Settings, nodes: Nodes, servers: int | None) -> None:
        """Join the cluster.

        Raises:
            InfrastructureError: when it cannot be joined.
        """
        self.name = spec.name
        self.connection = Connection(nodes.address)
        self.hands: list[Hand] = []
        self._backend = backend_of(spec, settings)
        self._gpus = nodes.gpus
        self._servers = servers or (1 if nodes.gpus else None)
        self._wanted = ModelWanted(spec=spec, settings=settings, servers=self._servers).to_line().encode()
        self._deaths: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._looked = 0.0
        self._silent_since: float | None = None

    def look(self) -> None:
        """Have new nodes load the model, let go those that have gone, and admit those that have it."""
        now = time.monotonic()
        if now - self._looked >= LOOK_SECONDS:
            if self.connection.answers():
                self._looked, self._silent_since = now, None
                self._hire_new(self.connection.members())
            else:
                self._silent_since = now if self._silent_since is None else self._silent_since
        for hand in [hand for hand in self.hands if hand.loading is not None]:
            if self.connection.ray.wait([hand.loading], timeout=0)[0]:
                self._admit(hand)
            elif now - hand.since > _LONG_SECONDS and not hand.told:
                hand.told = True
                _tell(f"node {hand.member.name} has not loaded {self.name} yet; it fetches what its cache lacks")

    def lost(self, hand: Hand, reason: str) -> None:
        """Take note that a node's worker has died: another one is started there at the next look, some times."""
        if hand not in self.hands:
            return
        self.hands.remove(hand)
        key = hand.member.key
        self._deaths[key] = self._deaths.get(key, 0) + 1
        self._looked = 0.0
        _tell(f"the model's worker on node {hand.member.name} died ({reason}); what it had goes to others")
        if self._deaths[key] >= MOST_TRIES:
            self._refused[key] = f"its worker died {self._deaths[key]} times ({reason})"

    def demand(self) -> None:
        """See that there is a node that answers or may still do so.

        Raises:
            ModelUnavailable: when there is none, or the head is silent.
        """
        if self._silent_since is not None and time.monotonic() - self._silent_since > SILENCE:
            raise ModelUnavailable(
                f"the head of the Ray cluster at {self.connection.address} does not answer any more; start the cluster "
                "again and run the same command: it goes on from there"
            )
        if not self.hands and self._looked:
            reasons = "; ".join(list(self._refused.values())[:5]) or "there is none with a processor"
            raise ModelUnavailable(
                f"no node of the Ray cluster at {self.connection.address} can be asked for {self.name} ({reasons}); "
                f"repair one, or leave out --engine ray to ask it here; {HELP}"
            )

    def dismiss(self) -> None:
        """End all workers."""
        hands, self.hands = self.hands, []
        if self.connection.is_alive and self.connection.answers():
            for hand in hands:
                self.connection.ray.kill(hand.actor, no_restart=True)

    def _hire_new(self, members: dict[str, Member]) -> None:
        self.hands = [hand for hand in self.hands if hand.member.key in members]
        for key, member in members.items():
            if key not in self._refused:
                self._hire(member, sum(hand.member.key == key for hand in self.hands))

    def _hire(self, member: Member, held: int) -> None:
        """Start what a node lacks: one worker, or as many as its GPUs are enough for."""
        count = int(member.gpus / self._gpus) if self._gpus else 1
        if not count:
            self._refused[member.key] = f"it has {member.gpus:g} GPUs, a server is to have {self._gpus:g}"
        for _ in range(count - held):
            threads = 4 * member.processors + 4
            actor = self.connection.place(
                member, ModelNode, num_cpus=0, num_gpus=self._gpus, max_concurrency=threads
            )  # judging holds the processors
            expected = self._servers or member.processors
            self.hands.append(Hand(member, actor, actor.load.remote(self._wanted), time.monotonic(), expected))

    def _admit(self, hand: Hand) -> None:
        """Let a node answer, or refuse it with a reason."""
        try:
            ready = ModelReady.from_line(self.connection.ray.get(hand.loading))
        except self.connection.ray.exceptions.RayError as error:
            self.lost(hand, type(error).__name__)
            return
        reason = ready.problem or difference(ready.identity) or self._other_backend(ready.backend)
        if reason:
            self.hands.remove(hand)
            self._refused[hand.member.key] = reason
            _tell(f"node {hand.member.name} is not asked for {self.name}: {reason}")
            return
        hand.loading, hand.servers, hand.free = None, ready.servers, ready.servers

    def _other_backend(self, backend: dict[str, Any]) -> str | None:
        for key, own in self._backend.items():
            if backend.get(key) != own:
                return f"its llama.cpp has {key} {backend.get(key)!r}, here it is {own!r}: install the same everywhere"
        return None


def _tell(text: str) -> None:
    warnings.warn(text, ApigapWarning, stacklevel=3)
