"""Records of the generator: domains, APIs, queries, dialogues and verdicts, each with its provenance."""

import json
from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from pydantic import Field

from apigap.records.base import Json, Record

Ability = Literal["call", "retrieve+call", "plan+retrieve+call"]
ABILITIES: tuple[Ability, ...] = get_args(Ability)
"""Skills that a dialogue trains: to call what is described; to search first; to search and call by a plan."""
APIS_PER_QUERY: Mapping[Ability, tuple[int, int]] = {
    "call": (1, 2), "retrieve+call": (1, 1), "plan+retrieve+call": (2, 3),
}  # fmt: skip
"""The least and the most APIs that a query of each ability is for."""
Agent = Literal["domains", "apis", "query", "dialogue", "tester"]
AGENTS: tuple[Agent, ...] = get_args(Agent)
ValueType = Literal["str", "int", "float", "bool", "list", "dict", "date", "time", "datetime"]
VALUE_TYPES: tuple[ValueType, ...] = get_args(ValueType)
SEARCH = "ToolSearcher"
"""The API that finds APIs; the evaluation knows it by this name."""


UNDER_WAY = "under way"
"""In the place of a reason, while an attempt waits for an agent."""


def readable_json(value: Json) -> str:
    """JSON on one line, its characters as they are."""
    return json.dumps(value, ensure_ascii=False)


class Provenance(Record):
    """The origin of a record: the agent, its prompt (file, version, hash), the model, the call in the transcripts."""

    agent: Agent
    prompt: str
    version: int
    prompt_hash: str
    model: str
    transcript: str


class Domain(Record):
    """A field of life or work that APIs are made for."""

    name: str
    description: str = ""
    provenance: Provenance | None = None


class Value(Record):
    """A parameter or an output of an API."""

    name: str
    type: ValueType
    description: str = ""
    required: bool = True


class Tool(Record):
    """An API as it is described to a model. `origin` is `agent`, or the place in the user's document."""

    name: str
    domain: str
    description: str
    inputs: tuple[Value, ...] = ()
    outputs: tuple[Value, ...] = ()
    origin: str = "agent"
    provenance: Provenance | None = None

    def input(self, name: str) -> Value | None:
        """The parameter of that name."""
        return next((value for value in self.inputs if value.name == name), None)


class Query(Record):
    """A user's first request, and those of the offered APIs that are to serve it."""

    text: str
    ability: Ability
    domain: str
    apis: tuple[str, ...]
    provenance: Provenance | None = None


class Step(Record):
    """One call and its result: of an API the values of its outputs by name, of a search the interface that it found.

    The result of a call that failed is `{"exception": "..."}`, with what API-Bank's conversations show in such a case.
    """

    api: str
    arguments: dict[str, Json] = Field(default_factory=dict)
    result: dict[str, Json] = Field(default_factory=dict)

    @property
    def is_search(self) -> bool:
        """True of a call that looks for an API."""
        return self.api == SEARCH

    @property
    def failure(self) -> str:
        """The exception's words, where that is all that the call gave; else nothing."""
        told = self.result.get("exception")
        return told.strip() if isinstance(told, str) and len(self.result) == 1 else ""


class Exchange(Record):
    """One turn: the user's words, the calls that follow them, and the reply."""

    user: str
    steps: tuple[Step, ...] = ()
    reply: str


class Fault(NamedTuple):
    """A reason of rejection (of `reasons.REASONS`), and the evidence for it."""

    reason: str
    note: str


class Verdict(Record):
    """The decision on a dialogue; `by` is the agent whose work was judged, or the tester that judged.

    `reason` is empty where it was accepted, and else one of `reasons.REASONS`.
    """

    accepted: bool
    by: Agent
    reason: str = ""
    note: str = ""
    provenance: Provenance | None = None


class Dialogue(Record):
    """One attempt at a dialogue, however far it came; a query that was refused is there too.

    Times are left out: same answers, same bytes.
    """

    id: str
    ability: Ability
    domain: str
    offered: tuple[str, ...]
    query: Query | None = None
    exchanges: tuple[Exchange, ...] = ()
    provenance: Provenance | None = None
    verdict: Verdict

    @property
    def steps(self) -> tuple[Step, ...]:
        """All calls in their order."""
        return tuple(step for exchange in self.exchanges for step in exchange.steps)

    @property
    def calls(self) -> tuple[Step, ...]:
        """The calls that are no searches."""
        return tuple(step for step in self.steps if not step.is_search)


class Rejection(Record):
    """A domain or an API, or a whole answer of those agents, that was not taken."""

    agent: Agent
    what: str
    reason: str
    note: str
    provenance: Provenance | None = None
