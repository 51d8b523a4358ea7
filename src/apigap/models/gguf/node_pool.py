"""A local model on the nodes of a cluster: a request goes to one with a free server, and to another where that dies."""

import json
import threading
from typing import Any

from apigap.models.gguf.node_messages import ModelAnswered
from apigap.models.gguf.node_roster import MOST_TRIES, Hand, ModelRoster
from apigap.models.gguf.places import Nodes
from apigap.models.gguf.servers import Settings
from apigap.models.registry import ModelSpec
from apigap.records.base import Json
from apigap.records.errors import ModelUnavailable

_WAIT = 0.5
_PATIENCE = 120.0
"""Seconds after which a free node is asked as well; the first answer counts, and both are the same."""


class NodePool:
    """The servers of one model on the nodes; safe to use from many threads. See `ServerPool`, whose place it takes.

    An answer is the one of this machine: a node whose llama.cpp is another one is refused.
    """

    def __init__(self, spec: ModelSpec, settings: Settings, nodes: Nodes, servers: int | None = None) -> None:
        """Have every node load the model, `servers` of it or as many as fit, and wait for the first that has it.

        Raises:
            ModelUnavailable: when no node can have it.
            InfrastructureError: when the cluster cannot be joined.
        """
        self._roster = ModelRoster(spec, settings, nodes, servers)
        self._ray = self._roster.connection.ray
        self._late: dict[Any, Hand] = {}
        self._changed = threading.Condition()
        self._give(self._take(""))

    @property
    def processes(self) -> int:
        """The servers of all nodes, those with them that are expected of nodes that are loading the model."""
        return max(1, sum(hand.servers for hand in self._roster.hands))

    def ask(self, request: dict[str, Json]) -> Json:
        """The answer to an OpenAI-style chat request; waits for a free server, and goes to another node where one dies.

        Raises:
            ModelUnavailable: when no node is left, or several could not answer this request.
        """
        prefix = request["messages"][0]["content"][: request.get("shared", 0)]
        sent, problems = json.dumps(request).encode(), list[str]()
        flying: dict[Any, Hand] = {}
        try:
            while len(problems) < MOST_TRIES:
                hand = None if flying else self._take(prefix)
                answered = self._answered(flying, hand or self._free(prefix, beside=flying), sent, problems)
                if answered is not None:
                    return answered.answer
        finally:
            with self._changed:
                self._late |= flying  # what a slow node still does; its server is free afterwards
        raise ModelUnavailable(f"{self._roster.name} gave no answer on several nodes of the cluster: {problems[-1]}")

    def close(self) -> None:
        """End all servers. A request that is under way fails."""
        with self._changed:
            self._roster.dismiss()

    def _answered(
        self, flying: dict[Any, Hand], hand: Hand | None, sent: bytes, problems: list[str]
    ) -> ModelAnswered | None:
        """Ask one node more, if there is one, and wait a while for the first answer; None where none has come."""
        if hand is not None:
            flying[hand.actor.ask.remote(sent)] = hand
        done, _ = self._ray.wait(list(flying), timeout=_PATIENCE)
        for reference in done:
            hand = flying.pop(reference)
            try:
                answered = ModelAnswered.from_line(self._ray.get(reference))
            except self._ray.exceptions.RayError as error:
                problems.append(type(error).__name__)
                with self._changed:
                    self._roster.lost(hand, problems[-1])
                continue
            self._give(hand)
            if answered.problem is None:
                return answered
            problems.append(answered.problem)
        return None

    def _take(self, prefix: str) -> Hand:
        """A node with a free server; waits for one."""
        while True:
            hand = self._free(prefix, {})
            if hand is not None:
                return hand
            with self._changed:
                self._roster.demand()
                self._changed.wait(_WAIT)

    def _free(self, prefix: str, beside: dict[Any, Hand]) -> Hand | None:
        """A node with a free server, if there is one, other than those `beside`.

        Of several one that has read `prefix`, else the one with most that are free.
        """
        with self._changed:
            self._roster.look()
            self._take_back()
            free = [hand for hand in self._roster.hands if hand.free and hand not in beside.values()]
            if not free:
                return None
            hand = max(free, key=lambda hand: (bool(prefix) and prefix in hand.prefixes, hand.free))
            hand.free -= 1
            if prefix and prefix not in hand.prefixes:
                hand.prefixes.append(prefix)
            return hand

    def _take_back(self) -> None:
        """The servers of late answers that have come by now."""
        if self._late:
            done, _ = self._ray.wait(list(self._late), num_returns=len(self._late), timeout=0)
            for reference in done:
                self._late.pop(reference).free += 1

    def _give(self, hand: Hand) -> None:
        with self._changed:
            hand.free += 1
            self._changed.notify()
