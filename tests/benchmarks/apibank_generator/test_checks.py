"""Planted faults: each is found, with its own reason, and what they were planted in has none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from apigap.benchmarks.apibank_generator.answers import (
    ApiAnswer,
    DialogueAnswer,
    DomainAnswer,
    DomainsAnswer,
    QueryAnswer,
    VerdictAnswer,
    read,
)
from apigap.benchmarks.apibank_generator.checks.dialogues import dialogue_faults
from apigap.benchmarks.apibank_generator.checks.evaluation import Evaluation
from apigap.benchmarks.apibank_generator.checks.likeness import QUERIES, TOOLS, Seen
from apigap.benchmarks.apibank_generator.checks.queries import query_faults
from apigap.benchmarks.apibank_generator.checks.tools import api_faults, domain_faults
from apigap.benchmarks.apibank_generator.pool import Pool
from apigap.benchmarks.apibank_generator.reasons import PRINCIPLES, REASONS
from apigap.benchmarks.apibank_generator.records import SEARCH, Ability, Exchange, Fault, Query, Step, Tool, Value
from apigap.models.request import Decoding, StopReason
from apigap.models.transcripts import Call
from apigap.retrieval.lexical import LexicalEmbedder

FERRY = Tool(
    name="FindFerry",
    domain="ferries",
    description="Finds a ferry between two ports.",
    inputs=(
        Value(name="port", type="str", description="From where."),
        Value(name="day", type="date", description="YYYY-MM-DD."),
        Value(name="cars", type="int", description="How many cars.", required=False),
    ),
    outputs=(Value(name="ferry", type="str", description="Its name."), Value(name="price", type="float")),
)
TICKET = Tool(
    name="BuyTicket",
    domain="ferries",
    description="Buys a ticket for a ship.",
    inputs=(Value(name="ferry", type="str", description="Its name."),),
    outputs=(Value(name="ticket", type="str", description="Its number."),),
)
OTHER = Tool(name="CountGulls", domain="gulls", description="Counts gulls.", outputs=(Value(name="gulls", type="int"),))
KNOWN = {tool.name: tool for tool in (FERRY, TICKET, OTHER)}
ASKED = "Which ship leaves Bari on 2025-06-01?"
GIVEN = {"port": "Bari", "day": "2025-06-01"}
FOUND = {"ferry": "Adria Star", "price": 90.5}
CALL = Step(api="FindFerry", arguments=GIVEN, result=FOUND)
BUY = Step(api="BuyTicket", arguments={"ferry": "Adria Star"}, result={"ticket": "T-1"})
LOOK = Step(api=SEARCH, arguments={"keywords": "ferry between ports"}, result={"name": "FindFerry"})
LOOK_AGAIN = Step(api=SEARCH, arguments={"keywords": "buy a ticket"}, result={"name": "BuyTicket"})
REPLY = "The Adria Star takes you for 90.50."


def call(**changed: Any) -> Step:
    return CALL.model_copy(update=changed)


def faults(
    steps: Sequence[Step],
    ability: Ability = "call",
    apis: tuple[str, ...] = ("FindFerry",),
    first: str = ASKED,
    reply: str = REPLY,
    turns: int = 1,
) -> list[str]:
    query = Query(text=ASKED, ability=ability, domain="ferries", apis=apis)
    exchanges = [Exchange(user=first, steps=tuple(steps), reply=reply)]
    exchanges += [Exchange(user=f"And another thing, number {n}?", reply="Yes.") for n in range(turns - 1)]
    return [fault.reason for fault in dialogue_faults(query, exchanges, {name: KNOWN[name] for name in apis}, KNOWN)]


RETRIEVE: dict[str, Any] = {"ability": "retrieve+call"}
PLAN: dict[str, Any] = {"ability": "plan+retrieve+call", "apis": ("FindFerry", "BuyTicket")}
SOUND: list[tuple[list[Step], dict[str, Any]]] = [
    ([CALL], {}),
    ([CALL], {"turns": 3}),
    ([LOOK, CALL], RETRIEVE),
    ([LOOK, CALL, LOOK_AGAIN, BUY], PLAN),
    ([LOOK, CALL, call(arguments={**GIVEN, "cars": 1}), LOOK_AGAIN, BUY], PLAN),
]


@pytest.mark.parametrize(("steps", "how"), SOUND)
def test_sound_dialogues_have_no_fault(steps: list[Step], how: dict[str, Any]) -> None:
    assert faults(steps, **how) == []


DIALOGUES: list[tuple[str, list[Step], dict[str, Any]]] = [
    ("no_call", [], {}),
    ("call_of_unknown_api", [CALL, call(api="FlyThere")], {}),
    ("call_not_offered", [CALL, Step(api="CountGulls", arguments={}, result={"gulls": 3})], {}),
    ("argument_missing", [call(arguments={"port": "Bari"})], {}),
    ("argument_undeclared", [call(arguments={**GIVEN, "deck": "A"})], {}),
    ("argument_type", [call(arguments={**GIVEN, "cars": "two"})], {}),
    ("argument_type", [call(arguments={**GIVEN, "cars": True})], {}),
    ("argument_type", [call(arguments={**GIVEN, "day": "first of June"})], {}),
    ("argument_placeholder", [call(arguments={**GIVEN, "port": "[port]"})], {}),
    ("argument_placeholder", [call(arguments={**GIVEN, "port": "  "})], {}),
    ("call_unreadable", [call(arguments={**GIVEN, "port": "Bari', day='2025-07-01"})], {}),
    ("call_unreadable_as_released", [call(arguments={**GIVEN, "port": "Land's End"})], {}),
    ("invisible_characters", [call(arguments={**GIVEN, "port": "Ba\u202eri"})], {}),
    ("call_repeated", [CALL, CALL], {}),
    ("result_missing", [call(result={})], {}),
    ("output_missing", [call(result={"ferry": "Adria Star"})], {}),
    ("output_undeclared", [call(result={**FOUND, "captain": "Marta"})], {}),
    ("output_type", [call(result={**FOUND, "price": "90.50"})], {}),
    ("api_unused", [CALL], {"apis": ("FindFerry", "BuyTicket")}),
    ("search_not_wanted", [LOOK, CALL], {}),
    ("search_missing", [CALL], RETRIEVE),
    ("search_missing", [LOOK, CALL, BUY], PLAN),
    ("search_repeated", [LOOK, LOOK_AGAIN, CALL], RETRIEVE),
    ("search_without_keywords", [LOOK.model_copy(update={"arguments": {"keywords": " "}}), CALL], RETRIEVE),
    ("search_without_keywords", [LOOK.model_copy(update={"arguments": {"query": "ferry"}}), CALL], RETRIEVE),
    ("too_many_calls", [LOOK, CALL, call(arguments={**GIVEN, "cars": 2})], RETRIEVE),
    ("too_few_calls", [LOOK, CALL], PLAN),
    ("too_many_calls", [call(arguments={**GIVEN, "cars": n}) for n in range(7)], {}),
    ("too_many_turns", [LOOK, CALL], {**RETRIEVE, "turns": 2}),
    ("too_many_turns", [CALL], {"turns": 5}),
    ("first_words", [CALL], {"first": "Hello there, my friend."}),
    ("reply_blank", [CALL], {"reply": "  "}),
    ("reply_length", [CALL], {"reply": "It is so. " * 200}),
    ("reply_is_call", [CALL], {"reply": "API-Request: [BuyTicket(ferry='Adria Star')]"}),
    ("reply_is_call", [CALL], {"reply": '{"ferry": "Adria Star"}'}),
    ("reply_repeats_user", [CALL], {"reply": f"{ASKED.lower()}"}),
]


@pytest.mark.parametrize(("reason", "steps", "how"), DIALOGUES, ids=[row[0] for row in DIALOGUES])
def test_faults_of_dialogues(reason: str, steps: list[Step], how: dict[str, Any]) -> None:
    assert reason in faults(steps, **how)


SOUND_QUERY = {"apis": ["FindFerry"], "query": ASKED}
QUERY_FAULTS: list[tuple[str, dict[str, Any], Ability]] = [
    ("query_length", {"query": "Ferry?"}, "call"),
    ("query_length", {"query": "please " * 200}, "call"),
    ("query_placeholder", {"query": "Which ship leaves [city] on XXX for me?"}, "call"),
    ("query_not_spoken", {"query": "The person asks which ship leaves Bari on 2025-06-01."}, "call"),
    ("query_names_api", {"query": "Call FindFerry for Bari on 2025-06-01, please."}, "call"),
    ("query_api_unknown", {"apis": ["SailAway"]}, "call"),
    ("query_number_of_apis", {"apis": []}, "call"),
    ("query_number_of_apis", {"apis": ["FindFerry", "BuyTicket"]}, "retrieve+call"),
    ("query_number_of_apis", {"apis": ["FindFerry"]}, "plan+retrieve+call"),
    ("query_number_of_apis", {"apis": ["FindFerry", "FindFerry"]}, "plan+retrieve+call"),
    ("invisible_characters", {"query": "Which ship leaves Bari\x1b[31m on 2025-06-01?"}, "call"),
]


def test_a_sound_query_has_no_fault() -> None:
    assert list(query_faults(QueryAnswer.model_validate(SOUND_QUERY), "call", [FERRY, TICKET])) == []


@pytest.mark.parametrize(("reason", "changed", "ability"), QUERY_FAULTS, ids=[row[0] for row in QUERY_FAULTS])
def test_faults_of_queries(reason: str, changed: dict[str, Any], ability: Ability) -> None:
    answer = QueryAnswer.model_validate({**SOUND_QUERY, **changed})
    assert reason in [fault.reason for fault in query_faults(answer, ability, [FERRY, TICKET])]


SOUND_API = {
    "name": "FindFerry",
    "description": "Finds a ferry.",
    "parameters": [{"name": "port", "type": "string", "description": "From where."}],
    "outputs": [{"name": "ferry", "type": "str", "description": "Its name."}],
}
API_FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("api_name", {"name": "Find Ferry"}),
    ("api_name", {"name": "find-ferry)]"}),
    ("api_reserved", {"name": "toolsearcher"}),
    ("api_repeated", {"name": "BUYTICKET"}),
    ("api_of_evaluation", {"name": "AddAgenda"}),
    ("api_undescribed", {"description": " "}),
    ("api_undescribed", {"parameters": [{"name": "port", "type": "str", "description": ""}]}),
    ("parameter_name", {"parameters": [{"name": "the port", "type": "str", "description": "From where."}]}),
    ("parameter_repeated", {"parameters": [{"name": "Port", "type": "str", "description": "a"},
                                           {"name": "port", "type": "str", "description": "b"}]}),
    ("value_type", {"parameters": [{"name": "port", "type": "harbour", "description": "From where."}]}),
    ("api_without_output", {"outputs": []}),
    ("invisible_characters", {"description": "Finds\u200b a ferry."}),
]  # fmt: skip


def test_a_sound_api_has_no_fault() -> None:
    assert list(api_faults(ApiAnswer.model_validate(SOUND_API), {"buyticket"})) == []


@pytest.mark.parametrize(("reason", "changed"), API_FAULTS, ids=[row[0] for row in API_FAULTS])
def test_faults_of_apis(reason: str, changed: dict[str, Any]) -> None:
    answer = ApiAnswer.model_validate({**SOUND_API, **changed})
    assert reason in [fault.reason for fault in api_faults(answer, {"buyticket"})]


@pytest.mark.parametrize("name", ["", "   ", "all that people do in their whole lives", "x" * 61])
def test_faults_of_domains(name: str) -> None:
    assert [fault.reason for fault in domain_faults(DomainAnswer(name=name))] == ["domain_name"]
    assert not list(domain_faults(DomainAnswer(name="night trains")))


def answered(text: str, stop: StopReason = "stop") -> Call:
    return Call(purpose="x", model="m/x", decoding=Decoding(), messages=(), temperature=0, seed=0, answer=text, stop_reason=stop)  # fmt: skip  # noqa: E501


DEEP = '{"calls": [{"api": "A", "arguments": {"x": ' + "[" * 300 + "]" * 300 + '}}], "reply": ""}'
UNREADABLE: list[tuple[str, str, StopReason, Any]] = [
    ("unreadable", "I would be glad to help you with that!", "stop", DomainsAnswer),
    ("unreadable", '{"domains": [{"name": "a",}]', "stop", DomainsAnswer),
    ("unreadable", '{"calls": "none", "reply": ""}', "stop", DialogueAnswer),
    ("unreadable", '{"calls": [{"api": "A", "arguments": {"x": NaN}}], "reply": ""}', "stop", DialogueAnswer),
    ("unreadable", DEEP, "stop", DialogueAnswer),
    ("cut_off", '{"calls": [{"api": "FindFe', "length", DialogueAnswer),
    ("refused", "", "filtered", VerdictAnswer),
    ("refused", "", "context", VerdictAnswer),
]


@pytest.mark.parametrize(("reason", "text", "stop", "form"), UNREADABLE)
def test_faults_of_answers(reason: str, text: str, stop: StopReason, form: Any) -> None:
    fault = read(answered(text, stop), form)
    assert isinstance(fault, Fault)
    assert fault.reason == reason


class ByTopic:
    """Vectors by what a text is about: gulls, or its own place."""

    window = None

    def count(self, text: str) -> int:
        return len(text)

    def embed(self, texts: Sequence[str]) -> Any:
        rows = np.zeros((len(texts), 50), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0 if "gull" in text else 1 + len(text) % 49] = 1
        return rows

    def describe(self) -> dict[str, Any]:
        return {}


def test_likeness_is_told_by_words_by_meaning_and_to_the_evaluation() -> None:
    foreign = "Please book a hotel room in Paris for three nights."
    seen = Seen(ByTopic(), QUERIES, [foreign])
    told = seen.judge([
        "Which ship leaves Bari for Durres on the first of June in the morning?",
        "Which ship leaves Bari for Durres on the second of June in the morning?",
        "Please book a hotel room in Paris for three nights.",
        "How many gulls live on the roof of our house?",
        "Tell me the number of sea gulls nesting above us.",
    ])  # fmt: skip
    assert [fault and fault.reason for fault in told] == [
        None, "query_repeated", "query_of_evaluation", None, "query_alike",
    ]  # fmt: skip


def test_the_same_api_a_hundred_times_is_there_once() -> None:
    seen = Seen(LexicalEmbedder(), TOOLS)
    faults = seen.judge(["FindFerry Finds a ferry between two ports."] * 100)
    assert [fault and fault.reason for fault in faults] == [None, *["api_repeated"] * 99]


def test_words_of_the_evaluation_do_not_come_back() -> None:
    said = "Your appointment with the doctor has been moved to the twelfth of April at nine."
    evaluation = Evaluation([], [said, "Sure."])
    assert evaluation.fault(["Sure.", "Something else."]) is None
    fault = evaluation.fault([f"Well: {said} Anything else?"])
    assert fault is not None and fault.reason == "dialogue_of_evaluation"


def test_a_search_has_to_find_what_is_called() -> None:
    pool = Pool([FERRY, TICKET, OTHER])
    assert pool.finds("ferry between ports", "FindFerry")
    assert not pool.finds("count gulls", "FindFerry")
    assert not pool.finds("zzz", "CountGulls")


def test_every_reason_is_explained_and_planted() -> None:
    planted = {row[0] for row in (*DIALOGUES, *QUERY_FAULTS, *API_FAULTS, *UNREADABLE)}
    assert len(planted) >= 45
    assert planted <= set(REASONS)
    assert set(PRINCIPLES) <= set(REASONS)
