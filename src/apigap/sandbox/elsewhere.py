"""The work of an engine that other machines do: what it is handed over as, and what comes back; all of it bytes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from apigap.records.configuration import Backend, PackageSettings
from apigap.records.run import Program, RunRecord
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import Limits

Kind = Literal["trials", "programs", "commands"]
"""The kinds of work: trials give verdicts, programs the records of their runs, commands of ours their files."""


@dataclass(frozen=True)
class Order:
    """The terms of some work: its kind, where it runs, what is loaded there before, and the engine's own terms.

    `former` is the environment of the version before, and its preloads. Commands make environments for themselves.
    """

    kind: Kind
    environment: Environment | None
    preload: tuple[str, ...]
    former: tuple[Environment, tuple[str, ...]] | None
    limits: Limits
    backend: Backend
    cold: bool
    build_sdists: bool
    packages: PackageSettings | None


class Piece(NamedTuple):
    """One piece of work: a part that it has in common with others (a task), its own part, and its cost in programs."""

    shared: bytes
    own: bytes
    cost: int = 1


class Elsewhere(Protocol):
    """Machines that do an engine's work."""

    def do(
        self,
        order: Order,
        pieces: Sequence[Piece],
        done: Callable[[int, bytes], None],
        lost: Callable[[int, str], None],
    ) -> None:
        """Have every piece done; `done` is told of the line that each gives, in any order and from one thread.

        `lost` is told, with the reason, of a piece that every machine died of.

        Raises:
            InfrastructureError: when no machine is left that can do the work.
        """
        ...


def run_elsewhere(
    elsewhere: Elsewhere,
    order: Order,
    programs: Sequence[Program],
    on_result: Callable[[int, RunRecord], None] | None,
) -> list[RunRecord]:
    """The records of programs that other machines run, in order; one that no machine outlived has one with `infra`.

    Raises:
        InfrastructureError: see `Elsewhere.do`.
    """
    found: dict[int, RunRecord] = {}

    def tell(number: int, record: RunRecord) -> None:
        found[number] = record
        if on_result is not None:
            on_result(number, record)

    elsewhere.do(
        order,
        [Piece(b"", program.to_line().encode()) for program in programs],
        lambda number, line: tell(number, RunRecord.from_line(line)),
        lambda number, reason: tell(number, RunRecord(status="infra", phase="start", reason=reason)),
    )
    return [found[number] for number in range(len(programs))]
