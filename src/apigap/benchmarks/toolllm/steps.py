"""Selection in several steps: what a model is told, and the calls with their arguments in what it writes back."""

from typing import Any, NamedTuple

from apigap.benchmarks.json_values import json_values
from apigap.benchmarks.native_calls import arguments_of
from apigap.benchmarks.toolllm.answers import FINISH, tagged_values
from apigap.benchmarks.toolllm.prompts import with_functions
from apigap.benchmarks.toolllm.queries import Query
from apigap.models.request import Message
from apigap.models.traces import without_trace
from apigap.records.parsing.json_shapes import is_list, is_object

NATIVE_STEPS = (
    "You fulfil a request by calling functions. Call one or several, read what they answer, and go on until you can "
    f"answer the request; call no function that the request does not need. Then call {FINISH} with the answer. Call it "
    "without one where the functions cannot give what is needed."
)
_ARGUMENTS = ("arguments", "parameters")


class ToolCall(NamedTuple):
    """A call as a model wrote it; `arguments` are any JSON value, or the text where they are no JSON."""

    name: str
    arguments: Any


def step_messages(query: Query, *, tags: bool) -> tuple[Message, ...]:
    """The beginning of a conversation in several steps; with `tags` the functions are described in it."""
    system = with_functions(NATIVE_STEPS, query) if tags else NATIVE_STEPS
    return Message(role="system", content=system), Message(role="user", content=query.question)


def calls_in(text: str) -> list[ToolCall]:
    """The calls in what a model wrote: those in `<tool_call>` tags, or else JSON objects with a name and arguments."""
    plain = without_trace(text)
    values = tagged_values(plain) or [found.value for found in json_values(plain)]
    items = [item for value in values for item in (value if is_list(value) else [value])]
    return [call for item in items if (call := _call(item)) is not None]


def thought_of(text: str) -> str:
    """The text before the first call."""
    return without_trace(text).partition("<tool_call>")[0].strip()


def tagged_response(responses: list[str]) -> str:
    """The server's answers as a message of the user, in the order of the calls."""
    return "\n".join(f"<tool_response>\n{response}\n</tool_response>" for response in responses)


def _call(item: Any) -> ToolCall | None:
    if not is_object(item) or not isinstance(item.get("name"), str):
        return None
    key = next((key for key in _ARGUMENTS if key in item), None)
    return None if key is None else ToolCall(item["name"], arguments_of(item[key]))
