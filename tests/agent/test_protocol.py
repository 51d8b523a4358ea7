"""Calls in answers: what is one, what is none, and that no text is an error."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.agent.prompting import opening
from apigap.agent.protocol import MOST_ARGUMENT, MOST_CALLS, Protocol, protocol_for, read_calls, said
from apigap.agent.toolsets import EXAMPLES, SETS, TOOLS, offered
from apigap.records.configuration import load_settings
from apigap.records.experiment import TOOL_SETS, ToolSet
from apigap.records.task import Task

BLOCKS: list[tuple[str, list[tuple[str, str]]]] = [
    ("```search_docs\nshuffled ranges\n```", [("search_docs", "shuffled ranges")]),
    (
        "I look.\n\n```read_page\nlib.a\n```\nand\n~~~read_source\nlib.b#2\n~~~",
        [("read_page", "lib.a"), ("read_source", "lib.b#2")],
    ),
    ("```run_code\nx = 1\n  \nx\n```\n```submit\nx = 1\n```", [("run_code", "x = 1\n  \nx"), ("submit", "x = 1")]),
    ("```list_changes\n```", [("list_changes", "")]),
    ("````submit\ntext = '''\n```\n'''\n````", [("submit", "text = '''\n```\n'''")]),
    ("<think>\n```submit\nno\n```\n</think>\n```submit\nyes\n```", [("submit", "yes")]),
    ("```RUN_CODE\nx\n```", [("run_code", "x")]),
    ("```submit\nx = 1", [("submit", "x = 1")]),
    ("```python\nprint(1)\n```", []),
    ("```\nsubmit\nx = 1\n```", []),
    ("search_docs: shuffled", []),
    ('{"tool_calls": [{"name": "submit", "arguments": {"code": "x"}}]}', []),
    ("```bash\napigap\n```", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "calls"), BLOCKS)
def test_calls_in_fenced_blocks(answer: str, calls: list[tuple[str, str]]) -> None:
    found = read_calls(answer, "text")
    assert [(asked.tool, asked.argument) for asked in found] == calls
    assert not any(asked.wrong for asked in found)


def test_a_block_that_was_cut_is_not_made() -> None:
    (cut,) = read_calls("```submit\nx = 1", "text", whole=False)
    assert "not closed" in cut.wrong
    (first, second) = read_calls("```run_code\nx\n```submit\ny = 2\n```", "text")
    assert "not closed" in first.wrong, "an opening fence before its end"
    assert (second.argument, second.wrong) == ("y = 2", "")


@pytest.mark.parametrize("tools", TOOL_SETS)
def test_what_a_prompt_shows_as_a_call_is_never_made(tools: ToolSet, tasks: list[Task]) -> None:
    system, _ = opening(tasks[0], tools, "text", load_settings().agent.budget(tools))
    shown = read_calls(system.content, "text")
    assert shown
    assert all("of the example" in asked.wrong for asked in shown)
    assert {asked.argument for asked in shown} <= set(EXAMPLES.values())


def native(*calls: Any) -> str:
    return json.dumps({"content": "I look.", "tool_calls": list(calls)})


CALLS: list[tuple[Any, str, str, str]] = [
    ({"name": "search_docs", "arguments": {"query": "a"}}, "search_docs", "a", ""),
    ({"name": "list_changes", "arguments": {}}, "list_changes", "", ""),
    ({"name": "submit", "arguments": {"code": "x = 1"}}, "submit", "x = 1", ""),
    ({"name": "submit", "arguments": {}}, "submit", "", "takes 'code'"),
    ({"name": "submit", "arguments": {"code": " "}}, "submit", " ", "wants Python code"),
    ({"name": "submit", "arguments": {"code": ["x"]}}, "submit", "", "takes 'code'"),
    ({"name": "read_page", "arguments": {"name": "a", "part": 2}}, "read_page", "a", "nothing else"),
    ({"name": "read_page", "arguments": "no JSON {"}, "read_page", "", "no object"),
    ({"name": "eval", "arguments": {"code": "x"}}, "unknown", "", "no tool 'eval'"),
    ("submit", "unknown", "", "no tool"),
]


@pytest.mark.parametrize(("call", "tool", "argument", "wrong"), CALLS, ids=[str(case[0])[:60] for case in CALLS])
def test_calls_of_providers(call: Any, tool: str, argument: str, wrong: str) -> None:
    (asked,) = read_calls(native(call), "native")
    assert (asked.tool, asked.argument) == (tool, argument)
    assert wrong in asked.wrong
    assert bool(asked.wrong) == bool(wrong)
    assert said(native(call), "native") == "I look."


def test_what_is_too_much_is_bounded() -> None:
    (long,) = read_calls(f"```submit\n{'x' * (MOST_ARGUMENT + 1)}\n```", "text")
    assert len(long.argument) == MOST_ARGUMENT
    assert "longer" in long.wrong
    many = "\n".join(["```list_changes\n```"] * 100)
    assert len(read_calls(many, "text")) == MOST_CALLS
    assert len(read_calls(native(*[{"name": "submit", "arguments": {"code": "x"}}] * 100), "native")) == MOST_CALLS


@given(
    st.text() | st.lists(st.sampled_from(["```submit\n", "```", "~~~run_code\n", "{", "x\n", "\\ud800"])).map("".join)
)
def test_no_text_is_an_error(answer: str) -> None:
    protocols: tuple[Protocol, ...] = ("text", "native")
    for protocol in protocols:
        for whole in (True, False):
            assert all(asked.tool in TOOLS or asked.wrong for asked in read_calls(answer, protocol, whole=whole))


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_no_json_is_an_error(value: Any) -> None:
    for answer in (json.dumps(value), native(value), json.dumps({"tool_calls": value})):
        assert all(asked.wrong or asked.tool in TOOLS for asked in read_calls(answer, "native"))


PROTOCOLS = [
    ("openai/gpt-4o", "auto", "native"),
    ("openai/gpt-4o", "text", "text"),
    ("openai/my-own", "auto", "text"),
    ("batch/queue/gpt-4o", "auto", "text"),
    ("batch/queue/gpt-4o", "native", "native"),
    ("gguf/qwen2.5-coder-0.5b", "auto", "text"),
    ("mockllm/model", "auto", "text"),
]


@pytest.mark.parametrize(("model", "wanted", "protocol"), PROTOCOLS)
def test_the_providers_own_calls_where_it_is_known_to_have_them(model: str, wanted: str, protocol: str) -> None:
    assert protocol_for(model, wanted) == protocol


def test_every_set_can_be_handed_in_and_offers_what_it_says() -> None:
    assert set(SETS) == set(TOOL_SETS)
    for tools in TOOL_SETS:
        assert SETS[tools][-1] == "submit"
        given_tools = offered(tools)
        assert [tool.name for tool in given_tools] == list(SETS[tools])
        wanted = [tool.parameters["required"] for tool in given_tools]
        assert wanted == [[TOOLS[name].argument] for name in SETS[tools]]
