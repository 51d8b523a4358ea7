"""One attempt at a dialogue on its way through agents 3, 4 and 5."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apigap.apibank_generator.agents.prompts import dialogue_prompt, prompt_of, query_prompt, tester_prompt
from apigap.apibank_generator.answers import CallAnswer, DialogueAnswer, QueryAnswer
from apigap.apibank_generator.api_pool import Pool, interface
from apigap.apibank_generator.records import (
    SEARCH,
    UNDER_WAY,
    Ability,
    Agent,
    Dialogue,
    Exchange,
    Fault,
    Provenance,
    Query,
    Step,
    Tool,
    Verdict,
)
from apigap.models.transcripts import Call

_MOST_CHARACTERS, _MOST_APIS = 4000, 10
"""Of a query that is kept: more than any has that holds."""


@dataclass
class Attempt:
    """A dialogue in the making, as far as it has come; `verdict` ends it."""

    number: int
    ability: Ability
    domain: str
    offered: Sequence[Tool]
    avoid: Sequence[str] = ()
    query: Query | None = None
    exchanges: tuple[Exchange, ...] = ()
    verdict: Verdict | None = None
    _refused: Query | None = field(default=None, init=False)
    _made: Provenance | None = field(default=None, init=False)

    @property
    def id(self) -> str:
        """Its number as a name that sorts."""
        return f"{self.number:05d}"

    @property
    def chosen(self) -> list[Tool]:
        """The APIs that the query is for."""
        names = self.query.apis if self.query else ()
        return [tool for name in names for tool in self.offered if tool.name == name]

    def prompt(self, agent: Agent) -> str:
        """The agent's prompt for it."""
        if agent == "query":
            return query_prompt(self.ability, self.offered, self.avoid)
        assert self.query is not None
        if agent == "dialogue":
            return dialogue_prompt(self.query, self.chosen)
        return tester_prompt(self.record(), self.chosen)

    def take_query(self, answer: QueryAnswer, call: Call) -> None:
        """Keep what agent 3 wrote."""
        self.query = self._query(answer, call)

    def refuse_query(self, answer: QueryAnswer, fault: Fault, call: Call) -> None:
        """End it with a query that does not hold, which is kept for readers alone."""
        self._refused = self._query(answer, call)
        self.reject("query", fault, call)

    def take_dialogue(self, answer: DialogueAnswer, call: Call, pool: Pool) -> None:
        """Keep what agent 4 wrote; the results of searches are the interfaces of what is called next."""
        assert self.query is not None
        first = Exchange(user=self.query.text, steps=_steps(answer.calls, pool), reply=answer.reply.strip())
        more = (
            Exchange(user=" ".join(turn.user.split()), steps=_steps(turn.calls, pool), reply=turn.reply.strip())
            for turn in answer.follow_up
        )
        self.exchanges = (first, *more)
        self._made = prompt_of("dialogue").provenance(call)

    def reject(self, agent: Agent, fault: Fault, call: Call | None = None) -> None:
        """End it; `agent` is the one whose work does not hold, or the tester that says so."""
        provenance = prompt_of(agent).provenance(call) if call is not None else None
        self.verdict = Verdict(accepted=False, by=agent, reason=fault.reason, note=fault.note, provenance=provenance)

    def accept(self, note: str, call: Call) -> None:
        """End it well."""
        self.verdict = Verdict(accepted=True, by="tester", note=note, provenance=prompt_of("tester").provenance(call))

    def record(self) -> Dialogue:
        """The record of the attempt; before its end that of a dialogue that is under way to the next agent."""
        return Dialogue(
            id=self.id,
            ability=self.ability,
            domain=self.domain,
            offered=tuple(tool.name for tool in self.offered),
            query=self.query or self._refused,
            exchanges=self.exchanges,
            provenance=self._made,
            verdict=self.verdict or Verdict(accepted=False, by=self._next_agent, reason=UNDER_WAY),
        )

    @property
    def _next_agent(self) -> Agent:
        if self.query is None:
            return "query"
        return "tester" if self.exchanges else "dialogue"

    def _query(self, answer: QueryAnswer, call: Call) -> Query:
        return Query(
            text=" ".join(answer.query.split())[:_MOST_CHARACTERS],
            ability=self.ability,
            domain=self.domain,
            apis=tuple(name[:_MOST_CHARACTERS] for name in answer.apis[:_MOST_APIS]),
            provenance=prompt_of("query").provenance(call),
        )


def _steps(calls: Sequence[CallAnswer], pool: Pool) -> tuple[Step, ...]:
    """The calls; a search gets the interface of the API that is called after it."""
    steps: list[Step] = []
    for place, call in enumerate(calls):
        result = call.result
        if call.api == SEARCH:
            following = next((later.api for later in calls[place + 1 :] if later.api != SEARCH), "")
            result = interface(pool.by_name[following]) if following in pool.by_name else {}
        steps.append(Step(api=call.api, arguments=call.arguments, result=result))
    return tuple(steps)
