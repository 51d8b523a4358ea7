"""Asking within a budget: every call goes through here and is counted for the agent that made it."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from apigap.benchmarks.apibank_generator.records import AGENTS, Agent
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.transcripts import Call, Transcripts
from apigap.records.base import Record

CHARACTERS_PER_TOKEN = 4
"""Of English text, about; used where a provider counts no tokens, and for estimates."""
_CAREFUL = 3
"""Fewer, so that what is set aside for a call before it is made is rather too much."""

_BETWEEN_LOOKS = 4


class Price(Record):
    """Dollars per million tokens, read and written."""

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)

    def of(self, read: int, written: int) -> float:
        """Dollars for so many tokens."""
        return (read * self.input + written * self.output) / 1e6


class Budget(Record):
    """What a run may use up; None: without limit."""

    dollars: float | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    minutes: float | None = Field(default=None, ge=0)


class Tally(Record):
    """What one agent's calls took; `uncounted` are calls whose tokens were estimated from their characters."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    uncounted: int = 0

    def plus(self, call: Call) -> "Tally":
        """With one call more."""
        read, written = tokens_of(call)
        return Tally(
            calls=self.calls + 1,
            input_tokens=self.input_tokens + read,
            output_tokens=self.output_tokens + written,
            uncounted=self.uncounted + (not call.input_tokens),
        )


class Desk:
    """Asks the model behind `transcripts` for the agents, as long as the budget lasts.

    Calls that an earlier run of the same command made are counted like new ones: so a run that goes on takes the same
    course as one that was never stopped.
    """

    def __init__(self, transcripts: Transcripts, decoding: Decoding, price: Price, budget: Budget) -> None:
        self._transcripts = transcripts
        self._longest = decoding.max_tokens
        self.price = price
        self.budget = budget
        self.tallies: dict[Agent, Tally] = {agent: Tally() for agent in AGENTS}
        self.spent = False
        self.why = ""
        self._begun = time.monotonic()

    def ask(self, agent: Agent, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
        """The calls for the first of `requests` that the budget allows; `spent` tells that it did not allow all.

        A limit of minutes is looked at every few calls, since those of a local model may take a minute each.
        """
        allowed = requests[: self._allowed(requests)]
        few = _BETWEEN_LOOKS if self.budget.minutes is not None else max(1, len(allowed))
        calls: list[Call] = []
        for start in range(0, len(allowed), few):
            if start and self._is_late():
                break
            calls += self._transcripts.ask(allowed[start : start + few], form)
        self.spent = self.spent or len(calls) < len(requests)
        for call in calls:
            self.tallies[agent] = self.tallies[agent].plus(call)
        return calls

    @property
    def tokens(self) -> int:
        """All tokens so far, read and written."""
        return sum(tally.input_tokens + tally.output_tokens for tally in self.tallies.values())

    @property
    def dollars(self) -> float:
        """What they cost."""
        return sum(self.price.of(tally.input_tokens, tally.output_tokens) for tally in self.tallies.values())

    def _allowed(self, requests: Sequence[GenerationRequest]) -> int:
        """How many of the requests fit in what is left, each with the longest answer that it can have."""
        if self.spent or self._is_late():
            return 0
        tokens, dollars = self.tokens, self.dollars
        for number, request in enumerate(requests):
            read = sum(len(message.content) for message in request.messages()) // _CAREFUL
            tokens += read + self._longest
            dollars += self.price.of(read, self._longest)
            if self._over(tokens, dollars):
                self.why = f"the budget is used up: {self.tokens} tokens, {self.dollars:.4f} dollars"
                return number
        return len(requests)

    def _is_late(self) -> bool:
        late = self.budget.minutes is not None and time.monotonic() - self._begun >= 60 * self.budget.minutes
        if late:
            self.why = f"the {self.budget.minutes:g} minutes are over"
        return late

    def _over(self, tokens: int, dollars: float) -> bool:
        most_tokens, most_dollars = self.budget.tokens, self.budget.dollars
        return (most_tokens is not None and tokens > most_tokens) or (
            most_dollars is not None and dollars > most_dollars
        )

    def account(self, accepted: int) -> dict[str, Any]:
        """Tokens and dollars per agent, in all, and per accepted dialogue (None where there is none)."""
        each = {agent: _told(tally, self.price) for agent, tally in self.tallies.items()}
        return {
            "agents": each,
            "calls": sum(tally.calls for tally in self.tallies.values()),
            "tokens": self.tokens,
            "dollars": round(self.dollars, 6),
            "tokens_per_accepted": round(self.tokens / accepted) if accepted else None,
            "dollars_per_accepted": round(self.dollars / accepted, 6) if accepted else None,
        }


def tokens_of(call: Call) -> tuple[int, int]:
    """Tokens read and written; estimated where the provider counts none."""
    if call.input_tokens:
        return call.input_tokens, call.output_tokens
    read = sum(len(message.content) for message in call.messages)
    return read // CHARACTERS_PER_TOKEN, len(call.answer) // CHARACTERS_PER_TOKEN


def _told(tally: Tally, price: Price) -> Mapping[str, Any]:
    dollars = round(price.of(tally.input_tokens, tally.output_tokens), 6)
    return {**tally.model_dump(mode="json"), "dollars": dollars}
