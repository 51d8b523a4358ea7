"""Answers as they are read: calls in their forms, that nothing is called, and what cannot be read."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.calls.check import Call
from apigap.benchmarks.calls.mutants import written
from apigap.benchmarks.calls.names import Names, provider_name
from apigap.benchmarks.calls.reading import read_answer

OFFERED = ("light", "weather.get", "get-time")
NAMES = Names(OFFERED)
LIGHT = ("light", {"room": "hall"})
WEATHER = ("weather.get", {"city": "Rome", "days": 2})
LIGHT_JSON = '{"name": "light", "arguments": {"room": "hall"}}'
WEATHER_JSON = '{"name": "weather.get", "arguments": {"city": "Rome", "days": 2}}'
OPENAI = {"role": "assistant", "content": None, "tool_calls": [
    {"type": "function", "function": {"name": "light", "arguments": '{"room": "hall"}'}}]}  # fmt: skip
ANTHROPIC = {"role": "assistant", "content": [
    {"type": "text", "text": "I do."}, {"type": "tool_use", "name": "light", "input": {"room": "hall"}}]}  # fmt: skip
GOOGLE = {"candidates": [{"content": {"parts": [{"functionCall": {"name": "light", "args": {"room": "hall"}}}]}}]}

CALLS: list[tuple[str, str, str, list[Any], int]] = [
    ("a tag", f"<tool_call>\n{LIGHT_JSON}\n</tool_call>", "tags", [LIGHT], 0),
    ("two tags", f"<tool_call>{LIGHT_JSON}</tool_call>\n<tool_call>{WEATHER_JSON}</tool_call>",
     "tags", [LIGHT, WEATHER], 0),
    ("two in one tag", f"<tool_call>\n{LIGHT_JSON}\n{WEATHER_JSON}\n</tool_call>", "tags", [LIGHT, WEATHER], 0),
    ("a tag never closed", f"<tool_call>\n{LIGHT_JSON}", "tags", [LIGHT], 0),
    ("Python in a tag", '<tool_call>light(room="hall")</tool_call>', "tags", [LIGHT], 0),
    ("one tag is broken", f'<tool_call>{LIGHT_JSON}</tool_call><tool_call>{{"name": "li', "tags", [LIGHT], 1),
    ("JSON alone", LIGHT_JSON, "json", [LIGHT], 0),
    ("a lone closing tag", f"{LIGHT_JSON}\n</tool_call>", "json", [LIGHT], 0),
    ("a list", f"[{LIGHT_JSON}, {WEATHER_JSON}]", "json", [LIGHT, WEATHER], 0),
    ("a list in a fence, in prose", f"Sure:\n```json\n[{LIGHT_JSON}]\n```\nDone.", "json", [LIGHT], 0),
    ("one after the other", f"{LIGHT_JSON}\n{WEATHER_JSON}", "json", [LIGHT, WEATHER], 0),
    ("the same twice", f"{LIGHT_JSON}\n{LIGHT_JSON}", "json", [LIGHT, LIGHT], 0),
    ("OpenAI", json.dumps(OPENAI), "json", [LIGHT], 0),
    ("a whole response", json.dumps({"choices": [{"message": OPENAI}]}), "json", [LIGHT], 0),
    ("Anthropic", json.dumps(ANTHROPIC), "json", [LIGHT], 0),
    ("Google", json.dumps(GOOGLE), "json", [LIGHT], 0),
    ("by name", '[{"light": {"room": "hall"}}]', "json", [LIGHT], 0),
    ("by name, JSON within", json.dumps([{"light": '{"room": "hall"}'}]), "json", [LIGHT], 0),
    ("no arguments", '{"name": "light"}', "json", [("light", {})], 0),
    ("a function that nobody offers", '{"name": "open", "arguments": {}}', "json", [("open", {})], 0),
    ("arguments are no object", '{"name": "light", "arguments": ["hall"]}', "unreadable", [], 1),
    ("a description of a function", '{"name": "light", "parameters": {"type": "object", "properties": {}}}',
     "unreadable", [], 1),
    ("a list with a strange part", f'[{LIGHT_JSON}, 7]', "json", [LIGHT], 1),
    ("cut within the second", f'{LIGHT_JSON}\n{{"name": "light", "argum', "json", [LIGHT], 1),
    ("Python", '[light(room="hall"), weather.get(city="Rome", days=2)]', "python", [LIGHT, WEATHER], 0),
    ("Python in a fence", '```python\n[light(room="hall")]\n```', "python", [LIGHT], 0),
    ("on lines", 'light(room="hall")\nweather.get(city="Rome", days=2)', "python", [LIGHT, WEATHER], 0),
    ("in prose", 'I will call light(room="hall") for you.', "python", [LIGHT], 0),
    ("with a result", 'done = light(room="hall")', "python", [LIGHT], 0),
    ("a hyphen in the name", "[get-time()]", "python", [("get-time", {})], 0),
    ("nested", 'light(room="a)b", on=true, parts=[{"x": (1, -2.5)}], none=None)', "python",
     [("light", {"room": "a)b", "on": True, "parts": [{"x": [1, -2.5]}], "none": None})], 0),
    ("a place for a name", 'light("hall")', "unreadable", [], 1),
    ("a name for a value", "light(room=hall)", "unreadable", [], 1),
    ("a call for a value", "light(room=open(1))", "unreadable", [], 1),
    ("a set for a value", "light(room={1, 2})", "unreadable", [], 1),
    ("an import", "light(room=__import__('os').system('true'))", "unreadable", [], 1),
    ("stars", "light(**{'room': 'hall'})", "unreadable", [], 1),
    ("one of two", 'light(room="hall") light(hall)', "python", [LIGHT], 1),
    ("cut", '[light(room="ha', "unreadable", [], 1),
    ("after a trace", f'<think>light(room="attic")</think>\n{LIGHT_JSON}', "json", [LIGHT], 0),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "calls", "broken"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_calls_are_read(text: str, kind: str, calls: list[Any], broken: int) -> None:
    found = read_answer(text, NAMES.spellings)
    assert (found.kind, [tuple(call) for call in found.calls], found.broken) == (kind, calls, broken)
    assert not found.calls_nothing


NOTHING: list[tuple[str, str, str]] = [
    ("a sentence", "None of the functions can do this.", "prose"),
    ("another script", "这些功能都不能完成你的请求。", "prose"),
    ("names of functions", "Neither light nor weather.get can open a window, sorry.", "prose"),
    ("a plural in brackets", "The account(s) cannot be closed (I have no function for it).", "prose"),
    ("a message", json.dumps({"role": "assistant", "content": "I cannot open windows.", "tool_calls": []}), "prose"),
    ("an empty list", "[]", "empty list"),
    ("in a fence", "```python\n[]\n```", "empty list"),
    ("of calls", '{"tool_calls": []}', "empty list"),
]


@pytest.mark.parametrize(("text", "kind"), [row[1:] for row in NOTHING], ids=[row[0] for row in NOTHING])
def test_who_says_so_calls_nothing(text: str, kind: str) -> None:
    found = read_answer(text, NAMES.spellings)
    assert (found.kind, found.calls, found.calls_nothing) == (kind, (), True)


UNREAD = [
    "", "   ", "<think>I shall call nothing at all, said the model", "...", "No.", "<tool_call>",
    "<tool_call></tool_call>",
    "I call nothing. <tool_call>", '{"name": "light", "arg', "Sorry, but: light(room=", "[light(", '{"city": "Rome"}',
    "```python\ndef light(room):\n    return room\n```", "You can do it so:\n```bash\ncurl example.org\n```",
    'I would send {"name": "x", "arguments": 5} if I could.', "Use reset(force=maybe) instead, I cannot do it.",
]  # fmt: skip


@pytest.mark.parametrize("text", UNREAD)
def test_what_cannot_be_read_never_counts_as_calling_nothing(text: str) -> None:
    found = read_answer(text, NAMES.spellings)
    assert not found.calls and not found.calls_nothing


ARGUMENTS = st.dictionaries(
    st.sampled_from(["room", "city", "on", "is_on", "a"]),
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8) | st.lists(st.text(max_size=3), max_size=2),
    max_size=3,
)  # fmt: skip


@given(st.lists(st.tuples(st.sampled_from(OFFERED), ARGUMENTS), min_size=1, max_size=3))
def test_calls_that_are_written_are_read_again(made: list[Any]) -> None:
    calls = tuple(Call(*one) for one in made)
    assert read_answer(written(calls), NAMES.spellings).calls == calls
    assert (
        read_answer(json.dumps([{"name": c.name, "arguments": c.arguments} for c in calls]), NAMES.spellings).calls
        == calls
    )


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from(["light", "(", ")", "{", '"name"', ":", "<tool_call>", "[", "]", "=", "'", "\n"])).map(
        "".join
    )
)
def test_any_text_is_read(text: str) -> None:
    found = read_answer(text, NAMES.spellings)
    assert not (found.calls and found.calls_nothing)


@pytest.mark.parametrize(
    "part", ["light(", "<tool_call>", '{"name": ', "[[", "a" * 9, "light(a=[", "'", "```\n", "x.y", "(" * 5]
)
def test_long_answers_are_read_in_time(part: str) -> None:
    begun = time.process_time()
    read_answer(part * (200_000 // len(part)), NAMES.spellings)
    assert time.process_time() - begun < 3


def test_names_are_those_that_were_told() -> None:
    assert provider_name("weather.get") == "weather_get"
    assert [NAMES.meant(name) for name in ("weather.get", "weather_get", "Weather.get", "get-time")] == [
        "weather.get", "weather.get", "Weather.get", "get-time"
    ]  # fmt: skip
    assert Names(["a.b", "a_b"]).meant("a_b") == "a_b" and Names(["a.b", "a b"]).meant("a_b") == "a_b"
