"""The calls that an answer names, in any of the forms that are scored, each form its own mode.

Nothing of an answer is evaluated: JSON is read by the standard library, trees by walking their JSON, everything else
is text.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apigap.benchmarks.shapes import is_list, is_object
from apigap.benchmarks.toolllm.trees import is_tree, tree_names
from apigap.models.traces import without_trace

Mode = Literal["json", "native", "tree", "text", "none"]
STRUCTURED: frozenset[Mode] = frozenset(("json", "native", "tree"))
FINISH = "Finish"
_LISTS = ("api_calls", "calls", "apis", "relevant APIs", "relevant_apis")
_TOOLS = ("tool_name", "tool")
_APIS = ("api_name", "api")
_FUNCTIONS = ("function_name", "name", "function")
_TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_EFFORT = 5_000_000
"""Characters that are read again and again in search of JSON, before an answer is taken for plain text."""
_SHOWN = 200


@dataclass(frozen=True)
class Call:
    """What an answer named: an API of a tool, or (`tool` None) a function or a bare API name."""

    tool: str | None
    name: str


@dataclass(frozen=True)
class Answer:
    """The calls of an answer in their order, repeated ones once; None as `calls` where no structure was found."""

    mode: Mode
    calls: tuple[Call, ...]


def read_answer(response: str) -> Answer | None:
    """The structured answer in `response`, or None; never raises.

    Native tool calls (messages of the usual form, `<tool_call>` blocks) come before JSON in prose; of several JSON
    values the last one that lists calls counts, and single calls one after the other are one answer.
    """
    text = without_trace(response.lstrip("\ufeff"))
    tagged = [value for block in _TOOL_CALL.findall(text) for value in json_values(block)]
    found = [answer for value in tagged or json_values(text) if (answer := _of_value(value)) is not None]
    if not found:
        return None
    *_, last = found
    if len(found) > 1 and all(mode == "native" for mode, _ in found):
        return _answer("native", [call for _, calls in found for call in calls])
    return _answer(*last)


def _answer(mode: Mode, calls: list[Call]) -> Answer:
    return Answer(mode, tuple(dict.fromkeys(call for call in calls if call.tool is not None or call.name != FINISH)))


def json_values(text: str) -> Iterator[Any]:
    """The JSON objects and lists in `text`, outermost first and in order; one that does not end is passed over."""
    decoder = json.JSONDecoder()
    at, effort = 0, 0
    while effort < _EFFORT and (opening := _OPENING.search(text, at)):
        start = opening.start()
        try:
            value, at = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            read = len(text) if error.msg.startswith("Unterminated") else error.pos
            effort += read - start + 1
            at = start + 1
        except (RecursionError, ValueError):  # deeper than any answer; a number of more digits than Python reads
            effort += _EFFORT // 100
            at = start + 1
        else:
            yield value


_OPENING = re.compile(r"[{\[]")


def _of_value(value: Any) -> tuple[Mode, list[Call]] | None:
    """The calls of one JSON value, or None where it lists none."""
    if is_list(value):
        calls = [_of_item(item) for item in value]
        usable = [call for call in calls if call is not None]
        return ("json", [call or _strange(item) for call, item in zip(calls, value, strict=True)]) if usable else None
    if not is_object(value):
        return None
    if is_tree(value):
        return "tree", [Call(None, name) for name in tree_names(value)]
    native = _native(value)
    if native is not None:
        return "native", native
    for key in _LISTS:
        listed = value.get(key)
        if is_list(listed):
            return "json", [_of_item(item) or _strange(item) for item in listed]
    single = _of_item(value)
    if single is None:
        return None
    return ("native" if "arguments" in value or "parameters" in value else "json"), [single]


def _native(value: Mapping[str, Any]) -> list[Call] | None:
    """The calls of a message as providers give it, in any of its wrappings."""
    choices = value.get("choices")
    if is_list(choices) and choices and is_object(choices[0]):
        return _native(choices[0])
    message = value.get("message")
    if is_object(message):
        return _native(message)
    listed = value.get("tool_calls")
    if is_list(listed):
        return [_of_item(item) or _strange(item) for item in listed]
    function = value.get("function_call")
    if is_object(function):
        return [_of_item(function) or _strange(function)]
    return None


def _of_item(item: Any) -> Call | None:
    """One call: a function's name, a pair, or an object with either."""
    if isinstance(item, str):
        return Call(None, item)
    if is_list(item):
        return Call(item[0], item[1]) if len(item) == 2 and all(isinstance(part, str) for part in item) else None
    if not is_object(item):
        return None
    tool, api = _text(item, _TOOLS), _text(item, _APIS)
    if api is not None:
        return Call(tool, api)
    function = item.get("function")
    if is_object(function):
        return _of_item(function)
    name = _text(item, _FUNCTIONS)
    return Call(tool, name) if name is not None else None


def _text(item: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _strange(item: Any) -> Call:
    """What stands where a call should: it counts as one that was invented."""
    return Call(None, json.dumps(item, sort_keys=True)[:_SHOWN])
