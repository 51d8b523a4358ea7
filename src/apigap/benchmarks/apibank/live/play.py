"""Dialogues with the APIs live: calls are made in a system of the sample's own, and compared with a goal at the end.

A recorded call counts as made once a call has been right by the corrected rules, in the state that the sample has
reached by its own calls.
"""

from dataclasses import dataclass
from typing import Any, Literal

from apigap.benchmarks.apibank.dialogues import Turn
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.live.goals import Goal
from apigap.benchmarks.apibank.live.rows import Difference
from apigap.benchmarks.apibank.live.scripts import Script
from apigap.benchmarks.apibank.live.state import Outbox
from apigap.benchmarks.apibank.prompts import offered
from apigap.benchmarks.apibank.registry import Envelope
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER, impose, judge_read, make
from apigap.benchmarks.apibank.world import System
from apigap.records.parsing.json_shapes import is_list, is_object

Effect = Literal["recorded", "superfluous", "harmful", "nearer", "refused"]
"""Of a call: a recorded one; one that changed nothing; one that changed something and led no nearer to the goal, or led
nearer; one that its API, or the interface before it, did not take."""


@dataclass(frozen=True)
class Made:
    """A call that was made: whether its API was `offered` at the time, and what came of it.

    `refused` is why it never reached an API; `was_wanted` says that a recorded call of this API was still waiting.
    """

    asked: Read
    offered: bool
    was_wanted: bool
    effect: Effect
    refused: Refused | None = None


class Play:
    """One sample of a script: its own system, the calls that have been made and those that still wait.

    Without a `goal` no call is superfluous or harmful by its effect; those that change nothing are still counted.
    """

    def __init__(self, script: Script, adapter: ApiBankJudge, goal: Goal | None = None) -> None:
        self.script = script
        self.goal = goal
        self._system: System = adapter.system_of(script.first)
        self._outbox = Outbox()
        self._waiting = list(script.calls)
        self._right: list[Turn] = []
        self._found: list[str] = []
        self.calls: list[Made] = []
        self.away: list[Difference] = self._distance()

    @property
    def made(self) -> int:
        """The number of calls."""
        return len(self.calls)

    @property
    def missing(self) -> tuple[str, ...]:
        """The APIs of the recorded calls that have not been made."""
        return tuple(turn.api_name for turn in self._waiting)

    @property
    def not_looked_up(self) -> tuple[str, ...]:
        """The APIs of recorded calls that have not been made, searches apart; one recorded twice is made once."""
        known = [(turn.api_name, turn.param_dict) for turn in self._right]
        wanted = (turn for turn in self._waiting if turn.api_name != SEARCHER)
        return tuple(turn.api_name for turn in wanted if (turn.api_name, turn.param_dict) not in known)

    @property
    def offered(self) -> list[str]:
        """The APIs that are described at first, and those that a search has found since."""
        return list(dict.fromkeys([*offered(self.script.first), *self._found]))

    def call(self, asked: Read) -> Envelope:
        """Make a call; one that does not reach an API gives an exception too.

        What the recorded call drew by chance gets its recorded value, so that what follows can be compared.
        """
        turn = self._match(asked)
        was_offered, was_wanted = asked.name in self.offered, asked.name in self.missing
        try:
            result = make(self.script.registry, self._system, asked)
        except Refused as error:
            self.calls.append(Made(asked, was_offered, was_wanted, "refused", error))
            return {"api_name": asked.name, "input": asked.arguments, "output": None, "exception": error.message}
        if turn is not None:
            self._waiting.remove(turn)
            self._right.append(turn)
            if impose(turn, result, self._system):
                result = {**result, "output": turn.result["output"]}
        self._outbox.add(asked.name, result)
        if asked.name == SEARCHER:
            self._found += tools_in(result["output"])
        self.calls.append(Made(asked, was_offered, was_wanted, self._effect(turn, result)))
        return result

    def _effect(self, turn: Turn | None, result: Envelope) -> Effect:
        """The effect of the call just made; the distance from the goal is measured anew."""
        before, self.away = self.away, self._distance()
        if turn is not None:
            return "recorded"
        if before == self.away:
            return "refused" if result["exception"] is not None else "superfluous"
        return "nearer" if len(self.away) < len(before) else "harmful"

    def _distance(self) -> list[Difference]:
        return self.goal.away(self._system, self._outbox) if self.goal else []

    def _match(self, asked: Read) -> Turn | None:
        """The first waiting call that `asked` makes."""
        same = (turn for turn in self._waiting if turn.api_name == asked.name)
        registry = self.script.registry
        return next((turn for turn in same if judge_read(asked, turn, registry, self._system).right), None)


def tools_in(output: Any) -> list[str]:
    """The names of the APIs that a search has found."""
    rows = output if is_list(output) else [output]
    return [str(row["name"]) for row in rows if is_object(row) and "name" in row]
