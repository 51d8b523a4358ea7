"""The record of one mutant."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "no-op", "old signature", "omitted argument", "default written", "changed argument", "swapped arguments",
    "result not used", "call omitted", "wrong API",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "no-op", "old signature", "omitted argument", "default written", "changed argument", "swapped arguments",
    "result not used", "call omitted", "wrong API",
)  # fmt: skip
SAME = "_same"
"""Name that a mutant's `probe` leaves: true where the mutant did what the reference does."""


@dataclass(frozen=True)
class Mutant:
    """A wrong answer: `what` says in words what is wrong with it.

    One that is `vital` has to be killed whatever the others do. `places` are the arguments that differ, as (number of
    the call, number of the argument). `probe` is the reference made to tell, in the name `SAME`, whether what the
    mutant puts in the place of a result is that very result; None where there is nothing to be told.
    """

    kind: Kind
    what: str
    code: str
    vital: bool = False
    places: tuple[tuple[int, int], ...] = ()
    probe: str | None = None
