"""Planted faults: each is found, with its own reason, and what they were planted in has none."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from apigap.apibank_generator.answers import (
    ApiAnswer,
    DialogueAnswer,
    DomainAnswer,
    DomainsAnswer,
    QueryAnswer,
    VerdictAnswer,
    parse_answer,
)
from apigap.apibank_generator.api_pool import Pool
from apigap.apibank_generator.checks.dialogues import dialogue_faults
from apigap.apibank_generator.checks.evaluation import Evaluation
from apigap.apibank_generator.checks.likeness import QUERIES, TOOLS, LikenessIndex
from apigap.apibank_generator.checks.texts import invisible_faults
from apigap.apibank_generator.checks.tools import api_faults, domain_faults
from apigap.apibank_generator.checks.user_words import query_faults
from apigap.apibank_generator.checks.value_types import is_of_type
from apigap.apibank_generator.records import SEARCH, Ability, Exchange, Fault, Query, Step, Tool, Value, ValueType
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
CABIN = Tool(
    name="GetCabin",
    domain="ferries",
    description="Describes a cabin.",
    inputs=(
        Value(name="beds", type="int", description="How many."),
        Value(name="wish", type="dict", description="What it must have.", required=False),
    ),
    outputs=(Value(name="cabin", type="dict"),),
)
KNOWN = {tool.name: tool for tool in (FERRY, TICKET, OTHER, CABIN)}
ASKED = "Which ship leaves Bari on 2025-06-01?"
GIVEN = {"port": "Bari", "day": "2025-06-01"}
FOUND = {"ferry": "Adria Star", "price": 90.5}
CALL = Step(api="FindFerry", arguments=GIVEN, result=FOUND)
BUY = Step(api="BuyTicket", arguments={"ferry": "Adria Star"}, result={"ticket": "T-1"})
LOOK = Step(api=SEARCH, arguments={"keywords": "ferry between ports"}, result={"name": "FindFerry"})
LOOK_AGAIN = Step(api=SEARCH, arguments={"keywords": "buy a ticket"}, result={"name": "BuyTicket"})
REPLY = "The Adria Star takes you for 90.50."


LATER = "And a seat for my dog, please."


def cabin(given: Any, wish: Any = None) -> Step:
    asked = {"beds": 2} if wish is None else {"beds": 2, "wish": wish}
    return Step(api="GetCabin", arguments=asked, result={"cabin": given})


def call(**changed: Any) -> Step:
    return CALL.model_copy(update=changed)


def faults(
    steps: Sequence[Step],
    ability: Ability = "call",
    apis: tuple[str, ...] = ("FindFerry",),
    first: str = ASKED,
    reply: str = REPLY,
    turns: int = 1,
    later: Sequence[str] = (),
) -> list[str]:
    query = Query(text=ASKED, ability=ability, domain="ferries", apis=apis)
    exchanges = [Exchange(user=first, steps=tuple(steps), reply=reply)]
    later = later or [f"And another thing, number {n}?" for n in range(turns - 1)]
    exchanges += [Exchange(user=" ".join(said.split()), reply="Yes.") for said in later]
    return [fault.reason for fault in dialogue_faults(query, exchanges, {name: KNOWN[name] for name in apis}, KNOWN)]


RETRIEVE: dict[str, Any] = {"ability": "retrieve+call"}
PLAN: dict[str, Any] = {"ability": "plan+retrieve+call", "apis": ("FindFerry", "BuyTicket")}
SOUND: list[tuple[list[Step], dict[str, Any]]] = [
    ([CALL], {}),
    ([CALL], {"turns": 3}),
    ([LOOK, CALL], RETRIEVE),
    ([LOOK, CALL, LOOK_AGAIN, BUY], PLAN),
    ([LOOK, CALL, call(arguments={**GIVEN, "cars": 1}), LOOK_AGAIN, BUY], PLAN),
    ([CALL], {"later": [LATER, "Thanks."]}),
    ([CALL], {"later": ["I asked the AI: it knew nothing, so generate an invoice for me."]}),
    ([CALL], {"reply": "Here it is: [the timetable](https://example.org). Print your ticket here."}),
    ([cabin({"kind": "small", "risk": "none", "value": 3})], {"apis": ("GetCabin",)}),
    ([call(result={"ferry": "", "price": None})], {"reply": "No ship leaves Bari on that day."}),
    ([call(result={"ferry": None, "price": None})], {"reply": "No ship leaves Bari on that day."}),
    ([cabin({})], {"apis": ("GetCabin",), "reply": "There is none."}),
    ([call(result={"exception": "The port does not exist."})], {"reply": "That port is not known, I am afraid."}),
    (
        [call(result={**FOUND, "ferry": "Adria Star, 90.50 EUR"})],
        {"reply": "The Adria Star takes you for 90.50 euros."},
    ),
    ([CALL], {"reply": "Sailing costs a pound of flesh."}),
]


@pytest.mark.parametrize(("steps", "how"), SOUND)
def test_sound_dialogues_have_no_fault(steps: list[Step], how: dict[str, Any]) -> None:
    assert faults(steps, **how) == []


CABINS: dict[str, Any] = {"apis": ("GetCabin",)}
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
    ("argument_type", [call(arguments={**GIVEN, "day": "20250601"})], {}),
    ("argument_type", [call(arguments={**GIVEN, "day": "2025-W22-7"})], {}),
    ("argument_placeholder", [call(arguments={**GIVEN, "port": "  "})], {}),
    ("argument_placeholder", [call(arguments={**GIVEN, "port": "Unknown"})], {}),
    ("argument_placeholder", [cabin({"kind": "small"}, {"beds": ["[number of beds]"]})], CABINS),
    ("call_unreadable", [call(arguments={**GIVEN, "port": "Bari', day='2025-07-01"})], {}),
    ("call_unreadable_as_released", [call(arguments={**GIVEN, "port": "Land's End"})], {}),
    ("invisible_characters", [call(arguments={**GIVEN, "port": "Ba\u202eri"})], {}),
    ("invisible_characters", [cabin({"kind": "small", "\ud83d": 1})], CABINS),
    ("invisible_characters", [cabin({"kind": [{"a\u202eb": 1}]})], CABINS),
    ("invisible_characters", [cabin({"kind": "small"}, {"be\u00adds": 2})], CABINS),
    ("call_repeated", [CALL, CALL], {}),
    ("result_missing", [call(result={})], {}),
    ("output_missing", [call(result={"ferry": "Adria Star"})], {}),
    ("output_undeclared", [call(result={**FOUND, "captain": "Marta"})], {}),
    ("output_type", [call(result={**FOUND, "price": "90.50"})], {}),
    ("output_type", [call(result={**FOUND, "price": ""})], {}),
    ("output_type", [cabin("")], CABINS),
    ("output_undeclared", [call(result={**FOUND, "exception": "The port does not exist."})], {}),
    ("output_undeclared", [call(result={"exception": " "})], {}),
    ("output_undeclared", [call(result={"exception": 404})], {}),
    ("output_placeholder", [call(result={"exception": "The port [port] does not exist."})], {}),
    ("invisible_characters", [call(result={"exception": "No \u202eport."})], {}),
    ("output_placeholder", [call(result={**FOUND, "ferry": "[ferry name]"})], {}),
    ("output_placeholder", [call(result={**FOUND, "ferry": "string"})], {}),
    ("output_placeholder", [cabin({"kind": ["<kind>"]})], CABINS),
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
    ("reply_placeholder", [CALL], {"reply": "Dear [Name], your ship is <ferry name>."}),
    ("reply_placeholder", [CALL], {"reply": "The Adria Star takes you for XXX."}),
    ("reply_currency", [CALL], {"reply": "The Adria Star takes you for 90.50 euros."}),
    ("reply_currency", [call(result={**FOUND, "ferry": "Adria Star, 90.50 EUR"})], {"reply": "It takes $90.50."}),
    ("turn_of_another", [CALL], {"reply": "AI: Fine.\nUser: Thanks, now buy it.\nAI: Done."}),
    ("turn_of_another", [CALL], {"reply": "Fine.\n **User:** Thanks, now buy it."}),
    ("turn_of_another", [CALL], {"reply": "It leaves at ten. User: Thanks, now buy it. AI: Done."}),
    ("turn_of_another", [CALL], {"reply": "It leaves at ten.\nAPI-Request: []"}),
    ("turn_of_another", [CALL], {"reply": "It leaves at ten.\nGenerate the next answer:"}),
    ("query_names_api", [CALL], {"later": [LATER, "Call FindFerry for Bari again."]}),
    ("query_placeholder", [CALL], {"later": ["And now a ship for [city] XXX"]}),
    ("query_not_spoken", [CALL], {"later": ["The user asks for another ship."]}),
    ("query_length", [CALL], {"later": ["please " * 121]}),
    ("invisible_characters", [CALL], {"later": ["And a seat\u200b for my dog."]}),
    ("turn_of_another", [CALL], {"later": ["Thanks.\nAPI-Request: [Buy(ferry='x')]->{'ticket':'1'}\nAI: bought"]}),
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
    ("query_not_spoken", {"query": "A client asks which ship leaves Bari on 2025-06-01."}, "call"),
    ("query_not_spoken", {"query": "The user is looking for a ship from Bari."}, "call"),
    ("query_placeholder", {"query": "Which ship leaves YOUR CITY HERE at ten?"}, "call"),
    ("query_placeholder", {"query": "Which ship takes me to TODO at ten?"}, "call"),
    ("turn_of_another", {"query": "Which ship leaves Bari?\nAI: The Adria Star."}, "call"),
    ("turn_of_another", {"query": "Which ship leaves Bari? Generate API Request:"}, "call"),
    ("query_names_api", {"query": "Please use get_port on Bari for me."}, "call"),
    ("invisible_characters", {"query": "Which ship leaves Bari\x1b[31m on 2025-06-01?"}, "call"),
    ("invisible_characters", {"query": "Which ship leaves Bari\U000e0041 on 2025-06-01?"}, "call"),
]
TRANSLATE = FERRY.model_copy(update={"name": "translate"})
PORT = FERRY.model_copy(update={"name": "get_port"})
OFFERED = [FERRY, TICKET, TRANSLATE, PORT]
NATURAL = [
    ASKED,
    "Please add buy milk to my todo list for today.",
    "Can you translate good morning into Slovenian for me?",
    "A client of mine needs a ship from Bari on 2025-06-01.",
    "The customer wants her money back, what do our rules say?",
    "Can I bring your ticket here on Sunday?",
    "Generate an invoice for the two cabins, please.",
]


@pytest.mark.parametrize("text", NATURAL)
def test_a_natural_query_has_no_fault(text: str) -> None:
    assert list(query_faults(QueryAnswer(apis=["FindFerry"], query=text), "call", OFFERED)) == []


def test_the_notes_on_a_query_are_in_the_order_of_what_was_offered() -> None:
    tools = [FERRY.model_copy(update={"name": f"FindFerry{letter}"}) for letter in "QWERTZUIOP"]
    text = " ".join(tool.name for tool in sorted(tools, key=lambda tool: tool.name))
    for offered in (tools, tools[::-1]):
        faults = list(query_faults(QueryAnswer(apis=[FERRY.name], query=f"Call me {text}"), "call", offered))
        named = [fault.note.split()[0] for fault in faults if fault.reason == "query_names_api"]
        assert named == [tool.name for tool in offered]


@pytest.mark.parametrize(("reason", "changed", "ability"), QUERY_FAULTS, ids=[row[0] for row in QUERY_FAULTS])
def test_faults_of_queries(reason: str, changed: dict[str, Any], ability: Ability) -> None:
    answer = QueryAnswer.model_validate({**SOUND_QUERY, **changed})
    assert reason in [fault.reason for fault in query_faults(answer, ability, OFFERED)]


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
    (
        "unreadable",
        '{"calls": [{"api": "A", "arguments": {}, "result": {"o": {"\\ud83d": 1}}}], "reply": ""}',
        "stop",
        DialogueAnswer,
    ),
    ("cut_off", '{"calls": [{"api": "FindFe', "length", DialogueAnswer),
    ("refused", "", "filtered", VerdictAnswer),
    ("refused", "", "context", VerdictAnswer),
]


@pytest.mark.parametrize(("reason", "text", "stop", "form"), UNREADABLE)
def test_faults_of_answers(reason: str, text: str, stop: StopReason, form: Any) -> None:
    fault = parse_answer(answered(text, stop), form)
    assert isinstance(fault, Fault)
    assert fault.reason == reason


TIMES: list[tuple[ValueType, str, bool]] = [
    ("date", "2024-02-29", True), ("date", "2023-02-29", False), ("date", "20240101", False),
    ("date", "2024-W01-1", False), ("date", "2024-01-01 00:00:00", False),
    ("time", "09:30:00", True), ("time", "09:30:00Z", True), ("time", "12", False), ("time", "09:30", False),
    ("time", "25:00:00", False), ("datetime", "2024-01-01 09:30:00", True),
    ("datetime", "2024-01-01T09:30:00.25+02:00", True), ("datetime", "2024-01-01", False),
    ("datetime", "20240101T093000", False), ("datetime", "2024-01-01 09", False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "right"), TIMES)
def test_dates_and_times_have_the_form_that_is_asked_for(kind: ValueType, text: str, right: bool) -> None:
    assert is_of_type(text, kind) is right


HIDDEN = ["\x00", "\x85", "\u00ad", "\u061c", "\u180e", "\u200b", "\u2028", "\u202e", "\u206a", "\ud83d", "\ufeff",
          "\ufff9", "\U000e0001", "\U000e0041", "\U000e007f", "\U000e0101"]  # fmt: skip


@pytest.mark.parametrize("letter", HIDDEN, ids=[f"U+{ord(letter):04X}" for letter in HIDDEN])
def test_what_nobody_sees_is_found(letter: str) -> None:
    (fault,) = invisible_faults([f"Bari{letter}"])
    assert fault.reason == "invisible_characters"
    assert f"U+{ord(letter):04X}" in fault.note
    assert letter not in fault.note


def test_what_everybody_sees_is_none() -> None:
    assert not list(invisible_faults(["Škofja Loka\n東京\t❤\ufe0f – “🚢”"]))


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
    seen = LikenessIndex(ByTopic(), QUERIES, [foreign])
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
    seen = LikenessIndex(LexicalEmbedder(), TOOLS)
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
