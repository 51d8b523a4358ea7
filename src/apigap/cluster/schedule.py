"""Which node gets which pieces, and what becomes of them when nodes are slow, wrong or gone; without Ray or a clock.

Pieces with the highest cost go first, those of one task together. Batches are sized by what a node's earlier ones took:
small at first, then some seconds each, smaller again near the end. Where nothing is left to hand out, a free node gets
a copy of what another one has had for long; the first answer counts, and where both come they must agree. What a node
lost is handed out again; a piece whose batches died twice is then alone in its own, so that it takes no other with it.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from apigap.cluster.messages import Done

SECONDS = 3.0
"""The time that a batch should take."""
MOST_BYTES = 4 << 20
"""Bytes of a batch before compression: with the batches that a node may have, the bound on memory in flight."""
MOST_DEATHS = 3
"""A piece that was alone in its batch when that died, so often, has no verdict: whoever does it dies of it."""
_ALONE_AFTER = 2
"""Deaths of its batches after which a piece is alone in the next."""
MOST_TRIES = 3
"""A piece that so many nodes could not judge has no verdict."""
_PATIENCE = 2.0
_FIRST_PIECES = 2


@dataclass
class Batch:
    """Pieces that a node has been handed at a time of the clock; `copied` once another node has a copy."""

    node: str
    pieces: tuple[int, ...]
    sent: float
    expected: float
    cost: float
    copied: bool = False


@dataclass
class _Speed:
    """A node's speed: seconds per unit of cost, and when it answered last."""

    seconds: float | None = None
    answered: float = 0.0


class Told(NamedTuple):
    """What is known now of a piece: its line, or why it has none."""

    piece: int
    line: bytes | None
    reason: str = ""


@dataclass
class _Piece:
    """What has happened to a piece that is not simply waiting: answers by node, deaths (some `alone`), copies."""

    barred: dict[str, Done] = field(default_factory=dict[str, Done])
    deaths: int = 0
    alone: int = 0
    copied: bool = False
    answer: tuple[str, Done] | None = None
    disagreed: str = ""


class Schedule:
    """The pieces of one order on their way; every piece ends in exactly one `Told`."""

    def __init__(
        self, costs: Sequence[float], sizes: Sequence[int], most: int | None = None, patience: float = 3.0
    ) -> None:
        """Begin with pieces of so much cost and so many bytes each.

        A batch has at most `most` of them; one that took less than `patience` seconds is not copied.
        """
        self._costs = costs
        self._sizes = sizes
        self._most = most
        self._least_patience = patience
        self._waiting = deque(sorted(range(len(costs)), key=lambda piece: -costs[piece]))
        self._again: dict[int, None] = {}  # in the order in which they came back
        self._left_cost = float(sum(costs))
        self._speeds: dict[str, _Speed] = {}
        self._flying: dict[int, Batch] = {}
        self._numbers = 0
        self._open = len(costs)
        self._settled = bytearray(len(costs))
        self._notes: dict[int, _Piece] = {}

    @property
    def finished(self) -> bool:
        """True once there is an answer to every piece."""
        return not self._open

    def left_seconds(self, nodes: Collection[str]) -> float | None:
        """The time that what is left should take these nodes; None where nothing is known of them yet."""
        rates = [1 / speed.seconds for node in nodes if (speed := self._speeds.get(node)) and speed.seconds]
        return self._left_cost / sum(rates) if rates else None

    def take(self, node: str, workers: int, nodes: int, now: float) -> tuple[int, Batch] | None:
        """The next batch for a node, one of `nodes`; None where there is nothing for it now."""
        pieces = self._taken_again(node, workers) or self._taken(node, workers, nodes) or self._copied(node, now)
        if not pieces:
            return None
        cost = sum(self._costs[piece] for piece in pieces)
        queued = cost + sum(batch.cost for batch in self._flying.values() if batch.node == node)
        speed = self._speeds.setdefault(node, _Speed())
        self._numbers += 1
        batch = Batch(node, tuple(pieces), now, (speed.seconds or 0.0) * queued, cost)
        self._flying[self._numbers] = batch
        return self._numbers, batch

    def answered(self, number: int, done: Sequence[Done], nodes: Collection[str], now: float) -> list[Told]:
        """Take a node's answer to a batch; what it lacks is handed out again. Gives what can be told now."""
        batch = self._flying.pop(number)
        self._measure(batch, len(done), now)
        told: list[Told] = []
        for one in done:
            told += self._settle(batch.pieces[one.number], batch.node, one, nodes)
        answered = {batch.pieces[one.number] for one in done}
        self._return(piece for piece in batch.pieces if piece not in answered)
        return told

    def died(self, number: int, reason: str) -> list[Told]:
        """Take note that a batch was lost with whoever did it; gives what will have no answer."""
        told: list[Told] = []
        pieces = self._flying.pop(number).pieces
        for piece in pieces:
            if self._settled[piece]:
                continue
            note = self._note(piece)
            note.deaths += 1
            note.alone += len(pieces) == 1
            if note.alone >= MOST_DEATHS and not self._flying_with(piece):
                told.append(self._close(piece, None, f"whoever judged it alone died, {note.alone} times: {reason}"))
        self._return(pieces)
        return told

    def stranded(self, nodes: Collection[str]) -> list[Told]:
        """The pieces that no node of these is left for, with the last answer that there was."""
        told: list[Told] = []
        for piece in list(self._again):
            barred = self._note(piece).barred
            if barred and all(node in barred for node in nodes):
                del self._again[piece]
                told.append(self._close(piece, list(barred.values())[-1].line))
        return told

    def held(self) -> list[Told]:
        """The answers to copied pieces, which were held back until nothing else was left."""
        return [
            Told(piece, None, note.disagreed) if note.disagreed else Told(piece, note.answer[1].line)
            for piece, note in sorted(self._notes.items())
            if note.copied and note.answer is not None
        ]

    def _taken_again(self, node: str, workers: int) -> list[int]:
        """Pieces that were handed out before; one whose batches have died is alone in the next."""
        fitting = [piece for piece in self._again if node not in self._note(piece).barred]
        if not fitting:
            return []
        alone = next((piece for piece in fitting if self._note(piece).deaths >= _ALONE_AFTER), None)
        chosen = [alone] if alone is not None else fitting[: self._fewest(workers)]
        for piece in chosen:
            del self._again[piece]
        self._left_cost -= sum(self._costs[piece] for piece in chosen)
        return chosen

    def _taken(self, node: str, workers: int, nodes: int) -> list[int]:
        speed = self._speeds.setdefault(node, _Speed())
        fair = self._left_cost / (2 * max(1, nodes))
        wanted = min(SECONDS / speed.seconds, fair) if speed.seconds else 0.0
        pieces: list[int] = []
        cost, size = 0.0, 0
        while self._waiting and (len(pieces) < self._fewest(workers) or cost < wanted):
            piece = self._waiting[0]
            if pieces and (size + self._sizes[piece] > MOST_BYTES or len(pieces) == self._most):
                break
            pieces.append(self._waiting.popleft())
            cost += self._costs[piece]
            size += self._sizes[piece]
        self._left_cost -= cost
        return pieces

    def _fewest(self, workers: int) -> int:
        """The pieces that a batch has whatever they cost."""
        return min(_FIRST_PIECES * workers, self._most or _FIRST_PIECES * workers)

    def _copied(self, node: str, now: float) -> list[int]:
        """The open pieces of the batch that another node has had for the longest time, if that is long."""
        late = [
            batch
            for batch in self._flying.values()
            if not batch.copied and now - batch.sent > max(self._least_patience, _PATIENCE * batch.expected)
        ]
        own = {piece for batch in self._flying.values() if batch.node == node for piece in batch.pieces} if late else ()
        for batch in sorted(late, key=lambda batch: batch.sent):
            pieces = [piece for piece in batch.pieces if not self._settled[piece]]
            free = [piece for piece in pieces if piece not in own and node not in self._note(piece).barred]
            if free:
                batch.copied = True
                for piece in free:
                    self._note(piece).copied = True
                return free
        return []

    def _measure(self, batch: Batch, done: int, now: float) -> None:
        speed = self._speeds.setdefault(batch.node, _Speed())
        if done == len(batch.pieces) and batch.cost:
            seconds = max(now - max(batch.sent, speed.answered), 1e-6) / batch.cost
            speed.seconds = seconds if speed.seconds is None else 0.5 * (speed.seconds + seconds)
        speed.answered = now

    def _settle(self, piece: int, node: str, done: Done, nodes: Collection[str]) -> list[Told]:
        if self._settled[piece]:
            self._compare(piece, node, done)
            return []
        if done.mark == "infra":
            note = self._note(piece)
            note.barred[node] = done
            others = [other for other in nodes if other not in note.barred]
            if others and len(note.barred) < MOST_TRIES:
                self._return([piece])
                return []
        told = self._close(piece, done.line)
        note = self._notes.get(piece)
        if note is not None and note.copied:
            note.answer = (node, done)
            return []
        return [told]

    def _compare(self, piece: int, node: str, done: Done) -> None:
        """A second answer to a copied piece: one that is no verdict gives way, two that differ are none."""
        note = self._note(piece)
        if note.answer is None or done.mark == "infra" or note.answer[1].mark == done.mark:
            return
        first, answer = note.answer
        if answer.mark == "infra":
            note.answer = (node, done)
        else:
            note.disagreed = f"{first} says {answer.mark}, {node} says {done.mark}"

    def _close(self, piece: int, line: bytes | None, reason: str = "") -> Told:
        self._settled[piece] = 1
        self._open -= 1
        if line is None:
            self._note(piece).copied = False
        return Told(piece, line, reason)

    def _return(self, pieces: Iterable[int]) -> None:
        """Put pieces among those that are handed out again, but for those that another node still has."""
        for piece in pieces:
            if self._settled[piece] or piece in self._again:
                continue
            others = self._flying_with(piece)
            if others:
                for batch in others:
                    batch.copied = False
            else:
                self._again[piece] = None
                self._left_cost += self._costs[piece]

    def _flying_with(self, piece: int) -> list[Batch]:
        """The batches that a piece is in; only one that was copied is in any while it comes back from another."""
        if piece not in self._notes or not self._notes[piece].copied:
            return []
        return [batch for batch in self._flying.values() if piece in batch.pieces]

    def _note(self, piece: int) -> _Piece:
        return self._notes.setdefault(piece, _Piece())
