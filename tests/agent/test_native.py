"""Tools in a provider's own calling: over a server of OpenAI's protocol, and in the files of both batch formats."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.agent.run import STEPS, AgentCell
from apigap.agent.trace import Step
from apigap.models.batch.formats import batch_request, for_anthropic, for_openai
from apigap.models.generate import Generator
from apigap.models.request import Decoding, GenerationRequest, Message, ToolCall
from apigap.records.result import Prediction
from apigap.records.store import load_records
from tests.models.scripted_server import KEY, MODEL, Scripted, said, serving
from tests.silent import Silent

from .desk import TASK, terms


def calls(*named: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    functions = [{"name": name, "arguments": json.dumps(arguments)} for name, arguments in named]
    return {"tool_calls": [{"id": f"their{n}", "type": "function", "function": f} for n, f in enumerate(functions)]}


def test_an_agent_over_openais_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = said(None, "tool_calls", **calls(("search_docs", {"query": "a"}), ("submit", {"text": "y"})))
    last = said("Here.", "tool_calls", **calls(("submit", {"code": "y = 2"})))
    with serving(Scripted({"Make y.": [first, last]})) as server:
        monkeypatch.setenv("LOCAL_BASE_URL", server.address)
        monkeypatch.setenv("LOCAL_API_KEY", KEY)
        with Generator(f"openai-api/local/{MODEL}", Decoding(max_tokens=64), cache=False) as generator:
            own = terms(tools="none", protocol="native")
            AgentCell(tmp_path, [TASK], 1, own, None, 1).run(generator.generate, {}, Silent())
    (row,) = load_records(tmp_path / "predictions.jsonl", Prediction)
    assert row.samples == ("```python\ny = 2\n```",)
    asked, again = server.bodies
    assert [tool["function"]["name"] for tool in asked["tools"]] == ["submit"]
    made, *results = again["messages"][-3:]
    assert [call["function"]["name"] for call in made["tool_calls"]] == ["search_docs", "submit"]
    assert [one["tool_call_id"] for one in results] == [call["id"] for call in made["tool_calls"]]
    assert "There is no such tool here" in results[0]["content"]
    assert "it takes 'code', a text, and nothing else" in results[1]["content"]
    steps = load_records(tmp_path / STEPS, Step)
    assert [(s.input_tokens, s.output_tokens) for s in steps if s.kind == "answer"] == [(11, 5), (11, 5)]


CONVERSATION = (
    Message(role="system", content="Work."),
    Message(role="user", content="Make y."),
    Message(
        role="assistant",
        content="I look.",
        calls=(ToolCall(id="c0", name="read_page", arguments={"name": "a"}), ToolCall(id="c1", name="x", arguments={})),
    ),
    Message(role="tool", content="a page", call_id="c0"),
    Message(role="tool", content="nothing", call_id="c1"),
)


def test_a_conversation_with_calls_in_both_batch_formats() -> None:
    wanted = batch_request(GenerationRequest(key="k", prompt=CONVERSATION), 0, Decoding(), None)
    body = for_openai(wanted, "m")["body"]
    assert body["messages"][2:] == [
        {
            "role": "assistant", "content": "I look.",
            "tool_calls": [
                {"id": "c0", "type": "function", "function": {"name": "read_page", "arguments": '{"name": "a"}'}},
                {"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}},
            ],
        },
        {"role": "tool", "tool_call_id": "c0", "content": "a page"},
        {"role": "tool", "tool_call_id": "c1", "content": "nothing"},
    ]  # fmt: skip
    turns = for_anthropic(wanted, "m")["params"]["messages"]
    assert turns[1:] == [
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c0", "name": "read_page", "input": {"name": "a"}},
                {"type": "tool_use", "id": "c1", "name": "x", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c0", "content": "a page"},
                {"type": "tool_result", "tool_use_id": "c1", "content": "nothing"},
            ],
        },
    ]


def test_a_message_without_calls_keeps_its_bytes() -> None:
    assert Message(role="user", content="x").model_dump() == {"role": "user", "content": "x"}
    assert Message.from_line(CONVERSATION[2].to_line()) == CONVERSATION[2]
