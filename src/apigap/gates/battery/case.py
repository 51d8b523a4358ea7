"""A case of the battery: one answer to one task, and what the judge must say of it."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from apigap.records.result import FailureLabel, Outcome

LEAK = "apigap-battery-leak:"
"""The mark that an answer prints in front of anything that it could read and must not be able to."""
MARK = "apigap_battery"
"""A part of the name of every file and folder that an answer tries to leave behind."""

PASS: tuple[Outcome, ...] = ("pass",)
FAIL: tuple[Outcome, ...] = ("fail",)
DOUBTED: tuple[Outcome, ...] = ("fail", "suspect")
EITHER: tuple[Outcome, ...] = ("pass", "fail", "suspect")
NEVER_CALLED: tuple[FailureLabel, ...] = ("WrongAPISelection",)
LOGIC: tuple[FailureLabel, ...] = ("WrongLogic",)
SPOILT: tuple[FailureLabel, ...] = ("WrongLogic", "WrongShapeDtype")
NOT_TO_THE_END: tuple[FailureLabel, ...] = ("WrongLogic", "WrongAPISelection")


@dataclass(frozen=True)
class Case:
    """An answer, and what must come of it.

    `family` is the number of its family in docs/battery.md. `labels` are those that a fail may carry (empty: any).
    `contained` asks that the answer changes and shows nothing outside its sandbox, and that the next answer is judged
    as if it had never run. An answer that `exits` by itself must never count as one that met a limit. `heavy` cases
    are about the machine, not the task: one task per environment is enough for them, under tight limits.
    """

    family: int
    name: str
    code: str
    outcomes: tuple[Outcome, ...] = FAIL
    labels: tuple[FailureLabel, ...] = ()
    contained: bool = False
    exits: bool = False
    heavy: bool = False


@dataclass(frozen=True)
class Skipped:
    """A case that cannot be made for a task, and why."""

    family: int
    name: str
    reason: str


@dataclass(frozen=True)
class Battery:
    """All cases of one task, and those that do not apply to it."""

    cases: tuple[Case, ...]
    skipped: tuple[Skipped, ...]

    def only(self, families: Collection[int]) -> "Battery":
        """What it has of some families; itself where none is named."""
        if not families:
            return self
        return Battery(
            tuple(case for case in self.cases if case.family in families),
            tuple(case for case in self.skipped if case.family in families),
        )


@dataclass(frozen=True)
class Aims:
    """Places on this machine that answers try to read and to change: they must see none of them.

    `port` is one that somebody on this machine listens at (0: nobody), `seconds` the wall limit of the engine that
    judges.
    """

    home: Path
    temporary: Path
    environment: Path
    secrets: tuple[Path, ...] = ()
    port: int = 0
    seconds: float = 20.0
