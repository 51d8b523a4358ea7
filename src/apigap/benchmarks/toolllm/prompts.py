"""How a row is asked: its APIs as plain text, for an answer in JSON."""

from apigap.benchmarks.toolllm.names import avoid_reserved, standardise
from apigap.benchmarks.toolllm.queries import Api, Parameter, Query
from apigap.models.request import Message

MAX_DESCRIPTION = 256
"""Characters of an API's description that are shown, as published."""
_SYSTEM = (
    "You choose APIs. Given a request and a list of functions, name every function that has to be called to fulfil the "
    'request, and no other. Answer with one JSON object and nothing else: {"api_calls": ["function_name", ...]}'
)


def selection_messages(query: Query) -> tuple[Message, ...]:
    """The conversation that asks for the APIs of one query in a single step."""
    functions = "\n".join(_line(api) for api in query.apis)
    asked = f"Request:\n{query.question}\n\nFunctions:\n{functions}\n\nWhich functions have to be called?"
    return Message(role="system", content=_SYSTEM), Message(role="user", content=asked)


def _line(api: Api) -> str:
    parameters = ", ".join(parameter_name(parameter) for parameter in api.required_parameters)
    told = " ".join((api.api_description or "").split())[:MAX_DESCRIPTION]
    return f"- {api.function}({parameters})" + (f": {told}" if told else "")


def parameter_name(parameter: Parameter) -> str:
    """A parameter's name as a model sees it."""
    return avoid_reserved(standardise(parameter.name))
