"""Dialogues as conversations with tools: for TRL, and in the ShareGPT form that many trainers read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apigap.apibank_generator.agents.prompts import SEARCH_TOOL
from apigap.apibank_generator.api_pool import interface
from apigap.apibank_generator.records import Dialogue, Step, Tool, Value, ValueType, readable_json
from apigap.records.base import Json

_SCHEMAS: Mapping[ValueType, dict[str, str]] = {
    "str": {"type": "string"}, "int": {"type": "integer"}, "float": {"type": "number"}, "bool": {"type": "boolean"},
    "list": {"type": "array"}, "dict": {"type": "object"}, "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"}, "datetime": {"type": "string", "format": "date-time"},
}  # fmt: skip


def trl(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """TRL's conversation with tools: `messages` with tool calls and their results, and `tools` as JSON schemas."""
    return {"messages": list(_messages(dialogue)), "tools": _functions(dialogue, tools)}


def share_gpt(dialogue: Dialogue, tools: Mapping[str, Tool]) -> dict[str, Any]:
    """ShareGPT: `conversations` of human, function_call, observation and gpt; `tools` is JSON in a text."""
    turns: list[dict[str, str]] = []
    for exchange in dialogue.exchanges:
        turns.append({"from": "human", "value": exchange.user})
        for step in exchange.steps:
            turns.append({"from": "function_call", "value": readable_json(_called(step))})
            turns.append({"from": "observation", "value": readable_json(step.result)})
        turns.append({"from": "gpt", "value": exchange.reply})
    described = [one["function"] for one in _functions(dialogue, tools)]
    return {"conversations": turns, "tools": readable_json(described)}


def function(tool: Tool) -> dict[str, Any]:
    """An API as a function with a JSON schema."""
    parameters = {
        "type": "object",
        "properties": {value.name: _schema(value) for value in tool.inputs},
        "required": [value.name for value in tool.inputs if value.required],
    }
    described = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": described}


def _schema(value: Value) -> dict[str, str]:
    return {**_SCHEMAS[value.type], "description": value.description}


def _functions(dialogue: Dialogue, tools: Mapping[str, Tool]) -> list[dict[str, Any]]:
    """The APIs of a conversation; one that is to be searched for counts, since it is known once it was found."""
    used = [tools[name] for name in (dialogue.query.apis if dialogue.query else ())]
    return [function(tool) for tool in (used if dialogue.ability == "call" else (SEARCH_TOOL, *used))]


def _messages(dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    for exchange in dialogue.exchanges:
        yield {"role": "user", "content": exchange.user}
        for step in exchange.steps:
            yield {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": _called(step)}]}
            yield {"role": "tool", "name": step.api, "content": readable_json(step.result)}
        yield {"role": "assistant", "content": exchange.reply}


def _called(step: Step) -> dict[str, Any]:
    return {"name": step.api, "arguments": step.arguments}


def in_order(dialogue: Dialogue, tools: Mapping[str, Tool]) -> Dialogue:
    """The same dialogue, each mapping in the declared order."""
    exchanges = [
        exchange.model_copy(update={"steps": tuple(_step(step, tools) for step in exchange.steps)})
        for exchange in dialogue.exchanges
    ]
    return dialogue.model_copy(update={"exchanges": tuple(exchanges)})


def _step(step: Step, tools: Mapping[str, Tool]) -> Step:
    if step.is_search:
        return step.model_copy(update={"result": interface(tools[step.result["name"]])})
    tool = tools[step.api]
    arguments = _sorted(step.arguments, tool.inputs)
    result = step.result if step.failure else _sorted(step.result, tool.outputs)
    return step.model_copy(update={"arguments": arguments, "result": result})


def _sorted(given: Mapping[str, Json], declared: Sequence[Value]) -> dict[str, Json]:
    return {value.name: given[value.name] for value in declared if value.name in given}
