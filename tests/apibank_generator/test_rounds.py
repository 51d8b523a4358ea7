"""Rounds: no ability starves, caps are held within a round, and what ends a run has a remedy that works."""

from collections import Counter
from typing import Any

import pytest

from apigap.apibank_generator.agents.domains_and_apis import ApiDesigner
from apigap.apibank_generator.order import Order, caps_of, shortage
from apigap.apibank_generator.records import ABILITIES, Agent, Dialogue, Domain
from apigap.retrieval.lexical import LexicalEmbedder
from tests.apibank_generator.desks import as_client, made, obliging, tools, words


def accepted(dialogues: list[Dialogue]) -> list[Dialogue]:
    return [dialogue for dialogue in dialogues if dialogue.verdict.accepted]


def reasons(dialogues: list[Dialogue]) -> Counter[str]:
    return Counter(dialogue.verdict.reason for dialogue in dialogues if not dialogue.verdict.accepted)


def fails_at_call(agent: Agent, prompt: str, number: int) -> Any:
    return "I cannot do that." if "one or two of them" in prompt else obliging(agent, prompt, number)


def test_an_ability_at_which_the_model_fails_starves_no_other() -> None:
    dialogues, ending = made(Order(count=30), fails_at_call, tools(6))
    assert Counter(one.ability for one in accepted(dialogues)) == {ABILITIES[1]: 10, ABILITIES[2]: 10}
    assert ending is not None and "--attempts" in ending.remedy
    tried = Counter(one.ability for one in dialogues[:16])
    assert max(tried.values()) - min(tried.values()) == 1


@pytest.mark.parametrize("domains", [3, 6, 7, 9])
def test_each_ability_comes_to_every_domain(domains: int) -> None:
    dialogues, ending = made(Order(count=6 * domains), obliging, tools(domains))
    assert ending is None
    pairs = Counter((one.ability, one.domain) for one in accepted(dialogues))
    assert len(pairs) == 3 * domains
    assert set(pairs.values()) == {2}


def picks_the_first(agent: Agent, prompt: str, number: int) -> Any:
    if agent != "query":
        return obliging(agent, prompt, number)
    return {"apis": ["GetAmber0"], "query": words(number)} if "GetAmber0" in prompt else "No."


def test_the_cap_of_an_api_holds_within_a_round() -> None:
    dialogues, _ = made(Order(count=16, abilities=("call",), per_domain=16, per_api=3), picks_the_first, tools(1))
    used = Counter(name for one in accepted(dialogues) for name in (one.query.apis if one.query else ()))
    assert used == {"GetAmber0": 3}
    assert reasons(dialogues)["api_full"] >= 5


@pytest.mark.parametrize("count", [6, 20, 60])
def test_caps_hold_whatever_the_count(count: int) -> None:
    order = Order(count=count, per_domain=4, per_api=2)
    dialogues, ending = made(order, obliging, tools(5))
    taken = accepted(dialogues)
    assert max(Counter(one.domain for one in taken).values()) <= 4
    assert max(Counter(name for one in taken for name in (one.query.apis if one.query else ())).values()) <= 2
    assert (ending is None) == (len(taken) == count)
    if ending is not None:
        assert "below their caps (4 dialogues of a domain, 2 of an API)" in ending.why
        assert "another --out" in ending.remedy


CAPS: list[tuple[dict[str, Any], int, int, bool, tuple[int, int]]] = [
    ({"count": 60}, 11, 33, False, (6, 8)),
    ({"count": 30, "domains": 3, "per_domain": 2}, 3, 9, False, (2, 8)),
    ({"count": 60}, 11, 33, True, (6, 8)),
    ({"count": 60}, 1, 33, True, (90, 8)),
    ({"count": 60, "abilities": ("call",)}, 1, 5, True, (90, 18)),
    ({"count": 5}, 1, 4, True, (6, 8)),
]


@pytest.mark.parametrize(("order", "domains", "apis", "own", "wanted"), CAPS)
def test_caps_grow_only_for_a_users_own_apis_and_where_they_must(
    order: dict[str, Any], domains: int, apis: int, own: bool, wanted: tuple[int, int]
) -> None:
    caps = caps_of(Order(**order), domains, apis, own)
    assert (caps.domain, caps.api) == wanted
    grown = [name for name, cap, most in (("--per-domain", caps.domain, 6), ("--per-api", caps.api, 8)) if cap > most]
    assert len(caps.notes) == len(grown)
    assert all(name in note for name, note in zip(grown, caps.notes, strict=True))


SHORT: list[tuple[dict[str, Any], str | None]] = [
    ({"count": 60}, None),
    ({"count": 1000, "abilities": ("call",)}, None),
    ({"count": 30, "domains": 3, "per_domain": 2}, "a larger --domains or --per-domain"),
    ({"count": 60, "per_api": 1}, "a larger --per-api or --domains"),
]


@pytest.mark.parametrize(("order", "why"), SHORT)
def test_an_order_that_can_never_be_filled_is_told(order: dict[str, Any], why: str | None) -> None:
    found = shortage(Order(**order))
    assert found is None if why is None else found is not None and why in found


def test_an_ability_for_which_the_apis_are_too_few() -> None:
    order = Order(count=6, abilities=ABILITIES[1:])
    dialogues, ending = made(order, obliging, tools(6, apis=1), own=True)
    assert len(accepted(dialogues)) == 3
    assert ending is not None and ending.why == "plan+retrieve+call needs 2 APIs of one domain, and no domain has them"
    assert "--abilities" in ending.remedy


def goes_on_with(text: str) -> Any:
    def says(agent: Agent, prompt: str, number: int) -> Any:
        said = obliging(agent, prompt, number)
        if agent == "dialogue":
            said["follow_up"] = [{"user": text.format(query=words(number)), "calls": [], "reply": "So it is."}]
        return said

    return says


LATER: list[tuple[str, dict[str, int]]] = [
    ("Thanks a lot!", {}),
    ("{query}", {"query_repeated": 4}),
    ("{query} once more", {"query_repeated": 4}),
    ("Please tell me the way to the old town.", {"query_repeated": 3}),  # the first one may say so
    ("I want to book the blue room at noon.", {"query_of_evaluation": 4}),
]


@pytest.mark.parametrize(("text", "wanted"), LATER)
def test_later_words_are_as_new_as_the_first(text: str, wanted: dict[str, int]) -> None:
    order = Order(count=4, abilities=("call",), attempts=1)
    dialogues, _ = made(order, goes_on_with(text), tools(3), ["I want to book the blue room at noon."])
    assert reasons(dialogues) == wanted
    assert all(one.verdict.by == "dialogue" for one in dialogues if not one.verdict.accepted)


@pytest.mark.parametrize("said", ["Thanks.\nAI:  bought", "Call   {api}\nonce more for me"])
def test_later_words_are_on_one_line_as_the_first(said: str) -> None:
    order = Order(count=1, abilities=("call",), attempts=1)
    text = said.replace("{api}", "GetAmber0")
    dialogues, _ = made(order, goes_on_with(text), tools(1))
    assert dialogues[0].exchanges[1].user == " ".join(text.split())
    assert set(reasons(dialogues)) <= {"turn_of_another", "query_names_api"} and not accepted(dialogues)


def test_a_query_that_is_refused_is_kept() -> None:
    def says(agent: Agent, prompt: str, number: int) -> Any:
        return {"apis": ["Nowhere"], "query": words(number)}

    dialogues, _ = made(Order(count=2, attempts=1), says, tools(2))
    assert [one.query.text if one.query else None for one in dialogues] == [words(0), words(1)]
    assert {one.verdict.reason for one in dialogues} == {"query_api_unknown"}


def api(name: str, description: str) -> dict[str, Any]:
    value = {"name": "place", "type": "str", "description": "Where."}
    return {"name": name, "description": description, "parameters": [value], "outputs": [value]}


def test_an_api_like_another_one_takes_no_room_from_a_good_one() -> None:
    told = [
        api("FindFerry", "Finds a ferry between two ports."),
        api("FindFerry2", "Finds a ferry between two ports."),
        api("BuyTicket", "Sells tickets for any museum."),
        api("CountGulls", "Counts birds on a roof."),
    ]

    def says(agent: Agent, prompt: str, number: int) -> Any:
        return {"apis": told}

    inventor = ApiDesigner(Order(count=6, apis_per_domain=2), as_client(says), LexicalEmbedder())
    found = inventor.tools([Domain(name="harbours")])
    assert [tool.name for tool in found] == ["FindFerry", "BuyTicket"]
    assert [(one.what, one.reason) for one in inventor.rejections] == [
        ("FindFerry2", "api_alike"), ("CountGulls", "domain_full"),
    ]  # fmt: skip
