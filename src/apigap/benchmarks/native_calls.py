"""Calls in the messages of providers, in whatever they are wrapped: OpenAI's, Anthropic's and Google's forms."""

import json
from collections.abc import Mapping
from typing import Any

from apigap.records.parsing.json_shapes import is_list, is_object

ARGUMENTS = ("arguments", "parameters", "input", "args")
"""The keys under which calls have their arguments."""
_FIRST_OF = ("choices", "candidates")
_WITHIN = ("message", "content")
_CALL = ("function_call", "functionCall")
_PARTS = ("content", "output", "parts")
_KINDS = ("tool_use", "function_call")
_DEEPEST = 6


def native_items(value: Mapping[str, Any], depth: int = 0) -> list[Any] | None:
    """The calls of a message or response, each still as the provider wrote it; None where `value` is neither."""
    if depth > _DEEPEST:
        return None
    for key in ("tool_calls", "toolCalls"):
        listed = value.get(key)
        if is_list(listed):
            return listed
    single = next((value[key] for key in _CALL if is_object(value.get(key))), None)
    if single is not None:
        return [single]
    inner = [_first(value.get(key)) for key in _FIRST_OF] + [value.get(key) for key in _WITHIN]
    for wrapped in inner:
        if is_object(wrapped) and (found := native_items(wrapped, depth + 1)) is not None:
            return found
    return _of_messages(value.get("messages"), depth) or _of_parts(value)


def arguments_of(value: Any) -> Any:
    """Arguments that are a JSON text, as OpenAI writes them, as the value that it holds; other texts stay."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def is_conversation(value: list[Any]) -> bool:
    """True if a list holds messages."""
    return bool(value) and all(is_object(item) and isinstance(item.get("role"), str) for item in value)


def _of_messages(value: Any, depth: int) -> list[Any] | None:
    if not is_list(value) or not is_conversation(value):
        return None
    return [call for message in value for call in native_items(message, depth + 1) or []]


def _of_parts(value: Mapping[str, Any]) -> list[Any] | None:
    parts = [part for key in _PARTS if is_list(listed := value.get(key)) for part in listed]
    calls = [_call_of(part) for part in parts if is_object(part)]
    return [call for call in calls if call is not None] or None


def _call_of(part: Mapping[str, Any]) -> Mapping[str, Any] | None:
    inner = part.get("functionCall")
    if is_object(inner):
        return inner
    return part if part.get("type") in _KINDS else None


def _first(value: Any) -> Any:
    return value[0] if is_list(value) and value else None
