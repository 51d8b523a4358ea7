"""A person's decisions on single dialogues, over the verdicts of checks and tester."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from apigap.benchmarks.apibank_generator.records import Dialogue
from apigap.records.base import Record

Choice = Literal["keep", "drop", "none"]
CHOICES: tuple[Choice, ...] = get_args(Choice)


class Decision(Record):
    """One decision; of several on a dialogue the last one holds, and `none` takes the ones before it back."""

    id: str
    choice: Choice
    note: str = ""


def can_be_kept(dialogue: Dialogue) -> bool:
    """Whether a person may take it: what the checks in code refused is broken whatever one thinks of it."""
    verdict = dialogue.verdict
    by_tester = verdict.by == "tester" and verdict.reason != "budget"
    return verdict.accepted or (by_tester and bool(dialogue.exchanges))


def last_of(decisions: Sequence[Decision]) -> dict[str, Decision]:
    """The decision that holds for each dialogue; those taken back are left out."""
    last = {decision.id: decision for decision in decisions}
    return {name: decision for name, decision in last.items() if decision.choice != "none"}


def taken(dialogues: Sequence[Dialogue], decisions: Mapping[str, Decision]) -> list[Dialogue]:
    """The dialogues that go into the training files: the accepted ones, as far as nobody decided otherwise."""
    return [dialogue for dialogue in dialogues if _is_taken(dialogue, decisions.get(dialogue.id))]


def _is_taken(dialogue: Dialogue, decision: Decision | None) -> bool:
    if decision is None:
        return dialogue.verdict.accepted
    return decision.choice == "keep" and can_be_kept(dialogue)
