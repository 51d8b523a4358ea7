"""Calls against schemas and accepted values: a table of single arguments, of several calls, and laws."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.calls.check import Call, Expected, check_arguments, check_calls
from apigap.benchmarks.calls.schema import same
from apigap.benchmarks.calls.values import first_value, fits, spelling

BOOK: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "nights": {"type": "integer", "minimum": 1},
        "budget": {"type": "number"},
        "breakfast": {"type": "boolean", "default": False},
        "board": {"type": "string", "enum": ["room only", "half board"]},
        "arrival": {"type": "string", "format": "date"},
        "guests": {"type": "array", "items": {"$ref": "#/$defs/guest"}},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["city"],
    "$defs": {
        "guest": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
            "required": ["name"],
            "additionalProperties": False,
        }
    },
}
ROME = {"city": {"one_of": ["Rome", "Roma"]}}
PERHAPS_FOUR = {"name": "Ana", "age": {"one_of": [4], "optional": True}}

ARGUMENTS: list[tuple[str, dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = [
    ("the value itself", {"city": "Rome"}, {}, []),
    ("a synonym", {"city": "Roma"}, {}, []),
    ("another spelling", {"city": " rome, "}, {}, []),
    ("another city", {"city": "Milan"}, {}, [("wrong value", "city")]),
    ("nothing given", {"city": None}, {}, [("wrong type", "city")]),
    ("no such argument", {"town": "Rome"}, {}, [("unknown argument", "town")]),
    ("a number for a text", {"city": 7}, {}, [("wrong type", "city")]),
    ("an integer", {"nights": 3}, {"nights": 3}, []),
    ("a whole float", {"nights": 3.0}, {"nights": 3}, []),
    ("a text for an integer", {"nights": "3"}, {"nights": 3}, [("wrong type", "nights")]),
    ("a truth value for an integer", {"nights": True}, {"nights": 1}, [("wrong type", "nights")]),
    ("below the least", {"nights": 0}, {"nights": 3}, [("wrong value", "nights")]),
    ("an integer for a number", {"budget": 90}, {"budget": 90.0}, []),
    ("a truth value for a number", {"budget": True}, {"budget": 1}, [("wrong type", "budget")]),
    ("an optional one left out", {}, {"budget": {"one_of": [90], "optional": True}}, []),
    ("an expected one left out", {}, {"nights": 3}, [("missing argument", "nights")]),
    ("the default, not asked for", {"breakfast": False}, {}, []),
    ("another, not asked for", {"breakfast": True}, {}, [("wrong value", "breakfast")]),
    ("one of a list", {"board": "half board"}, {"board": "half board"}, []),
    ("its spelling", {"board": "Half-board"}, {"board": "half board"}, [("wrong value", "board")]),
    ("a date in another form", {"arrival": "2027/03/01"}, {"arrival": "2027-03-01"}, [("wrong value", "arrival")]),
    ("null where it may be", {"note": None}, {"note": {"one_of": [None, "none"]}}, []),
    ("a number where neither fits", {"note": 3}, {"note": "3"}, [("wrong type", "note")]),
    ("objects in a list", {"guests": [{"name": "ana", "age": 4}]}, {"guests": [PERHAPS_FOUR]}, []),
    ("a key left out within", {"guests": [{"name": "Ana"}]}, {"guests": [PERHAPS_FOUR]}, []),
    ("a key missing within", {"guests": [{"age": 4}]}, {"guests": [{"name": "Ana"}]},
     [("missing argument", "guests[0].name")]),
    ("a key too many within", {"guests": [{"name": "Ana", "sex": "f"}]}, {"guests": [{"name": "Ana"}]},
     [("unknown argument", "guests[0].sex")]),
    ("a type within", {"guests": [{"name": "Ana", "age": "4"}]}, {"guests": [{"name": "Ana", "age": 4}]},
     [("wrong type", "guests[0].age")]),
    ("a list in its order", {"tags": ["a", "b"]}, {"tags": ["a", "b"]}, []),
    ("a list in another order", {"tags": ["b", "a"]}, {"tags": ["a", "b"]}, [("wrong value", "tags")]),
    ("a list in any order", {"tags": ["b", "a"]}, {"tags": {"each_of": ["a", "b"]}}, []),
    ("one twice in any order", {"tags": ["a", "a"]}, {"tags": {"each_of": ["a", "b"]}}, [("wrong value", "tags")]),
    ("any text", {"note": "late"}, {"note": {"any_text": True}}, []),
    ("an empty text", {"note": " "}, {"note": {"any_text": True}}, [("wrong value", "note")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("given_", "accepted", "found"), [row[1:] for row in ARGUMENTS], ids=[row[0] for row in ARGUMENTS]
)
def test_an_argument_is_judged_by_type_and_value(given_: Any, accepted: Any, found: list[tuple[str, str]]) -> None:
    findings = check_arguments({"city": "Rome", **given_}, BOOK, {**ROME, **accepted})
    assert [(finding.fault, finding.place) for finding in findings] == found
    assert all(finding.told for finding in findings)


def test_without_accepted_values_the_schema_alone_decides() -> None:
    assert [f.fault for f in check_arguments({}, BOOK, ROME)] == ["missing argument"]
    assert check_arguments({"city": "Anywhere", "nights": 12}, BOOK) == []
    assert [f.fault for f in check_arguments({"nights": "12", "sea": 1}, BOOK)] == [
        "missing argument", "wrong type", "unknown argument"
    ]  # fmt: skip
    assert check_arguments({"anything": [1]}, {"additionalProperties": True}) == []
    assert [f.fault for f in check_arguments({"n": "x"}, {"additionalProperties": {"type": "integer"}})] == [
        "wrong type"
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#"},
        {"anyOf": [{"$ref": "#/properties/a"}, {"$ref": "#/properties/a"}]},
        {"type": "array", "items": {"$ref": "#/properties/a"}},
    ],
)
def test_a_schema_that_goes_round_in_circles_ends(schema: Any) -> None:
    value: Any = []
    for _ in range(60):
        value = [value]
    check_arguments({"a": value}, {"properties": {"a": schema}})


TEXTS = [
    ("New-York", "new york", True), ("St. Paul", "st paul", True), ("O'Hare", "OHare", True), ("  a  b ", "A B", True),
    ("2027-03-01", "2027/03/01", True), ("5", "-5", False), ("3.5", "35", False), ("C++", "C", False),
    ("a@b.com", "ab.com", False), ("Zoë", "zoe", False), ("ﬁne", "fine", True), ("10:30", "1030", False),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "alike"), TEXTS)
def test_texts_are_the_same_in_another_spelling(one: str, two: str, alike: bool) -> None:
    assert (spelling(one) == spelling(two)) is alike


LIGHT = {"properties": {"room": {"type": "string"}, "level": {"type": "integer"}}, "required": ["room"]}
FUNCTIONS = {"light": LIGHT, "lock": {"properties": {"door": {"type": "string"}}, "required": ["door"]}}


def light(room: str, level: Any = 1) -> Call:
    return Call("light", {"room": room, "level": level})


KITCHEN = Expected("light", {"room": "kitchen", "level": 1})
EITHER = Expected("light", {"room": {"one_of": ["kitchen", "hall"]}, "level": 1})
DOOR = Expected("lock", {"door": "front"})
LOCK, BACK = Call("lock", {"door": "front"}), Call("lock", {"door": "back"})
SEVERAL: list[tuple[str, list[Call], list[Expected], str, list[str]]] = [
    ("both", [light("kitchen"), LOCK], [KITCHEN, DOOR], "free", []),
    ("both, the other way round", [LOCK, light("kitchen")], [KITCHEN, DOOR], "free", []),
    ("an order that matters", [LOCK, light("kitchen")], [KITCHEN, DOOR], "fixed", ["wrong order"]),
    ("the order that matters", [light("kitchen"), LOCK], [KITCHEN, DOOR], "fixed", []),
    ("what fits twice is not spent", [light("kitchen"), light("hall")], [EITHER, KITCHEN], "free", []),
    ("the same, the other way round", [light("hall"), light("kitchen")], [EITHER, KITCHEN], "free", []),
    ("fixed, and it fits twice", [light("hall"), light("kitchen")], [EITHER, KITCHEN], "fixed", []),
    ("one too few", [LOCK], [KITCHEN, DOOR], "free", ["missed call"]),
    ("one too many", [LOCK, light("hall")], [DOOR], "free", ["superfluous call"]),
    ("the same one twice", [LOCK, LOCK], [DOOR], "free", ["superfluous call"]),
    ("none at all", [], [DOOR], "free", ["missed call"]),
    ("none expected", [LOCK], [], "free", ["superfluous call"]),
    ("none expected, none made", [], [], "free", []),
    ("another function", [light("hall")], [DOOR], "free", ["wrong API"]),
    ("a function of nobody", [Call("open", {})], [DOOR], "free", ["hallucinated API"]),
    ("one of nobody beside", [LOCK, Call("open", {})], [DOOR], "free", ["hallucinated API", "superfluous call"]),
    ("a value", [light("hall"), LOCK], [KITCHEN, DOOR], "free", ["wrong value"]),
    ("a type and another value", [light("kitchen", "1"), BACK], [KITCHEN, DOOR], "free", ["wrong type", "wrong value"]),
    ("more than are looked at", [LOCK] * 200, [DOOR], "free", ["superfluous call"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("calls", "expected", "order", "faults"), [row[1:] for row in SEVERAL], ids=[row[0] for row in SEVERAL]
)
def test_several_calls_are_paired(calls: Any, expected: Any, order: Any, faults: list[str]) -> None:
    assert list(check_calls(calls, FUNCTIONS, expected, order).faults) == faults


def test_another_function_is_told_with_the_one_in_whose_place_it_stands() -> None:
    assert check_calls([light("hall"), LOCK], FUNCTIONS, [DOOR, DOOR]).confused == (("lock", "light"),)


ROOMS = st.sampled_from(["kitchen", "hall", "attic"])


@given(st.lists(st.tuples(ROOMS, st.integers(1, 3)), max_size=5), st.randoms())
def test_the_order_of_calls_changes_nothing_where_it_is_free(made: list[tuple[str, int]], random: Any) -> None:
    expected = [Expected("light", {"room": room, "level": level}) for room, level in made]
    calls = [light(room, level) for room, level in made]
    random.shuffle(calls)
    assert check_calls(calls, FUNCTIONS, expected).faults == ()
    if calls:
        assert check_calls(calls[1:], FUNCTIONS, expected).faults == ("missed call",)
        assert "superfluous call" in check_calls([*calls, calls[0]], FUNCTIONS, expected).faults


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_a_value_is_among_those_that_it_stands_for(value: Any) -> None:
    assert same(value, value) and fits(value, value, {}, {})
    assert fits(value, {"one_of": [object(), value]}, {}, {})
    assert fits([value, 1], {"each_of": [1, value]}, {}, {})
    assert same(first_value(value), value) and not fits(value, {"one_of": []}, {}, {})


@given(st.dictionaries(st.text(max_size=4), JSON, max_size=3), JSON)
def test_whatever_is_given_is_judged(arguments: dict[str, Any], schema: Any) -> None:
    check_arguments(arguments, {"properties": dict.fromkeys(arguments, schema)})
    check_arguments(arguments, schema, arguments)
