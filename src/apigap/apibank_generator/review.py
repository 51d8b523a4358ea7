"""A person's decisions on single dialogues, over the verdicts of checks and tester."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from apigap.apibank_generator.reasons import REASONS
from apigap.apibank_generator.records import Dialogue
from apigap.records.base import Record

Choice = Literal["keep", "drop", "none"]
CHOICES: tuple[Choice, ...] = get_args(Choice)


class Decision(Record):
    """One decision; of several on a dialogue the last one holds, and `none` takes the ones before it back.

    With `none` a note alone can be kept.
    """

    id: str
    choice: Choice
    note: str = ""


class Effect(NamedTuple):
    """The effect of the decisions: dialogues looked at, accepted ones left out, refused ones taken in."""

    looked_at: int
    left_out: int
    taken_in: int


def why_not(dialogue: Dialogue) -> str:
    """The reason why a person may not take it, as a sentence; empty where that is possible.

    A dialogue that the checks in code refused is broken whatever one thinks of it.
    """
    verdict = dialogue.verdict
    if verdict.accepted or (verdict.by == "tester" and verdict.reason != "budget" and dialogue.exchanges):
        return ""
    if verdict.reason == "budget":
        return f"The budget ended before the {verdict.by} agent was asked, so nobody has checked it to the end."
    if not dialogue.exchanges:
        return "It has no dialogue: its query was refused, or nothing came of it."
    return f"The checks found a fault in it that no decision mends: {REASONS.get(verdict.reason, verdict.reason)}."


def can_be_kept(dialogue: Dialogue) -> bool:
    """True when a person may take it."""
    return not why_not(dialogue)


def last_of(decisions: Sequence[Decision]) -> dict[str, Decision]:
    """The decision that holds for each dialogue; those taken back are left out."""
    last = {decision.id: decision for decision in decisions}
    return {name: decision for name, decision in last.items() if decision.choice != "none"}


def taken(dialogues: Sequence[Dialogue], decisions: Mapping[str, Decision]) -> list[Dialogue]:
    """The dialogues that go into the training files: the accepted ones, as far as nobody decided otherwise."""
    return [dialogue for dialogue in dialogues if _is_taken(dialogue, decisions.get(dialogue.id))]


def effect_of(dialogues: Sequence[Dialogue], decisions: Mapping[str, Decision]) -> Effect:
    """Compare the decisions with the verdicts."""
    looked_at = [dialogue for dialogue in dialogues if dialogue.id in decisions]
    chosen = {dialogue.id for dialogue in taken(looked_at, decisions)}
    return Effect(
        looked_at=len(looked_at),
        left_out=sum(dialogue.verdict.accepted and dialogue.id not in chosen for dialogue in looked_at),
        taken_in=sum(not dialogue.verdict.accepted and dialogue.id in chosen for dialogue in looked_at),
    )


def _is_taken(dialogue: Dialogue, decision: Decision | None) -> bool:
    if decision is None:
        return dialogue.verdict.accepted
    return decision.choice == "keep" and can_be_kept(dialogue)
