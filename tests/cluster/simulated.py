"""Nodes that only pretend to work, in a time of their own: what `Schedule` decides, without a cluster."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

from apigap.cluster.messages import Done
from apigap.cluster.roster import IN_FLIGHT
from apigap.cluster.schedule import Schedule, Told


@dataclass
class SimulatedNode:
    """A node: seconds per unit of cost, when it dies if ever, which pieces it cannot judge or dies of, what it says."""

    name: str
    seconds: float = 0.01
    dies: float | None = None
    infra: frozenset[int] = frozenset()
    deadly: frozenset[int] = frozenset()
    says: str = "pass"
    busy_until: float = 0.0
    done: list[int] = field(default_factory=list[int])


class Simulation:
    """Runs a schedule over simulated nodes until it has finished, and keeps what was told."""

    def __init__(
        self,
        costs: Sequence[float],
        nodes: Sequence[SimulatedNode],
        most: int | None = None,
        patience: float = 3.0,
    ) -> None:
        self.schedule = Schedule(costs, [100] * len(costs), most, patience)
        self.largest = 0
        self.nodes = {node.name: node for node in nodes}
        self.told: list[Told] = []
        self.seconds = 0.0
        self._costs = costs
        self._events: list[tuple[float, int, str]] = []
        self._flying: dict[int, str] = {}
        self._pieces: dict[int, tuple[int, ...]] = {}

    def run(self) -> "Simulation":
        while not self.schedule.finished:
            self._bury()
            if not self.nodes:
                return self
            self._send()
            self._next()
            self.told += self.schedule.stranded(self.nodes)
        self.told += self.schedule.held()
        return self

    def _bury(self) -> None:
        for node in [one for one in self.nodes.values() if one.dies is not None and self.seconds >= one.dies]:
            del self.nodes[node.name]
            for number in [number for number, name in self._flying.items() if name == node.name]:
                del self._flying[number]
                self.told += self.schedule.died(number, "it died")

    def _send(self) -> None:
        for _ in range(IN_FLIGHT):
            for node in self.nodes.values():
                if sum(name == node.name for name in self._flying.values()) < IN_FLIGHT:
                    taken = self.schedule.take(node.name, 1, len(self.nodes), self.seconds)
                    if taken is not None:
                        number, batch = taken
                        self.largest = max(self.largest, len(batch.pieces))
                        cost = sum(self._costs[piece] for piece in batch.pieces)
                        node.busy_until = max(self.seconds, node.busy_until) + node.seconds * cost
                        self._flying[number] = node.name
                        self._pieces[number] = batch.pieces
                        heapq.heappush(self._events, (node.busy_until, number, node.name))

    def _next(self) -> None:
        """The next answer; or some time, in which nothing comes."""
        if not self._events or self._events[0][0] > self.seconds + 1.0:
            self.seconds += 1.0
            return
        self.seconds, number, name = heapq.heappop(self._events)
        if number not in self._flying:
            return
        del self._flying[number]
        node, pieces = self.nodes[name], self._pieces.pop(number)
        if node.deadly.intersection(pieces):
            self.told += self.schedule.died(number, "it died of a piece")
            return
        node.done += pieces
        done: list[Done] = []
        for place, piece in enumerate(pieces):
            mark = "infra" if piece in node.infra else node.says
            done.append(Done(place, f"{piece} {mark}".encode(), mark))
        self.told += self.schedule.answered(number, done, self.nodes, self.seconds)
