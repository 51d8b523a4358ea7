"""The agents' prompts: versioned files, filled in whole, and nothing that a model can answer breaks what reads it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.apibank_generator.agents.attempt import Attempt
from apigap.apibank_generator.agents.prompts import apis_prompt, domains_prompt, prompt_of
from apigap.apibank_generator.answers import (
    ApiAnswer,
    ApisAnswer,
    DialogueAnswer,
    DomainsAnswer,
    QueryAnswer,
    VerdictAnswer,
    parse_answer,
)
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.checks.dialogues import dialogue_faults
from apigap.apibank_generator.checks.tools import api_faults
from apigap.apibank_generator.checks.user_words import query_faults
from apigap.apibank_generator.reasons import PRINCIPLES, REASONS
from apigap.apibank_generator.records import ABILITIES, AGENTS, Ability, Domain, Exchange, Fault, Query, Step
from tests.apibank_generator.test_checks import CABIN, FERRY, TICKET, answered

# Whoever changes a prompt counts its version up, and writes the new pair here.
VERSIONS = {
    "domains": (1, "b75ce64f3f9c4d0d"),
    "apis": (1, "d1009d841e2e26d3"),
    "query": (2, "6ec540b50f835dec"),
    "dialogue": (1, "d20b28e13a873abc"),
    "tester": (4, "469b2d39f43aafe1"),
}
POOL = Pool([FERRY, TICKET])


def texts(size: int) -> st.SearchStrategy[str]:
    """Any text, and those with half an emoji or what is not seen."""
    return st.text(max_size=size) | st.text(st.sampled_from("ab\ud83d\udfff\u202e\u00ad\U000e0041"), max_size=size)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts(20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(8), inner, max_size=3),
    max_leaves=8,
)
arguments = st.dictionaries(st.sampled_from(["port", "day", "cars", "ferry", "keywords", "x"]), anything, max_size=4)
call = st.fixed_dictionaries({"api": st.sampled_from(["FindFerry", "BuyTicket", "ToolSearcher", "", "x"]),
                              "arguments": arguments, "result": arguments})  # fmt: skip
dialogue = st.fixed_dictionaries({"calls": st.lists(call, max_size=4), "reply": texts(40)})


def test_a_changed_prompt_has_a_new_version() -> None:
    assert {agent: (prompt_of(agent).version, prompt_of(agent).hash) for agent in AGENTS} == VERSIONS


@pytest.mark.parametrize("ability", ABILITIES)
def test_every_prompt_is_filled_in(ability: Ability) -> None:
    attempt = Attempt(7, ability, "ferries", [FERRY, TICKET], ["Where is the harbour?"])
    attempt.take_query(QueryAnswer(apis=["FindFerry", "BuyTicket"], query="Bari by $sea?"), answered("{}"))
    reply = DialogueAnswer.model_validate({"calls": [], "reply": "It costs $5 {really}."})
    attempt.take_dialogue(reply, answered("{}"), POOL)
    texts = [
        domains_prompt(3, []), apis_prompt(Domain(name="ferries"), 2, ["FindFerry"], 5), attempt.prompt("query"),
        attempt.prompt("dialogue"), attempt.prompt("tester"),
    ]  # fmt: skip
    assert "Where is the harbour?" in texts[2]
    assert "Bari by $sea?" in texts[3] and "It costs $5 {really}." in texts[4]
    for text in texts:
        assert "FindFerry" in text or text is texts[0]
        assert not any(f"${word}" in text for word in ("apis", "query", "count", "domain", "examples", "order"))


def test_the_tester_knows_its_principles() -> None:
    assert all(f"- {name}:" in prompt_of("tester").text for name in PRINCIPLES)


@given(st.text(max_size=200) | anything.map(json.dumps) | dialogue.map(json.dumps))
def test_any_answer_is_read_or_refused(text: str) -> None:
    for form in (DomainsAnswer, ApisAnswer, QueryAnswer, DialogueAnswer, VerdictAnswer):
        found = parse_answer(answered(text), form)
        assert isinstance(found, form) or found.reason == "unreadable"


@settings(max_examples=60)
@given(dialogue, st.sampled_from(ABILITIES))
def test_any_dialogue_is_checked(said: dict[str, Any], ability: Ability) -> None:
    attempt = Attempt(0, ability, "ferries", [FERRY, TICKET])
    attempt.take_query(QueryAnswer(apis=["FindFerry"], query="Which ship leaves Bari?"), answered("{}"))
    answer = parse_answer(answered(json.dumps(said)), DialogueAnswer)
    if isinstance(answer, Fault):
        assert_known([answer])
        return
    attempt.take_dialogue(answer, answered("{}"), POOL)
    assert attempt.query is not None
    faults = list(dialogue_faults(attempt.query, attempt.exchanges, {"FindFerry": FERRY}, POOL.by_name))
    assert_known(faults)
    assert attempt.record().to_line()


@given(st.dictionaries(texts(4), anything, max_size=3))
def test_what_has_no_fault_can_be_written(cabin: dict[str, Any]) -> None:
    step = Step(api="GetCabin", arguments={"beds": 2}, result={"cabin": cabin})
    query = Query(text="Show me a cabin for two.", ability="call", domain="ferries", apis=("GetCabin",))
    exchange = Exchange(user=query.text, steps=(step,), reply="Here it is.")
    if not list(dialogue_faults(query, [exchange], {"GetCabin": CABIN}, {"GetCabin": CABIN})):
        assert json.dumps(cabin, ensure_ascii=False).encode("utf-8")


@given(texts(60), st.lists(texts(12), max_size=3), st.sampled_from(ABILITIES))
def test_any_query_is_checked(text: str, apis: list[str], ability: Ability) -> None:
    assert_known(list(query_faults(QueryAnswer(apis=apis, query=text), ability, [FERRY, TICKET])))


@given(texts(30), texts(30), st.text(max_size=12), st.text(max_size=12))
def test_any_api_is_checked(name: str, description: str, parameter: str, kind: str) -> None:
    value = {"name": parameter, "type": kind, "description": description}
    answer = ApiAnswer.model_validate(
        {"name": name, "description": description, "parameters": [value], "outputs": [value]}
    )
    assert_known(list(api_faults(answer, set())))


def assert_known(faults: list[Fault]) -> None:
    assert {fault.reason for fault in faults} <= set(REASONS)


@pytest.mark.parametrize(
    ("answer", "broken"),
    [
        ('{"reason": "", "broken": []}', []),
        ('{"broken": []}', None),
        ('{"reason": "so", "broken": ["Not served", " reply_not_faithful"]}', ["reply_not_faithful", "not_served"]),
        ('{"reason": "", "broken": ["the principles above that are broken; empty where all hold"]}', None),
        ('{"reason": "", "broken": ["none"]}', None),
        ('{"reason": "", "broken": "none"}', None),
        ('{"reason": "all is well"}', None),
    ],
)
def test_a_verdict_that_names_no_principle_is_none(answer: str, broken: list[str] | None) -> None:
    found = parse_answer(answered(answer), VerdictAnswer)
    assert (None if isinstance(found, Fault) else found.broken_principles) == broken
