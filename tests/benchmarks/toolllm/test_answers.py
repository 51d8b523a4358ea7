"""Answers as models write them, and what each of them chooses; on queries that were written for this project."""

import json
from typing import Any

import pytest

from apigap.benchmarks.toolllm.benchmark import chosen_pairs, gold
from apigap.benchmarks.toolllm.queries import OWN, Query, load_queries
from apigap.benchmarks.toolllm.selection import as_released, score, select
from apigap.benchmarks.toolllm.verdict import verdict

QUERIES = {query.task_id: query for query in load_queries([OWN])}
TRAINS = QUERIES["900005"]
LEAVE, ARRIVE, CLASS, RETURN = (api.function for api in TRAINS.apis)
PAIRS = [list(pair) for pair in TRAINS.labels]
WANTED = (LEAVE, CLASS)
RAIL = "Branch-Line Timetable"


def tree(*names: str) -> str:
    """A recorded run of the runner's own generation."""
    node: dict[str, Any] = {"node_type": "Action Input", "description": "{}", "children": []}
    for name in reversed(names):
        node = {"node_type": "Action", "description": name, "children": [node]}
    return json.dumps({"tree": {"tree": {"node_type": "Thought", "description": "", "children": [node]}}})


def converted(*names: str) -> str:
    """A recorded run of the converted generation."""
    node: dict[str, Any] = {"role": "tool", "message": "{'name': 'Finish', 'arguments': '{}'}", "next": []}
    for name in reversed(names):
        node = {"role": "tool", "message": f"{{'name': '{name}', 'arguments': {{}}, 'response': ''}}", "next": [node]}
    return json.dumps(
        {"query": "", "answer": {"method": "CoT", "answer_details": [{"role": "system", "next": [node]}]}}
    )


def openai(*names: str) -> dict[str, Any]:
    calls = [{"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in names]
    return {"role": "assistant", "content": None, "tool_calls": calls}


CALLS = json.dumps({"api_calls": list(WANTED)})
TAGS = "\n".join(f'<tool_call>\n{{"name": "{name}", "arguments": {{"station": "x"}}}}\n</tool_call>' for name in WANTED)

RIGHT: list[tuple[str, str, str]] = [
    ("function names", "json", CALLS),
    ("pairs", "json", json.dumps({"api_calls": PAIRS})),
    ("objects", "json", json.dumps({"calls": [{"tool_name": t, "api_name": a} for t, a in PAIRS]})),
    ("short keys", "json", json.dumps({"calls": [{"tool": t, "api": a} for t, a in PAIRS]})),
    ("key in another spelling", "json", json.dumps({"apiCalls": list(WANTED)})),
    ("labels' own key", "json", json.dumps({"relevant APIs": PAIRS})),
    ("tools as keys", "json", json.dumps({"api_calls": {RAIL: ["from", "class"]}})),
    ("a bare list", "json", json.dumps(list(WANTED))),
    ("a bare list of pairs in prose", "json", f"These two: {json.dumps(PAIRS)}. Good luck!"),
    ("fenced", "json", f"```json\n{CALLS}\n```"),
    ("a fenced bare list", "json", f"```\n{json.dumps(list(WANTED))}\n```"),
    ("prose before and after", "json", f"Of course! Here it is:\n\n{CALLS}\n\nFirst {LEAVE}, then {CLASS}."),
    ("a fence that is never closed", "json", f"Sure.\n```json\n{CALLS}"),
    ("byte order mark", "json", f"\ufeff{CALLS}"),
    ("Windows line breaks", "json", json.dumps({"api_calls": list(WANTED)}, indent=2).replace("\n", "\r\n")),
    ("upper case", "json", json.dumps({"api_calls": [name.upper() for name in WANTED]})),
    ("other signs between words", "json", json.dumps({"api_calls": [n.replace("_", "-") for n in WANTED]})),
    ("bare API names", "json", json.dumps({"api_calls": ["from", "Class"]})),
    ("with what the prompt shows behind", "json", json.dumps({"api_calls": [f"{LEAVE}(station)", f"{CLASS}()"]})),
    ("with a namespace", "json", json.dumps({"api_calls": [f"functions.{name}" for name in WANTED]})),
    ("tool and API in one text", "json", json.dumps({"api_calls": [f"{RAIL}: {api}" for _, api in PAIRS]})),
    ("a function as its tool's API", "json", json.dumps({"calls": [{"tool": RAIL, "api": n} for n in WANTED]})),
    ("repeated", "json", json.dumps({"api_calls": [*WANTED, *PAIRS, *WANTED]})),
    ("with Finish", "json", json.dumps({"api_calls": [*WANTED, "Finish"]})),
    ("in an object of its own", "json", json.dumps({"thought": "two", "result": {"api_calls": list(WANTED)}})),
    ("a line for each", "json", "\n".join(json.dumps({"tool_name": t, "api_name": a}) for t, a in PAIRS)),
    ("names line by line", "json", "\n".join(json.dumps({"name": name}) for name in WANTED)),
    ("corrected", "json", f'{{"api_calls": ["{ARRIVE}"]}}\nNo, that was wrong:\n{CALLS}'),
    ("arguments told afterwards", "json", f'{CALLS}\nCall them with {{"name": "Little Ormsby"}} and ["B12", "first"].'),
    ("after a trace", "json", f'<think>Perhaps {{"api_calls": ["{RETURN}"]}}? No.</think>\n{CALLS}'),
    ("after a broken one", "json", f'{{"api_calls": ["{ARRIVE}",]}}\nOnce more:\n{CALLS}'),
    ("brackets in prose", "json", f"The set {{of trains}} [see above] :-] {CALLS}"),
    ("a line break in a text", "json", f'{{"why": "two\nof them", "api_calls": {json.dumps(list(WANTED))}}}'),
    ("a message", "native", json.dumps(openai(*WANTED))),
    ("a response", "native", json.dumps({"choices": [{"index": 0, "message": openai(*WANTED)}]})),
    ("calls alone", "native", json.dumps({"tool_calls": openai(*WANTED)["tool_calls"]})),
    ("messages line by line", "native", "\n".join(json.dumps(openai(name)) for name in WANTED)),
    ("a conversation", "native", json.dumps([
        {"role": "user", "content": "?"}, openai(LEAVE), {"role": "tool", "name": LEAVE}, openai(CLASS),
    ])),
    ("Anthropic's form", "native", json.dumps({"role": "assistant", "content": [
        {"type": "text", "text": "I look."}, *({"type": "tool_use", "id": "1", "name": n, "input": {}} for n in WANTED),
    ]})),
    ("Google's form", "native", json.dumps({"candidates": [{"content": {"parts": [
        {"functionCall": {"name": name, "args": {}}} for name in WANTED
    ]}}]})),
    ("OpenAI's newer form", "native", json.dumps({"output": [
        {"type": "reasoning"}, *({"type": "function_call", "name": n, "arguments": "{}"} for n in WANTED),
    ]})),
    ("tags", "native", TAGS),
    ("tags between prose", "native", f"I call two.\n{TAGS}\nThat is all."),
    ("a last tag that is open", "native", TAGS.removesuffix("</tool_call>")),
    ("tags win over a list", "native", f'{{"api_calls": ["{ARRIVE}"]}}\n{TAGS}'),
    ("calls line by line", "native", "\n".join(json.dumps({"name": n, "parameters": {"at": "x"}}) for n in WANTED)),
    ("a run", "tree", tree(*WANTED, "Finish")),
    ("a converted run", "tree", converted(*WANTED)),
    ("a run with repeated steps", "tree", tree(LEAVE, CLASS, LEAVE)),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "answer"), [row[1:] for row in RIGHT], ids=[row[0] for row in RIGHT])
def test_right_choices_are_read_and_resolved(mode: str, answer: str) -> None:
    selection = select(answer, TRAINS)
    assert (selection.mode, sorted(selection.chosen), selection.invented) == (mode, sorted(WANTED), ())
    assert score(selection, TRAINS).resolved


WRONG: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("nothing", "none", "", ()),
    ("a refusal", "none", "I am sorry, I cannot help with that.", ()),
    ("an empty list", "json", '{"api_calls": []}', ()),
    ("null", "json", '{"api_calls": null}', ()),
    ("an empty message", "native", '{"role": "assistant", "tool_calls": []}', ()),
    ("prose", "text", f"Use {LEAVE} and then {CLASS}.", WANTED),
    ("a list in words", "text", f"1. `{LEAVE}`\n2. `{CLASS}`", WANTED),
    ("steps in words", "text", f'Thought: go\nAction: {LEAVE}\nAction Input: {{"name": "Little Ormsby"}}', (LEAVE,)),
    ("an argument that looks like a list", "text", f'{LEAVE} with ["Little Ormsby"]', (LEAVE,)),
    ("single quotes", "text", f"{{'api_calls': ['{LEAVE}', '{CLASS}']}}", WANTED),
    ("single quotes around pairs", "text", f"{{'api_calls': {json.dumps([[RAIL, LEAVE]])}}}", (LEAVE,)),
    ("a comma too many", "text", f'{{"api_calls": ["{LEAVE}", "{CLASS}",]}}', WANTED),
    ("cut off in a list of pairs", "text", json.dumps({"api_calls": [[RAIL, LEAVE], [RAIL, CLASS]]})[:-30], (LEAVE,)),
    ("cut off after an object", "text", f'{{"calls": [{{"api_name": "{LEAVE}"}}, {{"api_na', (LEAVE,)),
    ("no quotes", "text", f"{{api_calls: [{LEAVE}, {CLASS}]}}", WANTED),
    ("a comment", "text", f'{{"api_calls": ["{LEAVE}"] // one\n}}', (LEAVE,)),
    ("brackets crossed", "text", f'{{"api_calls": ["{LEAVE}"}}]', (LEAVE,)),
    ("a trace alone", "none", f"<think>{CALLS}", ()),
    ("one too few", "json", f'{{"api_calls": ["{LEAVE}"]}}', (LEAVE,)),
    ("one too many", "json", json.dumps({"api_calls": [*WANTED, RETURN]}), (*WANTED, RETURN)),
    ("everything", "json", chosen_pairs([api.pair for api in TRAINS.apis]), (LEAVE, ARRIVE, CLASS, RETURN)),
    ("an invented one", "json", '{"api_calls": ["fly_for_moon"]}', ("fly_for_moon",)),
    ("invented twice", "json", '{"api_calls": ["fly_for_moon", "Fly for Moon"]}', ("fly_for_moon",)),
    ("of another tool", "json", '{"api_calls": [["Other", "from"]]}', ("is_from_for_other",)),
    ("tool and API in each other's place", "json", f'{{"api_calls": [["from", "{RAIL}"]]}}',
     ("branch_line_timetable_for_from",)),
    ("a letter of another alphabet", "json", json.dumps({"api_calls": [LEAVE.replace("o", "о")]}),  # Cyrillic
     (LEAVE.replace("o", "о"),)),
    ("a sign that only looks like k", "json", '{"api_calls": ["\\u212a_for_x"]}', ("\u212a_for_x",)),
    ("full width", "json", json.dumps({"api_calls": ["ｆrom"]}), ("ｆrom",)),
    ("what is no name", "json", '{"api_calls": [7, null, {"x": 1}]}', ("7", "null", '{"x": 1}')),
    ("a run that called what is not there", "tree", tree(LEAVE, "invalid_hallucination_function_name"),
     (LEAVE, "invalid_hallucination_function_name")),
    ("a description of a function", "json", json.dumps({"name": LEAVE, "parameters": {"properties": {}}}), (LEAVE,)),
]  # fmt: skip


@pytest.mark.parametrize(("mode", "answer", "chosen"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_other_answers_choose_what_they_say_and_never_resolve(mode: str, answer: str, chosen: tuple[str, ...]) -> None:
    selection = select(answer, TRAINS)
    assert (selection.mode, sorted(as_released(selection).chosen)) == (mode, sorted(chosen))
    assert not score(selection, TRAINS).resolved
    assert selection.chosen == () or mode != "text"


REFUSALS = [
    f"Sorry, I could not {LEAVE.split('_')[0]} anything for you. There is no tool for that.",
    f"Do not use {LEAVE} and {CLASS}.",
    f"I would need {LEAVE} and {CLASS}, but I cannot call anything.",
]


@pytest.mark.parametrize("answer", REFUSALS)
def test_a_refusal_earns_nothing_but_in_released_mode(answer: str) -> None:
    selection = select(answer, TRAINS)
    result = verdict(TRAINS, selection)
    found = {key: result.detail[key] for key in ("recall", "precision", "f1", "exact", "resolved", "chosen")}
    assert found == {"recall": 0.0, "precision": None, "f1": 0.0, "exact": False, "resolved": False, "chosen": []}
    assert result.score == 0.0 and sorted(result.detail["missed"]) == sorted(TRAINS.expected)
    released = verdict(TRAINS, selection, mode="released")
    assert released.score == score(as_released(selection), TRAINS).recall
    if selection.mode == "text":
        assert result.detail["in_text"]["recall"] == released.score and not released.passed
        assert result.detail["fault"] == "wrong format"


AMBIGUOUS = QUERIES["900015"]
"""Two tools of it have an API named Search."""


def test_a_bare_name_of_two_apis_is_ambiguous_and_wrong() -> None:
    selection = select('{"api_calls": ["Search", "search", "climb"]}', AMBIGUOUS)
    assert selection.ambiguous == ("Search",)
    assert (selection.invented, selection.chosen) == ((), ("Search", "climb_for_footpath_atlas"))
    assert score(selection, AMBIGUOUS).recall == 1 / 3


NAMES: list[tuple[str, str, str]] = [
    ("900001", "Next High Water", "next_high_water_for_tidewatch"),
    ("900003", "Scale.Batch", "scale_batch_for_kettle_io_brewing"),
    ("900003", "getRecipe", "getrecipe_for_kettle_io_brewing"),
    ("900004", "Water profile (v2)", "water_profile_v2_for_kettle_io_brewing"),
    ("900006", "return", "is_return_for_branch_line_timetable"),
    ("900007", "24h chart", "get_24h_chart_for_get_7_bells_radio"),
    ("900009", "Fees", "fees_for_municipal_open_records_of_the_greater_wexcombe_valley"),
    ("900011", "{alloy}/density", "alloy_density_for_forge^2_materials"),
    ("900012", "Hardness^2 index", "hardness^2_index_for_forge^2_materials"),
    ("900013", "Prévision", "pr_vision_for_caf_m_t_o"),
    ("900016", "huts along path", "huts_along_path_for_footpath_atlas"),
    ("900018", "新茶", "新茶_for_茶_catalogue"),
    ("900019", "and", "is_and_for_truth_tables"),
    ("900019", "TRUE", "is_true_for_truth_tables"),
]


@pytest.mark.parametrize(("query", "written", "function"), NAMES, ids=[row[1] for row in NAMES])
def test_unusual_names_are_found_bare_and_as_functions(query: str, written: str, function: str) -> None:
    for name in (written, function, function.upper()):
        assert select(json.dumps({"api_calls": [name]}), QUERIES[query]).chosen == (function,)


def test_names_that_collide_count_by_name_and_are_told() -> None:
    query = QUERIES["900010"]
    wanted, other = "List planning applications by street", "Search planning applications by street"
    right, wrong = (select(chosen_pairs([(query.apis[0].tool_name, api)]), query) for api in (wanted, other))
    assert right.colliding == wrong.colliding == tuple(query.colliding) == right.chosen
    assert len(right.chosen[0]) == 64


def test_an_old_run_may_leave_out_get_before_a_digit() -> None:
    query = QUERIES["900007"]
    old = select(converted("24h_chart_for_get_7_bells_radio"), query)
    assert (old.chosen, old.older) == (("get_24h_chart_for_get_7_bells_radio",),) * 2
    assert select('{"api_calls": ["24h_chart_for_get_7_bells_radio"]}', query).invented


@pytest.mark.parametrize("query", QUERIES.values(), ids=list(QUERIES))
def test_every_query_can_be_resolved_in_every_form(query: Query) -> None:
    names = sorted(query.expected)
    for answer in (
        gold(query), json.dumps(names), tree(*names), json.dumps(openai(*names)),
        "".join(f'<tool_call>{json.dumps({"name": name, "arguments": {}})}</tool_call>' for name in names),
    ):  # fmt: skip
        assert score(select(answer, query), query).resolved
