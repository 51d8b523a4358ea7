"""Checks of a submitted run: what was looked at, how it stands, and a sentence on it."""

from collections.abc import Iterable
from typing import Literal

from apigap.records.base import Record

State = Literal["sound", "wrong", "unchecked"]
_WORST: tuple[State, ...] = ("wrong", "unchecked", "sound")


class Check(Record):
    """One thing that was looked at. `wrong` speaks against the run, `unchecked` says that nothing can be said here."""

    name: str
    state: State
    told: str


def worst(checks: Iterable[Check]) -> State:
    """The state of a run by its checks: one that is wrong decides, then one that could not be made."""
    states: list[State] = ["sound", *(check.state for check in checks)]
    return min(states, key=_WORST.index)


def check_of(name: str, wrong: Iterable[str], sound: str) -> Check:
    """A check by the faults that it found: the first is told, with the number of all; without any it is `sound`."""
    faults = list(wrong)
    if not faults:
        return Check(name=name, state="sound", told=sound)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Check(name=name, state="wrong", told=f"{faults[0]}{more}")
