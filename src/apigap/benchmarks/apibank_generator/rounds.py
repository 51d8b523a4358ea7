"""Agents 3, 4 and 5: attempts go through them in rounds, until all that was ordered is there or nothing more can be."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from pydantic import BaseModel

from apigap.benchmarks.apibank_generator.answers import DialogueAnswer, QueryAnswer, VerdictAnswer, read
from apigap.benchmarks.apibank_generator.attempt import Attempt
from apigap.benchmarks.apibank_generator.checks.dialogues import dialogue_faults
from apigap.benchmarks.apibank_generator.checks.evaluation import Evaluation
from apigap.benchmarks.apibank_generator.checks.likeness import QUERIES, Seen
from apigap.benchmarks.apibank_generator.checks.queries import APIS_OF, query_faults
from apigap.benchmarks.apibank_generator.checks.words import is_copied, shown
from apigap.benchmarks.apibank_generator.desk import Desk
from apigap.benchmarks.apibank_generator.order import Order
from apigap.benchmarks.apibank_generator.pool import Pool
from apigap.benchmarks.apibank_generator.records import Ability, Agent, Dialogue, Fault, Tool
from apigap.models.request import GenerationRequest
from apigap.models.transcripts import Call
from apigap.retrieval.embedder import Embedder

F = TypeVar("F", bound=BaseModel)
_AT_ONCE = 16
_AVOIDED = 3
Advance = Callable[[int, int], None]


class Rounds:
    """The attempts of one order over the APIs of `pool`; `evaluation` are the texts that must not come back."""

    def __init__(
        self, order: Order, pool: Pool, desk: Desk, embedder: Embedder, evaluation: Evaluation, advance: Advance
    ) -> None:
        self._order = order
        self._pool = pool
        self._desk = desk
        self._queries = Seen(embedder, QUERIES, evaluation.asked)
        self._evaluation = evaluation
        self._advance = advance
        self._attempts: list[Attempt] = []
        self._accepted_of_domain: Counter[str] = Counter()
        self._accepted_of_api: Counter[str] = Counter()

    def run(self) -> str | None:
        """Work until the order is filled; else the answer says why it could not be."""
        while self._accepted() < self._order.count:
            self._advance(self._accepted(), self._order.count)
            attempts = list(self._next())
            if not attempts:
                return self._why_none()
            self._round(attempts)
            if self._desk.spent:
                break
        self._advance(self._accepted(), self._order.count)
        return self._desk.why if self._accepted() < self._order.count else None

    @property
    def dialogues(self) -> list[Dialogue]:
        """All attempts that an agent was asked for, accepted or not."""
        return [attempt.record() for attempt in self._attempts]

    def _accepted(self, ability: Ability | None = None) -> int:
        return sum(
            1
            for attempt in self._attempts
            if attempt.verdict and attempt.verdict.accepted and ability in (None, attempt.ability)
        )

    def _why_none(self) -> str:
        if len(self._attempts) >= self._most_attempts:
            return f"{len(self._attempts)} attempts were made, and the order allows no more (see --attempts)"
        return "no domain has APIs enough that are below their caps (see --per-domain, --per-api, --domains)"

    @property
    def _most_attempts(self) -> int:
        return self._order.attempts * self._order.count

    def _next(self) -> Iterator[Attempt]:
        """The attempts of the next round: as many as are still wanted of each ability, in turns over the domains."""
        room = min(_AT_ONCE, self._most_attempts - len(self._attempts))
        tried = Counter(attempt.domain for attempt in self._attempts)
        started = Counter[str]()
        for ability in self._order.abilities:
            for _ in range(self._order.target(ability) - self._accepted(ability)):
                domain = self._domain_for(ability, tried, started)
                if domain is None or not room:
                    break
                yield self._attempt(len(self._attempts) + sum(started.values()), ability, domain, started[domain])
                started[domain] += 1
                room -= 1

    def _domain_for(self, ability: Ability, tried: Counter[str], started: Counter[str]) -> str | None:
        """The domain that was tried least, of those that have room and APIs enough."""
        cap = self._order.cap(self._order.per_domain, len(self._pool.by_domain))
        open_ = [
            domain
            for domain in self._pool.by_domain
            if self._accepted_of_domain[domain] + started[domain] < cap
            and len(self._below_cap(domain)) >= APIS_OF[ability][0]
        ]
        return min(open_, key=lambda domain: tried[domain] + started[domain], default=None)

    def _below_cap(self, domain: str) -> list[Tool]:
        return [tool for tool in self._pool.by_domain[domain] if self._accepted_of_api[tool.name] < self._api_cap]

    @property
    def _api_cap(self) -> int:
        return self._order.cap(self._order.per_api, len(self._pool.tools))

    def _attempt(self, number: int, ability: Ability, domain: str, shift: int) -> Attempt:
        """An attempt that is offered the APIs with the fewest dialogues; which comes first goes round."""
        own = [attempt for attempt in self._attempts if attempt.domain == domain]
        used = Counter(name for attempt in own if attempt.query for name in attempt.query.apis)
        tools = self._below_cap(domain)
        turned = tools[shift % len(tools) :] + tools[: shift % len(tools)]
        offered = sorted(turned, key=lambda tool: used[tool.name])[: self._order.offered]
        texts = [attempt.query.text for attempt in own if attempt.query]
        return Attempt(number, ability, domain, offered, texts[-_AVOIDED:])

    def _round(self, attempts: Sequence[Attempt]) -> None:
        asked = self._ask("query", attempts, QueryAnswer, self._order.temperature)
        self._attempts += [attempt for attempt, _, _ in asked]
        for attempt, call, answer in asked:
            self._take_query(attempt, call, answer)
        self._drop_alike([attempt for attempt, _, _ in asked if attempt.query])
        self._write([attempt for attempt, _, _ in asked if attempt.verdict is None])
        self._test([attempt for attempt, _, _ in asked if attempt.verdict is None])

    def _take_query(self, attempt: Attempt, call: Call, answer: QueryAnswer | Fault) -> None:
        if isinstance(answer, Fault):
            attempt.reject("query", answer, call)
            return
        fault = self._query_fault(attempt, answer)
        if fault is None:
            attempt.take_query(answer, call)
        else:
            attempt.reject("query", fault, call)

    def _query_fault(self, attempt: Attempt, answer: QueryAnswer) -> Fault | None:
        fault = next(query_faults(answer, attempt.ability, attempt.offered), None)
        if fault is not None:
            return fault
        full = [name for name in answer.apis if self._accepted_of_api[name] >= self._api_cap]
        return Fault("api_full", f"{full[0]} is in {self._api_cap} dialogues") if full else None

    def _drop_alike(self, attempts: Sequence[Attempt]) -> None:
        texts = [attempt.query.text for attempt in attempts if attempt.query]
        for attempt, fault in zip(attempts, self._queries.judge(texts), strict=True):
            if fault is not None:
                attempt.reject("query", fault)

    def _write(self, attempts: Sequence[Attempt]) -> None:
        for attempt, call, answer in self._ask("dialogue", attempts, DialogueAnswer, self._order.temperature):
            if isinstance(answer, Fault):
                attempt.reject("dialogue", answer, call)
                continue
            attempt.take_dialogue(answer, call, self._pool)
            fault = self._dialogue_fault(attempt)
            if fault is not None:
                attempt.reject("dialogue", fault, call)

    def _dialogue_fault(self, attempt: Attempt) -> Fault | None:
        assert attempt.query is not None
        chosen = {tool.name: tool for tool in attempt.chosen}
        fault = next(dialogue_faults(attempt.query, attempt.exchanges, chosen, self._pool.by_name), None)
        return fault or self._search_fault(attempt) or self._overlap(attempt)

    def _search_fault(self, attempt: Attempt) -> Fault | None:
        steps = [step for exchange in attempt.exchanges for step in exchange.steps]
        for search, step in pairwise(steps):
            keywords = str(search.arguments.get("keywords", ""))
            if search.is_search and not self._pool.finds(keywords, step.api):
                return Fault("search_finds_another", f"{shown(keywords)} does not find {step.api}")
        return None

    def _overlap(self, attempt: Attempt) -> Fault | None:
        return self._evaluation.fault([text for one in attempt.exchanges for text in (one.user, one.reply)])

    def _test(self, attempts: Sequence[Attempt]) -> None:
        for attempt, call, answer in self._ask("tester", attempts, VerdictAnswer, 0.0):
            if isinstance(answer, Fault):
                attempt.reject("tester", answer, call)
            elif is_copied(answer.reason, attempt.prompt("tester")):
                attempt.reject("tester", Fault("verdict_copied", shown(answer.reason)), call)
            elif answer.broken_principles:
                attempt.reject("tester", Fault(answer.broken_principles[0], answer.reason), call)
            else:
                attempt.accept(answer.reason, call)
                assert attempt.query is not None
                self._accepted_of_domain[attempt.domain] += 1
                self._accepted_of_api.update(attempt.query.apis)

    def _ask(
        self, agent: Agent, attempts: Sequence[Attempt], form: type[F], temperature: float
    ) -> list[tuple[Attempt, Call, F | Fault]]:
        """The answers for the first attempts that the budget allows; the others that have begun end here."""
        requests = [
            GenerationRequest(
                key=f"{agent}/{attempt.id}",
                prompt=attempt.prompt(agent),
                temperature=temperature,
                seed=self._order.seed,
            )
            for attempt in attempts
        ]
        calls = self._desk.ask(agent, requests, form) if requests else []
        for attempt in attempts[len(calls) :]:
            attempt.reject(agent, Fault("budget", f"the {agent} agent was not asked"))
        return [(attempt, call, read(call, form)) for attempt, call in zip(attempts, calls, strict=False)]
