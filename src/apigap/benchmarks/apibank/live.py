"""Dialogues with the APIs live: the user's words are the recorded ones, calls are made in a system of the sample's own.

A recorded call counts as made once a call has been right by the corrected rules, in the state that the sample has
reached by its own calls.
"""

from dataclasses import dataclass
from typing import Any

from apigap.benchmarks.apibank.dialogues import Bank, Dialogue, Level, Sample, Step, Turn, step_turn
from apigap.benchmarks.apibank.errors import Refused
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.benchmarks.apibank.prompts import offered
from apigap.benchmarks.apibank.registry import Envelope, Registry
from apigap.benchmarks.apibank.scoring.corrected import Read
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER, impose, judge_read, make
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.benchmarks.apibank.world import System
from apigap.records.parsing.json_shapes import is_list, is_object

SPARE_CALLS = 4
"""The number of calls beyond those of the whole recording that may be made before the user goes on."""


@dataclass(frozen=True)
class Script:
    """The user's words, one text after the other, and all recorded calls. `first` is the task of the first call."""

    name: str
    first: Sample | Step
    said: tuple[str, ...]
    calls: tuple[Turn, ...]

    @property
    def registry(self) -> Registry:
        """The pool of its APIs."""
        return PLANNING if isinstance(self.first, Step) else DIALOGUE

    @property
    def most_calls(self) -> int:
        """The number of calls that may be made before the user goes on."""
        return len(self.calls) + SPARE_CALLS


def scripts(bank: Bank, level: Level) -> list[Script]:
    """The dialogues, or requirements, of a level that have a call."""
    if level == "level-3":
        last = {step.sample_id: step for step in bank.steps}
        return [_of_requirement([*step.before, step]) for step in last.values()]
    return [_of_dialogue(one) for one in bank.dialogues if one.level == level and one.samples]


def _of_requirement(steps: list[Step]) -> Script:
    first = steps[0]
    return Script(first.api_name, first, (first.requirement.strip(),), tuple(map(step_turn, steps)))


def _of_dialogue(dialogue: Dialogue) -> Script:
    said = tuple(turn.text for turn in dialogue.turns if turn.role == "User")
    calls = tuple(turn for turn in dialogue.turns if turn.role == "API")
    return Script(dialogue.file, dialogue.samples[0], said, calls)


class Play:
    """One sample of a script: its own system, the calls that have been made and those that still wait."""

    def __init__(self, script: Script, adapter: ApiBankJudge) -> None:
        self._script = script
        self._system: System = adapter.system_of(script.first)
        self._waiting = list(script.calls)
        self._found: list[str] = []
        self.made = 0

    @property
    def missing(self) -> tuple[str, ...]:
        """The APIs of the recorded calls that have not been made."""
        return tuple(turn.api_name for turn in self._waiting)

    @property
    def offered(self) -> list[str]:
        """The APIs that are described at first, and those that a search has found since."""
        return list(dict.fromkeys([*offered(self._script.first), *self._found]))

    def call(self, asked: Read) -> Envelope:
        """Make a call; one that does not reach an API gives an exception too.

        What the recorded call drew by chance gets its recorded value, so that what follows can be compared.
        """
        self.made += 1
        turn = self._match(asked)
        try:
            result = make(self._script.registry, self._system, asked)
        except Refused as error:
            return {"api_name": asked.name, "input": asked.arguments, "output": None, "exception": error.message}
        if turn is not None:
            self._waiting.remove(turn)
            if impose(turn, result, self._system):
                result = {**result, "output": turn.result["output"]}
        if asked.name == SEARCHER:
            self._found += tools_in(result["output"])
        return result

    def _match(self, asked: Read) -> Turn | None:
        """The first waiting call that `asked` makes."""
        same = (turn for turn in self._waiting if turn.api_name == asked.name)
        registry = self._script.registry
        return next((turn for turn in same if judge_read(asked, turn, registry, self._system).right), None)


def tools_in(output: Any) -> list[str]:
    """The names of the APIs that a search has found."""
    rows = output if is_list(output) else [output]
    return [str(row["name"]) for row in rows if is_object(row) and "name" in row]
