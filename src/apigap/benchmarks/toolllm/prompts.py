"""The prompts about a row: its APIs as plain text for an answer in JSON, or as functions for native calls."""

import json
from typing import Any, Literal

from apigap.benchmarks.toolllm.answers import FINISH
from apigap.benchmarks.toolllm.names import avoid_reserved, standardise
from apigap.benchmarks.toolllm.queries import Api, Parameter, Query
from apigap.models.request import Message

Form = Literal["text", "functions"]
FORMS: tuple[Form, ...] = ("text", "functions")
MAX_DESCRIPTION = 256
"""Characters of the description of an API or a parameter that are shown, as published."""
MAX_TOLD = 512
"""Characters of a whole function's description, its tool's part included, as published for tools."""
_TEXT_SYSTEM = (
    "You choose APIs. Given a request and a list of functions, name every function that has to be called to fulfil the "
    'request, and no other. Answer with one JSON object and nothing else: {"api_calls": ["function_name", ...]}'
)
NATIVE_SYSTEM = (
    "You choose APIs. Call every function that has to be called to fulfil the request, and no other, all of them at "
    "once: no call will be answered. Take what you do not know yet as given."
)
_TAGS = (
    "\n\nThe functions, a JSON object on each line:\n<tools>\n",
    "\n</tools>\n\nWrite each call as\n"
    '<tool_call>\n{"name": "function_name", "arguments": {"parameter": "value"}}\n</tool_call>',
)
_TYPES = {"string": "string", "number": "number", "boolean": "boolean", "array": "array", "object": "object"}


def selection_messages(query: Query, form: Form = "text") -> tuple[Message, ...]:
    """The conversation that asks for the APIs of one query in a single step.

    `functions` describes them in JSON and asks for `<tool_call>` tags, which any model can be asked for; who can give
    functions to a model by themselves takes `native_functions`.
    """
    if form == "functions":
        system = with_functions(NATIVE_SYSTEM, query)
        return Message(role="system", content=system), Message(role="user", content=query.question)
    functions = "\n".join(_line(api) for api in query.apis)
    asked = f"Request:\n{query.question}\n\nFunctions:\n{functions}\n\nWhich functions have to be called?"
    return Message(role="system", content=_TEXT_SYSTEM), Message(role="user", content=asked)


def shared_characters(form: Form) -> int:
    """The number of first characters of a conversation that are the same for every query."""
    return len(_TEXT_SYSTEM) if form == "text" else len(NATIVE_SYSTEM + _TAGS[0])


def with_functions(system: str, query: Query) -> str:
    """`system` with the query's functions behind it, to be called in `<tool_call>` tags."""
    described = "\n".join(json.dumps(function, ensure_ascii=False) for function in native_functions(query))
    return f"{system}{_TAGS[0]}{described}{_TAGS[1]}"


def native_functions(query: Query) -> list[dict[str, Any]]:
    """The row's APIs as functions in JSON schema, each name once, and `Finish` at the end."""
    functions = {api.function: _function(api) for api in reversed(query.apis)}
    return [*reversed(functions.values()), _finish()]


def parameter_name(parameter: Parameter) -> str:
    """A parameter's name as a model sees it."""
    return avoid_reserved(standardise(parameter.name))


def _line(api: Api) -> str:
    parameters = ", ".join(parameter_name(parameter) for parameter in api.required_parameters)
    told = _cut(api.api_description)
    return f"- {api.function}({parameters})" + (f": {told}" if told else "")


def _function(api: Api) -> dict[str, Any]:
    parameters = (*api.required_parameters, *api.optional_parameters)
    told = f'From the tool "{standardise(api.tool_name)}". {_cut(api.api_description)}'
    return {
        "name": api.function,
        "description": told[:MAX_TOLD].strip(),
        "parameters": {
            "type": "object",
            "properties": {parameter_name(parameter): _schema(parameter) for parameter in parameters},
            "required": list(dict.fromkeys(parameter_name(parameter) for parameter in api.required_parameters)),
        },
    }


def _schema(parameter: Parameter) -> dict[str, Any]:
    """Types that JSON schema does not have (dates, enumerations without their values) are texts."""
    kind = _TYPES.get(parameter.type.lower(), "string")
    items = {"items": {"type": "string"}} if kind == "array" else {}
    example = {} if parameter.default in (None, "") else {"example_value": parameter.default}
    return {"type": kind, "description": _cut(parameter.description), **items, **example}


def _finish() -> dict[str, Any]:
    kinds = ["give_answer", "give_up_and_restart"]
    return {
        "name": FINISH,
        "description": "Ends the work: with the answer to the request, or without one.",
        "parameters": {
            "type": "object",
            "properties": {
                "return_type": {"type": "string", "enum": kinds, "description": "Whether there is an answer."},
                "final_answer": {"type": "string", "description": "The answer, where there is one."},
            },
            "required": ["return_type"],
        },
    }


def _cut(text: str | None) -> str:
    return " ".join((text or "").split())[:MAX_DESCRIPTION]
