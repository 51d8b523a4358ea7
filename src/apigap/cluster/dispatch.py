"""An order carried out by a cluster: batches go to nodes, answers come back, and every piece is told once."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from apigap.cluster.connection import HELP, Connection
from apigap.cluster.messages import Terms, pack_batch, unpack_reply
from apigap.cluster.roster import IN_FLIGHT, Hand, Roster
from apigap.cluster.schedule import Schedule, Told
from apigap.records.errors import InfrastructureError
from apigap.sandbox.elsewhere import Order, Piece

_WAIT = 0.5
_STRIKES = 3
_OVER = -1
"""The order of a batch whose answer, if it still comes, is not awaited any more."""
_COMMAND_PATIENCE = 300.0
"""Seconds after which a free node gets a copy of a whole command that another one has, at the earliest."""
_WORTH_PREPARING = 20.0
"""Seconds of work that must be left for a node to make an environment that others have already."""


class Cluster:
    """The nodes of a cluster as a place where an engine's work is done; see `Elsewhere`."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._orders = 0
        self._one = threading.Lock()

    @property
    def connection(self) -> Connection:
        """The cluster that this process is in."""
        return self.roster.connection

    def do(
        self,
        order: Order,
        pieces: Sequence[Piece],
        done: Callable[[int, bytes], None],
        lost: Callable[[int, str], None],
    ) -> None:
        """Have every piece done; see `Elsewhere.do`."""
        if not pieces:
            return
        with self._one:
            self._orders += 1
            _Course(self.roster, self._orders, Terms.of(order), pieces, done, lost).run()


class _Course:
    """One order on its way."""

    def __init__(
        self,
        roster: Roster,
        number: int,
        terms: Terms,
        pieces: Sequence[Piece],
        done: Callable[[int, bytes], None],
        lost: Callable[[int, str], None],
    ) -> None:
        self._roster = roster
        self._ray = roster.connection.ray
        self._number = number
        self._terms = terms
        self._line = terms.to_line().encode()
        self._pieces = pieces
        self._done = done
        self._lost = lost
        self._whole = terms.kind == "commands"
        self._in_flight = 1 if self._whole else IN_FLIGHT
        sizes = [len(piece.own) + len(piece.shared) // 4 for piece in pieces]
        costs = [piece.cost for piece in pieces]
        self._schedule = Schedule(costs, sizes, 1, _COMMAND_PATIENCE) if self._whole else Schedule(costs, sizes)

    def run(self) -> None:
        """Do it all."""
        while not self._schedule.finished:
            for hand in self._roster.look():
                self._abandon(hand, "its node has gone")
            self._demand_nodes()
            self._prepare()
            self._send()
            self._collect()
            able = self._roster.able_for(self._terms)
            if able:
                self._tell(self._schedule.stranded(able))
        self._tell(self._schedule.held())

    def _demand_nodes(self) -> None:
        if not self._roster.waiting() and not self._roster.able_for(self._terms):
            reasons = self._roster.reasons(self._terms)
            raise InfrastructureError(
                f"no node of the Ray cluster at {self._roster.connection.address} can judge ({reasons}); repair one "
                f"and run the same command: it goes on from there; {HELP}"
            )

    def _prepare(self) -> None:
        """Have nodes make what they lack: all where none has it, others only where enough is left to do."""
        able = self._roster.able_for(self._terms)
        ready = [key for key, hand in able.items() if self._terms.locks in hand.ready]
        left = self._schedule.left_seconds(ready)
        for hand in able.values():
            asked = any(terms.locks == self._terms.locks for terms in hand.preparing.values())
            if self._terms.locks in hand.ready or asked:
                continue
            if not ready or left is None or left > _WORTH_PREPARING:
                hand.preparing[hand.actor.prepare.remote(self._line)] = self._terms

    def _send(self) -> None:
        ready = {
            key: hand for key, hand in self._roster.able_for(self._terms).items() if self._terms.locks in hand.ready
        }
        for _ in range(self._in_flight):  # first one for each
            for key, hand in ready.items():
                if len(hand.batches) >= self._in_flight:
                    continue
                taken = self._schedule.take(key, hand.member.processors, len(ready), time.monotonic())
                if taken is not None:
                    number, batch = taken
                    message = pack_batch(self._terms, [self._pieces[piece] for piece in batch.pieces])
                    hand.batches[hand.actor.work.remote(message)] = (self._number, number)

    def _collect(self) -> None:
        waited: dict[Any, Hand] = {}
        for hand in self._roster.hands.values():
            references = [*([hand.examining] if not hand.able else []), *hand.preparing, *hand.batches]
            waited |= dict.fromkeys(references, hand)
        if not waited:
            time.sleep(_WAIT)
            return
        some, rest = self._ray.wait(list(waited), num_returns=1, timeout=_WAIT)
        if some and rest:
            some += self._ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        for reference in some:
            self._take(waited[reference], reference)

    def _take(self, hand: Hand, reference: Any) -> None:
        if self._roster.hands.get(hand.member.key) is not hand:
            return  # its node was given up while this was on its way; what it had is with others
        try:
            answer: bytes = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            reason = f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
            self._abandon(hand, reason)
            self._roster.failed(hand, type(error).__name__)
            return
        if reference is hand.examining:
            self._roster.examined(hand, answer)
        elif reference in hand.preparing:
            self._roster.prepared(hand, reference, answer)
        else:
            self._answered(hand, reference, answer)

    def _answered(self, hand: Hand, reference: Any, answer: bytes) -> None:
        order, number = hand.batches.pop(reference)
        if order != self._number:
            return  # the slow answer to an order that is over: another node's was taken
        results, problem = unpack_reply(answer)
        self._roster.answered(hand)
        able = self._roster.able_for(self._terms)
        self._tell(self._schedule.answered(number, results, able, time.monotonic()))
        prevented = 0 if self._whole else sum(one.mark == "infra" for one in results)
        if not problem and (not prevented or prevented < len(results)):
            hand.strikes = 0
            return
        hand.strikes += 1
        if hand.strikes >= _STRIKES and (problem or len(able) > 1):
            self._abandon(hand, problem or "its sandboxes fail")
            self._roster.excuse(hand, self._terms, problem or "its sandboxes fail, whatever runs in them")

    def _abandon(self, hand: Hand, reason: str) -> None:
        """Hand out again what a node had."""
        for reference, (order, number) in hand.batches.items():
            if order == self._number:
                self._tell(self._schedule.died(number, reason))
                hand.batches[reference] = (_OVER, number)

    def _tell(self, told: Sequence[Told]) -> None:
        for piece, line, reason in told:
            if line is None:
                self._lost(piece, reason)
            else:
                self._done(piece, line)
