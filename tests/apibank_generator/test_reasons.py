"""Every reason is one that some test really plants and finds; those that need a run are planted here."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from pydantic import BaseModel

from apigap.apibank_generator.agents.domains_and_apis import ApiDesigner
from apigap.apibank_generator.agents.prompts import prompt_of
from apigap.apibank_generator.checks.likeness import QUERIES, LikenessIndex
from apigap.apibank_generator.order import Order
from apigap.apibank_generator.reasons import PRINCIPLES, REASONS
from apigap.apibank_generator.records import Agent, Dialogue, Domain, Rejection
from apigap.apibank_generator.run import Folder
from apigap.models.request import GenerationRequest
from apigap.models.transcripts import Call
from apigap.records.store import load_records
from apigap.retrieval.lexical import LexicalEmbedder
from tests.apibank_generator.desks import Answering, Says, as_client, made, obliging, tools
from tests.apibank_generator.test_checks import API_FAULTS, DIALOGUES, QUERY_FAULTS, UNREADABLE, ByTopic
from tests.apibank_generator.test_rounds import api

KNOWN = "I would like to take the slow boat to the island in the morning."


def saying(agent: Agent, said: Any) -> Says:
    """A model that does all it is asked for, but for what one agent says."""

    def says(asked: Agent, prompt: str, number: int) -> Any:
        return obliging(asked, prompt, number) if asked != agent else said

    return says


def found_in_a_run(says: Says) -> set[str]:
    order = Order(count=4, abilities=("call",), per_domain=4, per_api=2, attempts=1)
    dialogues, _ = made(order, says, tools(1), [KNOWN])
    return {one.verdict.reason for one in dialogues if not one.verdict.accepted}


def first_api(agent: Agent, prompt: str, number: int) -> Any:
    said = obliging(agent, prompt, number)
    return {**said, "apis": ["GetAmber0"]} if agent == "query" else said


def known_reply(agent: Agent, prompt: str, number: int) -> Any:
    said = obliging(agent, prompt, number)
    return {**said, "reply": f"You said: {KNOWN}"} if agent == "dialogue" else said


PROMPT = next(line for line in prompt_of("tester").text.splitlines() if len(line.split()) > 4)
RUNS: list[tuple[str, Says]] = [
    ("api_full", first_api),
    ("dialogue_of_evaluation", known_reply),
    ("query_of_evaluation", saying("query", {"apis": ["GetAmber0"], "query": KNOWN})),
    ("verdict_copied", saying("tester", {"reason": PROMPT, "broken": []})),
    *((name, saying("tester", {"reason": "so it is", "broken": [name]})) for name in PRINCIPLES),
]


@pytest.mark.parametrize(("reason", "says"), RUNS, ids=[row[0] for row in RUNS])
def test_faults_that_a_run_finds(reason: str, says: Says) -> None:
    assert reason in found_in_a_run(says)


def like_another_one() -> set[str]:
    seen = LikenessIndex(ByTopic(), QUERIES)
    faults = seen.judge(["How many gulls live on the roof of our house?", "Tell me the number of sea gulls above us."])
    return {fault.reason for fault in faults if fault is not None}


def refused_apis(room: int) -> set[str]:
    ferry = "Finds a ferry between two ports."
    told = [api("FindFerry", ferry), api("FindFerry2", ferry), api("CountGulls", "Counts birds on a roof.")]
    client = as_client(saying("apis", {"apis": told}))
    inventor = ApiDesigner(Order(count=6, apis_per_domain=room), client, LexicalEmbedder())
    inventor.tools([Domain(name="harbours")])
    return {rejection.reason for rejection in inventor.rejections}


def cut_short() -> set[str]:
    class Cut(Answering):
        """A desk that allows a single dialogue to be written."""

        def ask(self, agent: Agent, requests: Sequence[GenerationRequest], form: type[BaseModel]) -> list[Call]:
            return super().ask(agent, requests[: 1 if agent == "dialogue" else None], form)

    dialogues, _ = made(Order(count=2, attempts=1), Cut(obliging), tools(2))
    return {one.verdict.reason for one in dialogues}


OTHERS: list[tuple[str, Callable[[], set[str]]]] = [
    ("query_alike", like_another_one),
    ("api_alike", lambda: refused_apis(3)),
    ("domain_full", lambda: refused_apis(1)),
    ("budget", cut_short),
]


@pytest.mark.parametrize(("reason", "found"), OTHERS, ids=[row[0] for row in OTHERS])
def test_faults_beside_a_run(reason: str, found: Callable[[], set[str]]) -> None:
    assert reason in found()


def test_every_reason_is_planted_and_explained(run: tuple[Folder, dict[str, Any]]) -> None:
    """The tables are of tests that fail where a reason is not found; the sixty dialogues give what is left."""
    tables = (*DIALOGUES, *QUERY_FAULTS, *API_FAULTS, *UNREADABLE, *RUNS, *OTHERS)
    refused = [one.verdict.reason for one in load_records(run[0].dialogues, Dialogue) if not one.verdict.accepted]
    others = [one.reason for one in load_records(run[0].rejections, Rejection)]
    assert {*(row[0] for row in tables), *refused, *others} == set(REASONS)
    assert set(PRINCIPLES) <= set(REASONS)
