"""Native tool calls in answers: JSON objects with name and arguments, `<tool_call>` blocks, messages of providers."""

from collections.abc import Iterator
from typing import Any

from apigap.benchmarks.apibank.scoring.corrected import Read, is_plain, read_calls
from apigap.benchmarks.apibank.scoring.released import Found, find_call
from apigap.benchmarks.json_values import json_values
from apigap.benchmarks.native_calls import ARGUMENTS, arguments_of, native_items
from apigap.models.traces import without_trace
from apigap.records.parsing.json_shapes import is_list, is_object


def read_native(answer: str) -> list[Read]:
    """The calls of an answer in their order; none where it holds none in JSON."""
    return [call for found in json_values(without_trace(answer)) for call in _of_value(found.value)]


def read_either(answer: str) -> list[Read]:
    """Native calls, else those that are written as text."""
    return read_native(answer) or read_calls(answer)


def find_either(answer: str) -> Found | None:
    """The first native call, else what the released evaluator finds.

    Scalars become the texts that the released system takes; lists and mappings stay, since nothing was to be parsed.
    """
    for call in read_native(answer):
        given: dict[str, Any] = {key: v if is_list(v) or is_object(v) else str(v) for key, v in call.arguments.items()}
        return Found(answer, call.name, given)
    return find_call(answer)


def _of_value(value: Any) -> Iterator[Read]:
    if is_list(value):
        for item in value:
            yield from _of_value(item)
    elif is_object(value):
        items = native_items(value)
        for item in [value] if items is None else items:
            call = _of_item(item)
            if call is not None:
                yield call


def _of_item(item: Any) -> Read | None:
    """One call; its arguments may be JSON within JSON, as OpenAI writes them."""
    if not is_object(item):
        return None
    inner = item.get("function")
    if is_object(inner):
        return _of_item(inner)
    name = item.get("name")
    arguments = arguments_of(next((item[key] for key in ARGUMENTS if key in item), None))
    is_empty = arguments is None or (isinstance(arguments, str) and not arguments.strip())
    given: Any = {} if is_empty else arguments
    return Read(name, given) if isinstance(name, str) and is_object(given) and is_plain(given) else None
