"""Tools that are offered in the provider's own way: schemas on the way out, calls on the way back, hashes that stay."""

import json
from pathlib import Path
from typing import Any

import pytest

from apigap.models.batch.formats import batch_request, for_anthropic, for_openai, read_answer_line
from apigap.models.extraction import extract_code
from apigap.models.generate import Generator
from apigap.models.outputs import answer_of
from apigap.models.request import Answer, Decoding, GenerationRequest, OfferedTool
from apigap.models.schemas.native_tools import handed_in, tool_info
from apigap.records.errors import AnswersAwaited, UsageError

CLOCK = OfferedTool(
    name="clock",
    description="Tells the time.",
    parameters={
        "type": "object",
        "properties": {"zone": {"type": "string"}, "at": {"$ref": "#/$defs/place"}},
        "required": ["zone"],
        "$defs": {"place": {"type": "object", "properties": {"city": {"type": "string"}}}},
    },
)
ASKED = GenerationRequest(key="q", prompt="Which time is it in Oslo?", tools=(CLOCK,))
PLAIN = GenerationRequest(key="q", prompt="Which time is it in Oslo?")
FUNCTION = {"name": "clock", "arguments": '{"zone": "Europe/Oslo"}'}


def openai_message(arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": "submit", "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": function}]}


CALLED = {"content": "", "tool_calls": [{"name": "clock", "arguments": {"zone": "Europe/Oslo"}}]}


SUBMIT = {"name": "submit", "arguments": {"code": "x = 1\ny = 2"}}
HANDED_IN: list[tuple[dict[str, Any], str]] = [
    ({"content": "Here it is.", "tool_calls": [SUBMIT]}, "x = 1\ny = 2"),
    ({"content": "", "tool_calls": [{"name": "submit", "arguments": {"code": "z"}}, SUBMIT]}, "x = 1\ny = 2"),
    (openai_message({"code": "x = 1"}), "x = 1"),
    ({"content": "```python\nx = 3\n```", "tool_calls": [{"name": "submit", "arguments": {"lines": 2}}]}, "x = 3"),
    ({"content": "", "tool_calls": [{"name": "clock", "arguments": {}}]}, ""),
    ({"content": None, "tool_calls": [{"name": "submit", "arguments": {"code": "```python\nx = 4\n```"}}]}, "x = 4"),
]


@pytest.mark.parametrize(("message", "code"), HANDED_IN)
def test_the_code_of_an_answer_is_what_its_last_call_hands_in(message: dict[str, Any], code: str) -> None:
    assert extract_code(json.dumps(message)).code.strip() == code


@pytest.mark.parametrize(
    "text", ['{"tool_calls": 3}', '{"tool_calls": [', '{"tool_calls": {}}', '{"a": "tool_calls"}', ""]
)
def test_other_text_hands_nothing_in(text: str) -> None:
    assert handed_in(text) is None


def test_a_request_without_tools_keeps_its_hash_and_its_id() -> None:
    assert "tools" not in PLAIN.model_dump(mode="json")
    assert batch_request(PLAIN, 0, Decoding(), None).id == "r6155baf7ee4ac3b2"  # as before there were any
    assert batch_request(ASKED, 0, Decoding(), None).id != batch_request(PLAIN, 0, Decoding(), None).id


def test_both_batch_formats_offer_the_tools() -> None:
    wanted = batch_request(ASKED, 0, Decoding(), None)
    (theirs,) = for_openai(wanted, "gpt-4o")["body"]["tools"]
    assert theirs["function"] == {"name": "clock", "description": "Tells the time.", "parameters": CLOCK.parameters}
    (other,) = for_anthropic(wanted, "claude")["params"]["tools"]
    assert other["input_schema"] == CLOCK.parameters
    assert "tools" not in for_openai(batch_request(PLAIN, 0, Decoding(), None), "gpt-4o")["body"]


def openai(message: dict[str, Any]) -> dict[str, Any]:
    choice = {"message": message, "finish_reason": "tool_calls"}
    return {"custom_id": "q", "response": {"status_code": 200, "body": {"choices": [choice]}}}


def anthropic(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"custom_id": "q", "result": {"type": "succeeded", "message": {"content": list(parts)}}}


BROKEN = {"name": "clock", "arguments": '{"zone": '}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (openai({"content": None, "tool_calls": [{"function": FUNCTION}]}), json.dumps(CALLED)),
        (openai({"content": "Eight.", "tool_calls": []}), "Eight."),
        (
            openai({"content": None, "tool_calls": [{"function": BROKEN}]}),
            json.dumps({"content": "", "tool_calls": [{"name": "clock", "arguments": '{"zone": '}]}),
        ),
        (anthropic({"type": "tool_use", "name": "clock", "input": {"zone": "Europe/Oslo"}}), json.dumps(CALLED)),
        (anthropic({"type": "text", "text": "Eight."}), "Eight."),
    ],
)
def test_calls_come_back_as_the_text_of_an_answer(line: dict[str, Any], text: str) -> None:
    assert read_answer_line(line).text == text


def test_a_folder_gives_calls_as_a_provider_does(tmp_path: Path) -> None:
    found: list[Answer] = []
    generator = Generator(f"batch/{tmp_path / 'gpt-4o'}")
    with pytest.raises(AnswersAwaited):
        generator.generate([ASKED], lambda *given: found.append(given[2]))
    name = json.loads((tmp_path / "gpt-4o" / "requests-001.jsonl").read_text())["custom_id"]
    line = {**openai({"content": None, "tool_calls": [{"function": FUNCTION}]}), "custom_id": name}
    (tmp_path / "gpt-4o" / "output.jsonl").write_text(json.dumps(line) + "\n")
    generator.generate([ASKED], lambda *given: found.append(given[2]))
    assert [json.loads(answer.text) for answer in found] == [CALLED]


def test_references_in_a_schema_are_written_out() -> None:
    told = tool_info(CLOCK).parameters.model_dump(exclude_none=True)
    assert told["properties"]["at"]["properties"] == {"city": {"type": "string"}}


def test_a_schema_that_goes_in_circles_ends() -> None:
    tree = {"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}
    assert tool_info(OfferedTool(name="tree", parameters=tree)).parameters.properties.keys() == {"left", "right"}


def test_a_schema_that_no_provider_takes_is_named() -> None:
    with pytest.raises(UsageError, match="the tool odd has a schema"):
        tool_info(OfferedTool(name="odd", parameters={"properties": {"a": {"type": "text"}}}))


@pytest.mark.parametrize(
    "arguments", ['{"code": "x = 1', '{"code": "x = 1"}}', "{'code': 'x'}", "x = 1\n\nError details: y"]
)
@pytest.mark.parametrize("offered", [True, False])
def test_arguments_that_are_no_json_are_judged_as_the_model_wrote_them(arguments: str, offered: bool) -> None:
    """Not in Inspect's words about them, which the model never wrote; a batch's answer has them so, too."""
    from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput
    from inspect_ai.model._call_tools import parse_tool_call, tool_parse_error_message

    call = parse_tool_call("1", "clock", arguments)
    if not call.parse_error:
        call.parse_error = tool_parse_error_message(arguments, ValueError("no\n\nsuch thing"))
    message = ChatMessageAssistant(content="", tool_calls=[call])
    output = ModelOutput(model="m", choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls")])
    text = answer_of(output, "", offered=offered).text
    function = {"name": "clock", "arguments": arguments}
    theirs = read_answer_line(openai({"content": None, "tool_calls": [{"function": function}]})).text
    assert text == (theirs if offered else f"```\n{arguments}\n```")
    assert "Error parsing" not in extract_code(text).code
