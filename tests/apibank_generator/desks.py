"""A desk of the tests: it answers the agents at once, with what a function says for the prompt and the attempt."""

import json
from collections.abc import Callable, Sequence
from typing import Any, cast

from pydantic import BaseModel

from apigap.apibank_generator.agents.dialogue_rounds import Rounds
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.budgeted_client import BudgetedClient
from apigap.apibank_generator.checks.evaluation import Evaluation
from apigap.apibank_generator.order import Caps, Ending, Order, caps_of
from apigap.apibank_generator.records import Agent, Dialogue, Tool, Value
from apigap.models.request import Decoding, GenerationRequest
from apigap.models.transcripts import Call
from apigap.retrieval.lexical import LexicalEmbedder
from tests.apibank_generator.obliging import ANSWERS, shown

Says = Callable[[Agent, str, int], Any]
WORDS = ("amber", "basalt", "cedar", "dune", "ember", "fjord", "garnet", "heron", "iris", "juniper", "kelp", "lichen")


class Answering:
    """In the place of a desk whose budget has no end."""

    exhausted = False
    ending: Ending | None = None

    def __init__(self, says: Says) -> None:
        self._says = says

    def ask(self, agent: Agent, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
        return [self._call(agent, request) for request in requests]

    def _call(self, agent: Agent, request: GenerationRequest) -> Call:
        number = request.key.rpartition("/")[2]
        said = self._says(agent, request.messages()[-1].content, int(number) if number.isdecimal() else 0)
        answer = said if isinstance(said, str) else json.dumps(said)
        return Call(
            purpose=request.key, model="m/x", decoding=Decoding(), messages=request.messages(), temperature=0, seed=0,
            answer=answer, stop_reason="stop",
        )  # fmt: skip


def as_client(says: Says | Answering) -> BudgetedClient:
    return cast(BudgetedClient, says if isinstance(says, Answering) else Answering(says))


def obliging(agent: Agent, prompt: str, number: int) -> Any:
    """A model that does all it is asked for, each time in other words."""
    if agent != "query":
        return ANSWERS[agent](prompt, number)
    apis = [tool["name"] for tool in shown(prompt)][: 2 if "two or three" in prompt else 1]
    return {"apis": apis, "query": words(number)}


def words(number: int) -> str:
    return "Please " + " ".join(f"{WORDS[(number + place) % 12]}{number}" for place in range(6))


def tools(domains: int, apis: int = 3) -> list[Tool]:
    """APIs whose descriptions have no word in common but the first."""
    return [
        Tool(
            name=f"Get{WORDS[number % 12].title()}{domain}",
            domain=f"domain {domain}",
            description=f"Gives {WORDS[number % 12]}{domain} {WORDS[-1 - number % 12]}of{domain}.",
            inputs=(Value(name="place", type="str", description="Where."),),
            outputs=(Value(name="found", type="str"),),
        )
        for domain in range(domains)
        for number in range(apis)
    ]


def made(
    order: Order,
    says: Says | Answering,
    given: Sequence[Tool],
    evaluation: Sequence[str] = (),
    own: bool = False,
    caps: Caps | None = None,
) -> tuple[list[Dialogue], Ending | None]:
    """The attempts of an order and why there are not more."""
    pool = Pool(given)
    caps = caps or caps_of(order, len(pool.by_domain), len(given), own)
    known = Evaluation(evaluation, [])
    rounds = Rounds(order, pool, caps, as_client(says), LexicalEmbedder(), known, lambda done, total: None)
    ending = rounds.run()
    return rounds.dialogues, ending
