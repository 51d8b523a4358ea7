"""The prompts about a query: its functions beside the conversation, in one of three forms."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from apigap.benchmarks.calls.bfcl.shown import json_schema
from apigap.benchmarks.calls.names import provider_name
from apigap.benchmarks.calls.queries import Function, Query
from apigap.models.request import Message
from apigap.records.parsing.json_shapes import is_object

Form = Literal["functions", "python", "native"]
_RULES = (
    "You help people by calling functions. Make all calls that are needed at once, and no other. If none of the "
    "functions can do what is asked, call nothing: say so in one sentence."
)
_LISTED = "\n\nThe functions, a JSON object on each line:\n<tools>\n"
_TAGS = (
    "\n</tools>\n\nWrite each call as\n"
    '<tool_call>\n{"name": "function_name", "arguments": {"parameter": "value"}}\n</tool_call>'
)
_PYTHON = (
    "\n</tools>\n\nAnswer with a Python list of calls and nothing else, all arguments by name:\n"
    '[first_function(parameter="value", other=3), second_function()]'
)
_ENDS: Mapping[Form, str] = {"functions": _TAGS, "python": _PYTHON}


def conversation(query: Query, form: Form) -> tuple[Message, ...]:
    """The messages to a model: instructions and functions, then what the query itself says."""
    own = [message.content for message in query.messages if message.role == "system"]
    rest = [message for message in query.messages if message.role != "system"]
    head = _RULES if form == "native" else f"{_RULES}{_LISTED}{_lines(query)}{_ENDS[form]}"
    return Message(role="system", content="\n\n".join([head, *own])), *rest


def shared_characters(form: Form) -> int:
    """The number of first characters of a conversation that are the same for every query."""
    return len(_RULES) if form == "native" else len(_RULES + _LISTED)


def _lines(query: Query) -> str:
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in shown_functions(query))


def shown_functions(query: Query) -> list[dict[str, Any]]:
    """The functions as a model sees them, with JSON schemas."""
    return [_shown(one, one.name, query) for one in query.functions]


def native_functions(query: Query) -> Sequence[dict[str, Any]]:
    """The functions as providers take them: under names that they take, everything with a description."""
    return [_described(_shown(one, provider_name(one.name), query)) for one in query.functions]


def _described(function: dict[str, Any]) -> dict[str, Any]:
    """A function whose arguments all have a description: those that have none are described by their name."""
    properties = {
        name: {"description": name.replace("_", " "), **schema} if is_object(schema) else schema
        for name, schema in function["parameters"]["properties"].items()
    }
    told = function["description"] or function["name"]
    return {**function, "description": told, "parameters": {**function["parameters"], "properties": properties}}


def _shown(function: Function, name: str, query: Query) -> dict[str, Any]:
    own: dict[str, Any] = {"type": "object", "properties": {}, **function.parameters}
    parameters = own if query.rules == "own" else json_schema(function.parameters, query.rules)
    return {"name": name, "description": function.description, "parameters": parameters}
