"""Dialogues as scripts: what the user says, and the calls that were recorded."""

from dataclasses import dataclass
from functools import cached_property

from apigap.benchmarks.apibank.dialogues import Bank, Dialogue, Level, Sample, Step, Turn, step_turn
from apigap.benchmarks.apibank.registry import Registry
from apigap.benchmarks.apibank.tools import DIALOGUE, PLANNING
from apigap.records.base import content_hash

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
    def level(self) -> Level:
        """The level it is of."""
        return "level-3" if isinstance(self.first, Step) else self.first.dialogue.level

    @cached_property
    def calls_hash(self) -> str:
        """The hash of the recorded calls: notes on a goal are about these, whatever else has that name."""
        return content_hash([[turn.api_name, turn.param_dict] for turn in self.calls])

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
