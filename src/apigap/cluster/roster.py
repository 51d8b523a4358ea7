"""The nodes of a run: hired when they join, examined before they judge, refused with a reason, let go when they die."""

import time
import warnings
from dataclasses import dataclass, field
from typing import Any

from apigap.cluster.connection import Connection, Member
from apigap.cluster.messages import Facts, Identity, Question, Readiness, Terms
from apigap.records.errors import ApigapWarning, InfrastructureError
from apigap.sandbox.isolation.profile import Profile

IN_FLIGHT = 2
"""Batches that a node has at a time: one that it does and one that waits, so that it never does."""
LEAST_DISK = 256 << 20
"""Bytes that a node must have free in its cache folder."""
_MOST_DEATHS = 6
"""Deaths of a node's worker without an answer between them; a piece that kills it is found out before."""
_TOO_EARLY = "ActorUnschedulableError"
"""Ray's word where a node is in its table already, and its scheduler does not know it yet."""
_EARLY_LOOKS = 15
LOOK_SECONDS = 2.0
SILENCE = 15.0
"""Seconds without an answer of the head after which a run ends."""
_BUSY_SECONDS = 60.0


Locks = tuple[str, ...]
"""The locks of the environments of some terms."""


@dataclass(eq=False)
class Hand:
    """A node at work: its actor, what it is asked now, the environments that it has and cannot have."""

    member: Member
    actor: Any
    examining: Any
    since: float
    facts: Facts | None = None
    preparing: dict[Any, Terms] = field(default_factory=dict[Any, Terms])
    ready: set[Locks] = field(default_factory=set[Locks])
    unable: dict[Locks, str] = field(default_factory=dict[Locks, str])
    batches: dict[Any, tuple[int, int]] = field(default_factory=dict[Any, tuple[int, int]])
    strikes: int = 0
    told_busy: bool = False

    @property
    def name(self) -> str:
        """The node's name for people."""
        return self.member.name

    @property
    def able(self) -> bool:
        """True once the node was examined and found fit."""
        return self.facts is not None


class Roster:
    """The nodes that work for this process. `profile` is the isolation that each must have."""

    def __init__(self, connection: Connection, question: Question, profile: Profile | None) -> None:
        self.connection = connection
        self.hands: dict[str, Hand] = {}
        self.refused: dict[str, str] = {}
        self._question = question.to_line().encode()
        self._profile = profile
        self._names: dict[str, str] = {}
        self._deaths: dict[str, int] = {}
        self._early: dict[str, int] = {}
        self._looked = 0.0
        self._members: dict[str, Member] | None = None
        self._silent_since: float | None = None

    @property
    def able(self) -> dict[str, Hand]:
        """The nodes that may judge, by id."""
        return {key: hand for key, hand in self.hands.items() if hand.able}

    def able_for(self, terms: Terms) -> dict[str, Hand]:
        """The nodes that may judge on these terms, as far as is known."""
        return {key: hand for key, hand in self.able.items() if terms.locks not in hand.unable}

    def reasons(self, terms: Terms) -> str:
        """Why no node judges on these terms, in a few words."""
        told = [f"{self._names.get(key, key)}: {reason}" for key, reason in self.refused.items()]
        told += [
            f"{hand.name}: {hand.unable[terms.locks]}" for hand in self.hands.values() if terms.locks in hand.unable
        ]
        return "; ".join(told[:5]) or "there is none with a processor"

    def look(self) -> list[Hand]:
        """Hire nodes that are new; gives those that have gone.

        Raises:
            InfrastructureError: when the head does not answer any more.
        """
        now = time.monotonic()
        if now - self._looked < LOOK_SECONDS:
            return []
        self._looked = now
        if not self._head_answers(now):
            return []
        members = self._members = self.connection.members()
        gone = [hand for key, hand in self.hands.items() if key not in members]
        for gone_for_good in {*self._early, *self._deaths} - {*members}:
            self._early.pop(gone_for_good, None)
            self._deaths.pop(gone_for_good, None)
        for hand in gone:
            del self.hands[hand.member.key]
            _tell(f"node {hand.name} has gone; what it had goes to others")
        for key, member in members.items():
            if key not in self.hands and key not in self.refused:
                self._hire(member)
        return gone

    def examined(self, hand: Hand, answer: bytes) -> None:
        """Take a node's facts: it may judge now, or is refused."""
        facts = Facts.from_line(answer)
        reason = unfit(facts, self._profile)
        if reason:
            self.refuse(hand, reason)
        else:
            hand.facts, hand.examining = facts, None

    def prepared(self, hand: Hand, reference: Any, answer: bytes) -> None:
        """Take note that a node has the environments of some terms, or cannot have them."""
        terms = hand.preparing.pop(reference)
        problem = Readiness.from_line(answer).problem
        if problem:
            self.excuse(hand, terms, problem)
        else:
            hand.ready.add(terms.locks)

    def excuse(self, hand: Hand, terms: Terms, reason: str) -> None:
        """Give a node no more work on these terms."""
        hand.unable[terms.locks] = reason
        hand.ready.discard(terms.locks)
        what = terms.home.environment if terms.home else None
        for_what = f"{what.library} {what.version}" if what else "whole commands"
        _tell(f"node {hand.name} is not used for {for_what}: {reason}")

    def failed(self, hand: Hand, reason: str) -> None:
        """A node's worker has died: another one is started there at the next look, some times.

        Nothing is asked of the cluster here: where its head has died, it would not answer.
        """
        key = hand.member.key
        if self.hands.pop(key, None) is None:
            return
        if reason == _TOO_EARLY and self._early.get(key, 0) < _EARLY_LOOKS:
            self._early[key] = self._early.get(key, 0) + 1
            return
        self._deaths[key] = self._deaths.get(key, 0) + 1
        if self._deaths[key] >= _MOST_DEATHS:
            self.refused[key] = f"its worker died {self._deaths[key]} times ({reason})"
            _tell(f"node {hand.name} is not used: {self.refused[key]}")
        else:
            _tell(f"the worker of node {hand.name} died; another one is started")

    def answered(self, hand: Hand) -> None:
        """Take note that a node's worker has done a batch."""
        self._deaths.pop(hand.member.key, None)

    def refuse(self, hand: Hand, reason: str) -> None:
        """Give a node no more work in this process."""
        if self.hands.pop(hand.member.key, None) is None:
            return
        self.refused[hand.member.key] = reason
        if self.connection.answers():
            self.connection.ray.kill(hand.actor, no_restart=True)
        _tell(f"node {hand.name} is not used: {reason}")

    def waiting(self) -> bool:
        """Tell whether a node may still be hired or is looked at; says so where one is busy for long."""
        now = time.monotonic()
        for hand in self.hands.values():
            if not hand.able and now - hand.since > _BUSY_SECONDS and not hand.told_busy:
                hand.told_busy = True
                _tell(f"node {hand.name} is busy with other work of the cluster; it is waited for")
        known = self._members if self._silent_since is None else None
        coming = known is None or any(key not in self.hands and key not in self.refused for key in known)
        return coming or any(not hand.able for hand in self.hands.values())

    def _hire(self, member: Member) -> None:
        actor = self.connection.start(member)
        self._names[member.key] = member.name
        self.hands[member.key] = Hand(member, actor, actor.examine.remote(self._question), time.monotonic())

    def _head_answers(self, now: float) -> bool:
        if self.connection.answers():
            self._silent_since = None
            return True
        self._silent_since = now if self._silent_since is None else self._silent_since
        if now - self._silent_since > SILENCE:
            raise InfrastructureError(
                f"the head of the Ray cluster at {self.connection.address} does not answer any more; start the "
                "cluster again and run the same command: it goes on from there"
            )
        return False


def unfit(facts: Facts, profile: Profile | None) -> str | None:
    """Why a node must not judge; None where it may. `profile` is the isolation that is in force where it was asked."""
    if facts.problem is not None:
        return f"it cannot isolate programs: {facts.problem}"
    other = difference(facts.identity)
    if other is not None:
        return other
    if facts.disk < LEAST_DISK:
        return f"{facts.cache} has only {facts.disk >> 20} MiB free; give it {LEAST_DISK >> 20} MiB or more"
    if profile is not None and facts.profile != profile:
        return f"its isolation is not that of this machine: {_differing(facts.profile, profile)}"
    return None


def difference(identity: Identity) -> str | None:
    """The difference between another machine's software and that of this one; None where there is none."""
    for name, own in Identity.here():
        there = getattr(identity, name)
        if there != own:
            return f"its {_WORDS[name]} is {there}, here it is {own}: install the same everywhere"
    return None


_WORDS = {"version": "apigap", "python": "Python", "evaluator": "evaluator", "cluster": "cluster code"}


def _differing(one: Profile | None, other: Profile) -> str:
    rows = other.model_dump()
    there = one.model_dump() if one else {}
    return ", ".join(
        f"{key} {there.get(key)!r}, here {value!r}" for key, value in rows.items() if there.get(key) != value
    )


def _tell(text: str) -> None:
    warnings.warn(text, ApigapWarning, stacklevel=3)
