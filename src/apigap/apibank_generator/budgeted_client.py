"""Asking within a budget: every call goes through here and is counted for the agent that made it."""

import functools
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from apigap.apibank_generator.order import Ending
from apigap.apibank_generator.records import AGENTS, Agent
from apigap.models.request import Decoding, GenerationRequest, Message
from apigap.models.transcripts import Call, Transcripts, size_of, tokens_of
from apigap.records.base import Record

_BETWEEN_LOOKS = 4
_SPARE = 2


class Tally(Record):
    """Calls and tokens of one agent; `uncounted` are calls whose tokens were estimated from their characters."""

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


class Price(Record):
    """Dollars per million tokens, read and written."""

    input: float = Field(default=0.0, ge=0)
    output: float = Field(default=0.0, ge=0)

    def of(self, read: int, written: int) -> float:
        """Dollars for so many tokens."""
        return (read * self.input + written * self.output) / 1e6

    def cost_of(self, tally: Tally) -> float:
        """Dollars for all tokens of an agent."""
        return self.of(tally.input_tokens, tally.output_tokens)


class Budget(Record):
    """Limits of a run; None: without limit. Dollars are counted only where there is a price."""

    dollars: float | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    minutes: float | None = Field(default=None, ge=0)


class BudgetedClient:
    """Asks the model behind `transcripts` for the agents, as long as the budget lasts; `ending` says when it does not.

    Calls that an earlier run of the same command made are counted like new ones: so a run that goes on takes the same
    course as one that was never stopped.
    """

    def __init__(self, transcripts: Transcripts, decoding: Decoding, price: Price | None, budget: Budget) -> None:
        self._transcripts = transcripts
        self._bounds = TokenBounds(decoding.max_tokens)
        self.price = price
        self.budget = budget
        self.tallies: dict[Agent, Tally] = {agent: Tally() for agent in AGENTS}
        self.ending: Ending | None = None
        self.watch: Callable[[Agent, int, int], None] = lambda agent, done, of: None
        """Told of the calls of an agent that a model is asked for: how many are answered, of how many."""
        self._begun = time.monotonic()

    @property
    def exhausted(self) -> bool:
        """True when the budget did not allow all that was to be asked."""
        return self.ending is not None

    def ask(self, agent: Agent, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
        """The calls for the first requests, as many as the budget allows; `exhausted` says that some were left out."""
        calls: list[Call] = []
        while len(calls) < len(requests):
            rest = requests[len(calls) :]
            group = rest[: self._allowed(rest, form)]
            if not group:
                break
            made = self._transcripts.ask(group, form, functools.partial(self.watch, agent))
            for call in made:
                self.tallies[agent] = self.tallies[agent].plus(call)
                self._bounds.learn(call, form)
            calls += made
        return calls

    @property
    def tokens(self) -> int:
        """All tokens so far, read and written."""
        return sum(tally.input_tokens + tally.output_tokens for tally in self.tallies.values())

    @property
    def dollars(self) -> float | None:
        """Dollars spent so far; None where there is no price."""
        return None if self.price is None else sum(self.price.cost_of(tally) for tally in self.tallies.values())

    def _allowed(self, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> int:
        """The number of requests to send before the next check: all where plenty is left, few where not.

        A limit of minutes is checked every few calls, since those of a local model may take a minute each.
        """
        if self.exhausted or self._is_late():
            return 0
        fitting = self._fitting(requests, form)
        if not fitting:
            self.ending = self._used_up(requests[0], form)
        plenty = fitting == len(requests) == self._fitting(requests, form, _SPARE)
        most = len(requests) if self.budget.minutes is None else _BETWEEN_LOOKS
        return min(most, fitting if plenty else -(-fitting // 2))

    def _fitting(self, requests: Sequence[GenerationRequest], form: type[BaseModel], times: int = 1) -> int:
        """The number of requests that fit in what is left, if each takes `times` as much as estimated."""
        tokens, dollars = self.tokens, self.dollars or 0.0
        for number, request in enumerate(requests):
            read, written = (times * size for size in self._bounds.of(request, form))
            tokens += read + written
            dollars += self.price.of(read, written) if self.price else 0.0
            if _exceeds(tokens, self.budget.tokens) or _exceeds(dollars, self.budget.dollars):
                return number
        return len(requests)

    def _used_up(self, request: GenerationRequest, form: type[BaseModel]) -> Ending:
        tokens_are = _exceeds(self.tokens + sum(self._bounds.of(request, form)), self.budget.tokens)
        amount = f"{self.tokens} tokens" + ("" if self.dollars is None else f", {self.dollars:.4f} dollars")
        option = "--max-tokens" if tokens_are else "--max-dollars"
        return Ending(f"the budget is used up: {amount}", f"the same command with a larger {option} goes on from here")

    def _is_late(self) -> bool:
        late = self.budget.minutes is not None and time.monotonic() - self._begun >= 60 * self.budget.minutes
        if late:
            why = f"the {self.budget.minutes:g} minutes are over"
            self.ending = Ending(why, "the same command goes on from here, for as many minutes again")
        return late

    def account(self, accepted: int) -> dict[str, Any]:
        """Tokens and dollars per agent, in all, and per accepted dialogue; dollars are None where there is no price."""
        dollars = self.dollars
        return {
            "agents": {agent: self._with_dollars(tally) for agent, tally in self.tallies.items()},
            "calls": sum(tally.calls for tally in self.tallies.values()),
            "tokens": self.tokens,
            "dollars": None if dollars is None else round(dollars, 6),
            "tokens_per_accepted": round(self.tokens / accepted) if accepted else None,
            "dollars_per_accepted": None if dollars is None or not accepted else round(dollars / accepted, 6),
        }

    def _with_dollars(self, tally: Tally) -> Mapping[str, Any]:
        dollars = None if self.price is None else round(self.price.cost_of(tally), 6)
        return {**tally.model_dump(mode="json"), "dollars": dollars}


def _exceeds(amount: float, most: float | None) -> bool:
    return most is not None and amount > most


_CAREFUL = 3
"""Fewer, so that what is set aside for a call before it is made is rather too much."""


class TokenBounds:
    """Upper bounds of what calls take, with answers of at most `longest` tokens; finished calls correct them."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._ratio = 1.0

    def of(self, request: GenerationRequest, form: type[BaseModel]) -> tuple[int, int]:
        """Tokens that the call will read and write, rather too many. The schema of `form` may be sent with it."""
        return math.ceil(self._ratio * _bytes_of(request.messages(), form) / _CAREFUL), self._longest

    def learn(self, call: Call, form: type[BaseModel]) -> None:
        """Raise the bounds to a call that took more than they say."""
        reckoned = _bytes_of(call.messages, form) / _CAREFUL
        self._ratio = max(self._ratio, call.input_tokens / reckoned)
        self._longest = max(self._longest, call.output_tokens)


def _bytes_of(messages: tuple[Message, ...], form: type[BaseModel]) -> int:
    return sum(size_of(message.content) for message in messages) + _schema_bytes(form)


@functools.cache
def _schema_bytes(form: type[BaseModel]) -> int:
    return size_of(json.dumps(form.model_json_schema()))
