"""Agents 3, 4 and 5: attempts go through them in rounds, until all that was ordered is there or nothing more can be."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeVar

from pydantic import BaseModel

from apigap.apibank_generator.agents.attempt import Attempt
from apigap.apibank_generator.agents.planning import Plan
from apigap.apibank_generator.answers import DialogueAnswer, QueryAnswer, VerdictAnswer, parse_answer
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.budgeted_client import BudgetedClient
from apigap.apibank_generator.checks.dialogues import dialogue_faults
from apigap.apibank_generator.checks.evaluation import Evaluation
from apigap.apibank_generator.checks.likeness import QUERIES, LikenessIndex
from apigap.apibank_generator.checks.texts import abridged, is_copied
from apigap.apibank_generator.checks.user_words import LEAST_WORDS, query_faults
from apigap.apibank_generator.order import Caps, Ending, Order
from apigap.apibank_generator.records import Agent, Dialogue, Fault
from apigap.models.request import GenerationRequest
from apigap.models.transcripts import Call
from apigap.retrieval.embedder import Embedder

F = TypeVar("F", bound=BaseModel)
Advance = Callable[[int, int], None]


class Rounds:
    """The attempts of one order over the APIs of `pool`; `evaluation` are the texts that must not come back."""

    def __init__(
        self,
        order: Order,
        pool: Pool,
        caps: Caps,
        client: BudgetedClient,
        embedder: Embedder,
        evaluation: Evaluation,
        advance: Advance,
    ) -> None:
        self._order = order
        self._pool = pool
        self._plan = Plan(order, pool, caps)
        self._client = client
        self._said = LikenessIndex(embedder, QUERIES, evaluation.asked)
        self._evaluation = evaluation
        self._advance = advance

    def extend(self, order: Order, pool: Pool, caps: Caps) -> None:
        """Go on by a larger order, over the same APIs and perhaps more."""
        self._order = order
        self._pool = pool
        self._plan.extend(order, pool, caps)

    def run(self) -> Ending | None:
        """Work until the order is filled; else the answer says why it could not be."""
        while self._plan.accepted < self._order.count:
            self._advance(self._plan.accepted, self._order.count)
            attempts = self._plan.next_round()
            if not attempts:
                return self._plan.ending()
            self._round(attempts)
            if self._client.exhausted:
                break
        self._advance(self._plan.accepted, self._order.count)
        return self._client.ending if self._plan.accepted < self._order.count else None

    @property
    def dialogues(self) -> list[Dialogue]:
        """All attempts that an agent was asked for, accepted or not."""
        return [attempt.record() for attempt in self._plan.attempts]

    def _round(self, attempts: Sequence[Attempt]) -> None:
        asked = self._ask("query", attempts, QueryAnswer, self._order.temperature)
        self._plan.attempts += [attempt for attempt, _, _ in asked]
        pending: Counter[str] = Counter()
        for attempt, call, answer in asked:
            self._take_query(attempt, call, answer, pending)
        self._drop_alike([attempt for attempt, _, _ in asked if attempt.query])
        self._write([attempt for attempt, _, _ in asked if attempt.verdict is None])
        self._test([attempt for attempt, _, _ in asked if attempt.verdict is None])

    def _take_query(self, attempt: Attempt, call: Call, answer: QueryAnswer | Fault, pending: Counter[str]) -> None:
        """Keep a query; `pending` counts the APIs of those that the round has taken, which all may be accepted."""
        if isinstance(answer, Fault):
            attempt.reject("query", answer, call)
            return
        fault = next(query_faults(answer, attempt.ability, attempt.offered), None)
        full = self._plan.full(answer.apis, pending)
        if fault is None and full is not None:
            fault = Fault("api_full", f"{full} is in {self._plan.caps.api} dialogues, or will be by this round")
        if fault is None:
            attempt.take_query(answer, call)
            pending.update(answer.apis)
        else:
            attempt.refuse_query(answer, fault, call)

    def _drop_alike(self, attempts: Sequence[Attempt]) -> None:
        texts = [attempt.query.text for attempt in attempts if attempt.query]
        for attempt, fault in zip(attempts, self._said.judge(texts), strict=True):
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
        if fault is None:
            texts = [text for one in attempt.exchanges for text in (one.user, one.reply)]
            fault = self._search_fault(attempt) or self._evaluation.fault(texts) or self._repetition_fault(attempt)
        return fault

    def _search_fault(self, attempt: Attempt) -> Fault | None:
        steps = [step for exchange in attempt.exchanges for step in exchange.steps]
        for search, step in pairwise(steps):
            keywords = str(search.arguments.get("keywords", ""))
            if search.is_search and not self._pool.finds(keywords, step.api):
                return Fault("search_finds_another", f"{abridged(keywords)} does not find {step.api}")
        return None

    def _repetition_fault(self, attempt: Attempt) -> Fault | None:
        """The fault of later words that are not as new as the first; a few words ("Thanks.") are anybody's."""
        texts = [one.user for one in attempt.exchanges[1:] if len(one.user.split()) >= LEAST_WORDS]
        return next((fault for fault in self._said.judge(texts) if fault is not None), None)

    def _test(self, attempts: Sequence[Attempt]) -> None:
        for attempt, call, answer in self._ask("tester", attempts, VerdictAnswer, 0.0):
            if isinstance(answer, Fault):
                attempt.reject("tester", answer, call)
            elif is_copied(answer.reason, attempt.prompt("tester")):
                attempt.reject("tester", Fault("verdict_copied", abridged(answer.reason)), call)
            elif answer.broken_principles:
                attempt.reject("tester", Fault(answer.broken_principles[0], answer.reason), call)
            else:
                attempt.accept(answer.reason, call)
                self._plan.count_accepted(attempt)

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
        calls = self._client.ask(agent, requests, form) if requests else []
        for attempt in attempts[len(calls) :]:
            attempt.reject(agent, Fault("budget", f"the {agent} agent was not asked"))
        return [(attempt, call, parse_answer(call, form)) for attempt, call in zip(attempts, calls, strict=False)]
