"""The goal of a dialogue: the state of all databases after its recorded calls, made in order by our own APIs.

Recordings are not always right. goal_notes.jsonl lists those that were looked at and found wanting, with the reason: a
dialogue has no goal then, or its goal leaves open what the user never said.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from apigap.benchmarks.apibank.dialogues import LEVELS, Bank
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.rows import Difference, differences
from apigap.benchmarks.apibank.live.scripts import Script, scripts
from apigap.benchmarks.apibank.live.state import Outbox, State, start_of, state_of
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import impose, make
from apigap.benchmarks.apibank.world import System
from apigap.records.base import Record
from apigap.records.store import load_records

NOTES = Path(__file__).with_name("goal_notes.jsonl")
NO_CALLS = "nothing was recorded that an API could do"


class GoalNote(Record):
    """A word on a recording that was looked at.

    `calls` is the hash of the recorded calls that it is about (`Script.calls_hash`): on others it says nothing.
    `treatment`: `none` gives the dialogue no goal; `open` leaves the `columns` of new rows open; `kept` leaves the goal
    as it is, although a recorded call does nothing.
    """

    dialogue: str
    calls: str
    treatment: Literal["none", "open", "kept"]
    columns: tuple[str, ...] = ()
    reason: str


@cache
def goal_notes() -> Mapping[tuple[str, str], GoalNote]:
    """All notes by dialogue and hash of calls."""
    return {(note.dialogue, note.calls): note for note in load_records(NOTES, GoalNote)}


@dataclass(frozen=True)
class Goal:
    """The state to be reached; `changes` is false where it is that of the start: then only looking up is asked.

    `note` tells what was found wanting in the recording.
    """

    state: State
    changes: bool
    note: GoalNote | None = None

    def away(self, system: System, outbox: Outbox) -> list[Difference]:
        """The rows by which a state differs from the goal."""
        reached = state_of(system, outbox)
        start = start_of(system.databases, {*self.state, *reached})
        return differences(self.state, reached, start, self.note.columns if self.note else ())


@dataclass(frozen=True)
class NoGoal:
    """The reason why a dialogue has no goal."""

    reason: str


def goal_of(script: Script, judge: ApiBankJudge) -> Goal | NoGoal:
    """The goal of a script, or why it has none.

    Raises:
        CorruptRecord: when a database is missing.
    """
    note = goal_notes().get((script.name, script.calls_hash))
    if note is not None and note.treatment == "none":
        return NoGoal(note.reason)
    system, outbox = judge.system_of(script.first), Outbox()
    for turn in script.calls:
        try:
            result = make(script.registry, system, Read(turn.api_name, dict(turn.param_dict)))
        except Refused:  # a recorded call that today's interface does not take changes nothing
            continue
        impose(turn, result, system)
        outbox.add(turn.api_name, result)
    goal = Goal(state_of(system, outbox), changes=False, note=note)
    untouched = judge.system_of(script.first)
    return Goal(goal.state, bool(goal.away(untouched, Outbox())), note)


def all_goals(bank: Bank, judge: ApiBankJudge) -> dict[str, Goal | NoGoal]:
    """The goals of all dialogues and requirements by name, those without a recorded call too."""
    found: dict[str, Goal | NoGoal] = {one.file: NoGoal(NO_CALLS) for one in bank.dialogues}
    return found | {script.name: goal_of(script, judge) for level in LEVELS for script in scripts(bank, level)}
