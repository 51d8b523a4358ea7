"""What travels between the machine that asks and a node: bytes of our own schema, compressed, and nothing pickled."""

import platform
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

from apigap.records.base import Record
from apigap.records.configuration import Backend, PackageSettings
from apigap.records.errors import InfrastructureError
from apigap.records.sources import source_hash
from apigap.sandbox.elsewhere import Kind, Order, Piece
from apigap.sandbox.environment import Environment
from apigap.sandbox.isolation.profile import Profile
from apigap.sandbox.limits import Limits
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.version import __version__

_FAST = 1
MOST_BYTES = 512 << 20
"""Bytes of a message before compression; a larger one is none of ours."""


class Home(Record):
    """An environment, whose paths mean nothing on another machine, and what is loaded there before the fork."""

    environment: Environment
    preload: tuple[str, ...]
    python: str

    @classmethod
    def of(cls, environment: Environment, preload: Sequence[str]) -> Self:
        """An environment of this machine; its version of Python is told, since another machine may have another."""
        return cls(environment=environment, preload=tuple(preload), python=environment.python_version)

    @property
    def wanted(self) -> Environment:
        """The environment that is wanted."""
        return self.environment.model_copy(update={"python_version": self.python})


class Terms(Record):
    """The terms of an order as a record; commands, which make environments for themselves, have no home."""

    kind: Kind
    home: Home | None
    former: Home | None
    limits: Limits
    backend: Backend
    cold: bool
    build_sdists: bool
    packages: PackageSettings | None

    @classmethod
    def of(cls, order: Order) -> Self:
        """The record of an order."""
        former = Home.of(*order.former) if order.former else None
        return cls(
            kind=order.kind, home=Home.of(order.environment, order.preload) if order.environment else None,
            former=former, limits=order.limits, backend=order.backend, cold=order.cold, build_sdists=order.build_sdists,
            packages=order.packages,
        )  # fmt: skip

    @property
    def locks(self) -> tuple[str, ...]:
        """The locks of the environments that a node must have."""
        return tuple(home.environment.lock for home in (self.home, self.former) if home is not None)


class Identity(Record):
    """What must be the same on every machine: apigap, its Python, the code that judges, and that of these messages."""

    version: str
    python: str
    evaluator: str
    cluster: str

    @classmethod
    def here(cls) -> Self:
        """The identity of this machine."""
        return cls(
            version=__version__,
            python=platform.python_version(),
            evaluator=evaluator_hash(),
            cluster=source_hash(Path(__file__).parent),
        )


class Facts(Record):
    """A node as it describes itself. Sizes are bytes; `problem` is why it cannot isolate programs."""

    name: str
    identity: Identity
    processors: int
    memory: int
    disk: int
    cache: str
    profile: Profile | None
    problem: str | None


class Question(Record):
    """What a node is to be examined for: the limits and backend of the run's sandboxes."""

    limits: Limits
    backend: Backend


class Readiness(Record):
    """Whether a node has the environments of some terms; `problem` is why it cannot have them."""

    problem: str | None = None


class Done(NamedTuple):
    """A piece that was done: its number in the batch, its line, and its outcome or status, as in `infra` or `pass`."""

    number: int
    line: bytes
    mark: str


class _BatchHead(Record):
    terms: Terms
    shared: int
    places: tuple[int, ...]


class _ReplyHead(Record):
    numbers: tuple[int, ...]
    marks: tuple[str, ...]
    problem: str | None = None


def pack_batch(terms: Terms, pieces: Sequence[Piece]) -> bytes:
    """A batch as one message; what pieces share is in it once."""
    shared = list(dict.fromkeys(piece.shared for piece in pieces))
    where = {part: number for number, part in enumerate(shared)}
    head = _BatchHead(terms=terms, shared=len(shared), places=tuple(where[piece.shared] for piece in pieces))
    return _packed([head.to_line().encode(), *shared, *(piece.own for piece in pieces)])


def unpack_batch(message: bytes) -> tuple[Terms, list[tuple[bytes, bytes]]]:
    """The terms of a batch, and the shared and the own part of each piece."""
    first, *lines = _unpacked(message)
    head = _BatchHead.from_line(first)
    shared, own = lines[: head.shared], lines[head.shared :]
    return head.terms, [(shared[place], part) for place, part in zip(head.places, own, strict=True)]


def pack_reply(done: Sequence[Done], problem: str | None = None) -> bytes:
    """What a node did of a batch; `problem` is why it did not do the rest."""
    head = _ReplyHead(numbers=tuple(one.number for one in done), marks=tuple(one.mark for one in done), problem=problem)
    return _packed([head.to_line().encode(), *(one.line for one in done)])


def unpack_reply(message: bytes) -> tuple[list[Done], str | None]:
    """What a node did of a batch, and why it did not do the rest.

    Raises:
        InfrastructureError: when the message is none of ours.
    """
    try:
        first, *lines = _unpacked(message)
        head = _ReplyHead.from_line(first)
        rows = zip(head.numbers, lines, head.marks, strict=True)
        return [Done(*row) for row in rows], head.problem
    except (ValueError, zlib.error) as error:
        raise InfrastructureError(f"a node's answer cannot be read: {error}") from error


def _packed(lines: Sequence[bytes]) -> bytes:
    return zlib.compress(b"\n".join(lines), _FAST)


def _unpacked(message: bytes) -> list[bytes]:
    opened = zlib.decompressobj()
    data = opened.decompress(message, MOST_BYTES)
    if not opened.eof:
        raise ValueError("it is cut off, or too large")
    return data.split(b"\n")
