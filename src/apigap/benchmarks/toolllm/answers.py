"""The calls that an answer names, in any of the forms that are scored, each form its own mode.

Nothing of an answer is evaluated: JSON is read by the standard library, trees by walking their JSON, everything else
is text.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from apigap.benchmarks.json_values import Found, json_values
from apigap.benchmarks.native_calls import ARGUMENTS, is_conversation, native_items
from apigap.benchmarks.toolllm.trees import is_tree, tree_names
from apigap.models.traces import without_trace
from apigap.records.parsing.json_shapes import is_list, is_object

Mode = Literal["json", "native", "tree", "text", "none"]
STRUCTURED: frozenset[Mode] = frozenset(("json", "native", "tree"))
FINISH = "Finish"
_LISTS = ("apicalls", "calls", "functioncalls", "selectedapis", "relevantapis", "apis", "functions")
_TOOLS = ("tool_name", "tool")
_APIS = ("api_name", "api")
_FUNCTIONS = ("function_name", "name", "function")
_TOOL_CALL = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
_FENCES = re.compile(r"```[a-zA-Z]*|~~~[a-zA-Z]*|\s+")
_DEEPEST = 3
_SHOWN = 200


class Call(NamedTuple):
    """A name in an answer: an API of a tool, or (`tool` None) a function or a bare API name."""

    tool: str | None
    name: str


@dataclass(frozen=True)
class Answer:
    """The calls of an answer in their order, repeated ones once.

    `aside` says that nothing but its place makes it a choice: names between prose, which may as well be an example or
    an argument.
    """

    mode: Mode
    calls: tuple[Call, ...]
    aside: bool = False


class _Reading(NamedTuple):
    """The calls of one JSON value.

    `weight` is 2 where the value says that it lists calls, 1 where its parts are calls, 0 where they are names.
    `joins` says that several such values are one answer.
    """

    mode: Mode
    calls: list[Call]
    weight: int
    joins: bool


def read_answer(response: str) -> Answer | None:
    """The structured answer in `response`, or None; never raises.

    Calls in `<tool_call>` tags come before JSON in prose, and what says that it lists calls before what merely could.
    Of several such values the last one counts; single calls one after the other are one answer.
    """
    text = without_trace(response.lstrip("\ufeff"))
    tagged = map(_of_call, tagged_values(text))
    calls = [call for call in tagged if call is not None]
    if calls:
        return _answer(_Reading("native", calls, 1, joins=True), aside=False)
    found = list(json_values(text))
    readings = [reading for one in found if (reading := _of_value(one.value)) is not None]
    if not readings:
        return None
    best = _best(readings)
    return _answer(best, aside=best.weight == 0 and not _is_all(text, found))


def tagged_values(text: str) -> list[Any]:
    """The JSON values within `<tool_call>` tags, in order."""
    return [found.value for block in _TOOL_CALL.findall(text) for found in json_values(block)]


def _best(readings: Sequence[_Reading]) -> _Reading:
    weight = max(reading.weight for reading in readings)
    *_, last = best = [reading for reading in readings if reading.weight == weight]
    if not all(reading.joins for reading in best):
        return last
    mode: Mode = "native" if all(reading.mode == "native" for reading in best) else "json"
    return _Reading(mode, [call for reading in best for call in reading.calls], weight, joins=True)


def _is_all(text: str, found: Sequence[Found]) -> bool:
    """True if the text holds nothing but these values and fences around them."""
    ends = [0, *(one.end for one in found)]
    starts = [*(one.start for one in found), len(text)]
    return not any(_FENCES.sub("", text[end:start]) for end, start in zip(ends, starts, strict=True))


def _answer(reading: _Reading, *, aside: bool) -> Answer:
    calls = (call for call in reading.calls if call.tool is not None or call.name.strip().lower() != FINISH.lower())
    return Answer(reading.mode, tuple(dict.fromkeys(calls)), aside)


def _of_value(value: Any, depth: int = 0) -> _Reading | None:
    """The calls of one JSON value, or None where it lists none."""
    if is_list(value):
        return _of_list(value)
    if not is_object(value):
        return None
    if is_tree(value):
        return _Reading("tree", [Call(None, name) for name in tree_names(value)], 2, joins=False)
    native = native_items(value)
    if native is not None:
        return _Reading("native", _calls(native), 2, joins=True)
    plain = {re.sub(r"[^a-z]", "", key.lower()): inner for key, inner in value.items()}
    listed = next((found for key in _LISTS if key in plain and (found := _listed(plain[key])) is not None), None)
    if listed is not None:
        return _Reading("json", listed, 2, joins=False)
    return _of_single(value) or (_within(value, depth + 1) if depth < _DEEPEST else None)


def _of_list(items: list[Any]) -> _Reading | None:
    if is_conversation(items):
        calls = [call for message in items for call in _calls(native_items(message) or [])]
        return _Reading("native", calls, 2, joins=False)
    if not any(_of_call(item) for item in items):
        return None
    named = all(isinstance(item, str) for item in items)
    return _Reading("json", _calls(items), 0 if named else 1, joins=False)


def _of_single(value: Mapping[str, Any]) -> _Reading | None:
    call = _of_call(value)
    if call is None:
        return None
    if any(key in value for key in ARGUMENTS) and not _is_schema(value.get("parameters")):
        return _Reading("native", [call], 1, joins=True)
    return _Reading("json", [call], 1 if call.tool is not None else 0, joins=True)


def _within(value: Mapping[str, Any], depth: int) -> _Reading | None:
    """The calls that an object within `value` lists, where it says that it does."""
    readings = (_of_value(inner, depth) for inner in value.values() if is_object(inner))
    return next((reading for reading in readings if reading is not None and reading.weight == 2), None)


def _listed(value: Any) -> list[Call] | None:
    """The calls under a key that lists them; a single one may stand for itself, and tools may be keys."""
    if value is None:
        return []
    if is_list(value):
        return _calls(value)
    call = _of_call(value)
    if call is not None:
        return [call]
    if is_object(value) and all(is_list(apis) for apis in value.values()):
        return [Call(tool, api) for tool, apis in value.items() for api in apis if isinstance(api, str)]
    return None


def _calls(items: Sequence[Any]) -> list[Call]:
    return [_of_call(item) or _strange(item) for item in items]


def _of_call(item: Any) -> Call | None:
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
        name = _text(function, _FUNCTIONS)
        return Call(None, name) if name is not None else None
    name = _text(item, _FUNCTIONS)
    return Call(tool, name) if name is not None else None


def _text(item: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((item[key] for key in keys if isinstance(item.get(key), str)), None)


def _is_schema(parameters: Any) -> bool:
    """True if a function is described here, not called."""
    return is_object(parameters) and "properties" in parameters


def _strange(item: Any) -> Call:
    """A call of whatever stands where one should: it counts as invented."""
    return Call(None, json.dumps(item, sort_keys=True)[:_SHOWN])
