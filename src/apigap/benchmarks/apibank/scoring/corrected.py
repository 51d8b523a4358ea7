"""Calls in an answer, read sensibly: values with their types, quotes inside of texts, several calls.

A value is what its author meant: a quoted text up to the quote (of either kind) before the next argument, a list or
mapping up to the bracket that closes it, a number, True, False or None, else the bare words. Nothing is evaluated; the
time is linear.
"""

import math
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from apigap.models.traces import without_trace
from apigap.records.parsing.json_shapes import is_object
from apigap.records.parsing.syntax import literal_value

_CALL = re.compile(r"\[\s*(\w++)\s*+\(")
_BARE = re.compile(r"(?m)^[ \t]*(?:API-Request:[ \t]*)?(\w++)\(")
_NEXT = re.compile(r"\s*+,\s*+(\w++)\(")
"""[First(...), Second(...)]"""
_KEY = re.compile(r"\s*+,?\s*+(\w++)\s*+=\s*+")
_END = re.compile(r"\s*+,?\s*+\)")
_QUOTES = "'\""
_CLOSING = re.compile(r"['\"](?=\s*+(?:,\s*+\w++\s*+=|,?\s*+\)))")
_BARE_END = re.compile(r"(?=\s*+(?:,\s*+\w++\s*+=|\)\s*+(?:\]|\n|,|$)))")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|[+-]?\.\d+")
_CONSTANTS: dict[str, Any] = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
_PAIRS = {"[": "]", "{": "}", "(": ")"}
_LONGEST_LITERAL = 20_000
DEEPEST = 20
_MOST_FAILED = 100
"""Beginnings of calls that do not end; after so many an answer is not searched any further."""


_TRIED = re.compile(r"API-Request|\[\s*+\w++\s*+\(|<tool_call>|\"(?:name|api_name|apiCode|arguments)\"\s*+:")


class Read(NamedTuple):
    """A call: its API's name and its arguments in their types."""

    name: str
    arguments: dict[str, Any]


def read_calls(answer: str) -> list[Read]:
    """The calls of an answer in their order: those in brackets, else those that begin a line."""
    text = without_trace(answer)
    return list(_calls(text, _CALL)) or list(_calls(text, _BARE))


def begins_a_call(answer: str) -> bool:
    """True if some part of an answer is meant as a call, whether or not it can be read."""
    return _TRIED.search(answer) is not None


def _calls(text: str, opening: re.Pattern[str]) -> Iterator[Read]:
    at, failed = 0, 0
    while failed < _MOST_FAILED and (begin := opening.search(text, at)):
        arguments, end = _arguments(text, begin.end())
        if end is None:
            at, failed = begin.end(), failed + 1
            continue
        yield Read(begin[1], arguments)
        at = end
        while more := _NEXT.match(text, at):
            arguments, end = _arguments(text, more.end())
            if end is None:
                break
            yield Read(more[1], arguments)
            at = end


def _arguments(text: str, at: int) -> tuple[dict[str, Any], int | None]:
    """Arguments from `at` and the place after the closing bracket; None as place where they do not end."""
    found: dict[str, Any] = {}
    while True:
        end = _END.match(text, at)
        if end is not None:
            return found, end.end()
        key = _KEY.match(text, at)
        if key is None:
            return found, None
        value = _value(text, key.end())
        if value is None:
            return found, None
        found[key[1]], at = value


def _value(text: str, at: int) -> tuple[Any, int] | None:
    """A value and the place after it; None where it does not end."""
    first = text[at : at + 1]
    if first and first in _QUOTES:
        closing = _CLOSING.search(text, at + 1)
        return (_unescaped(text[at + 1 : closing.start()]), closing.end()) if closing else None
    if first in ("[", "{"):
        end = _balanced(text, at)
        return (literal(text[at:end]), end) if end is not None else None
    end_of_words = _BARE_END.search(text, at)
    if end_of_words is None:
        return None
    return _word(text[at : end_of_words.start()].strip()), end_of_words.start()


def _word(text: str) -> Any:
    """A constant, a number, or the text itself."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _NUMBER.fullmatch(text) and len(text) < 300:
        number = float(text) if any(letter in text for letter in ".eE") else int(text)
        return number if is_plain(number) else text
    return text


def _unescaped(text: str) -> str:
    """A text without the backslashes before quotes."""
    return re.sub(r"\\(['\"])", r"\1", text)


def _balanced(text: str, at: int) -> int | None:
    """The place after the bracket that closes the one at `at`; brackets in quotes do not count."""
    open_: list[str] = []
    quote = ""
    for place in range(at, min(len(text), at + _LONGEST_LITERAL)):
        letter = text[place]
        if quote:
            if letter == quote and text[place - 1] != "\\":
                quote = ""
        elif letter in _QUOTES:
            quote = letter
        elif letter in _PAIRS:
            open_.append(_PAIRS[letter])
        elif open_ and letter == open_[-1]:
            open_.pop()
            if not open_:
                return place + 1
    return None


def literal(text: str) -> Any:
    """A list or mapping that is written as a literal; what is none, or holds what no JSON can, stays text."""
    if len(text) > _LONGEST_LITERAL:
        return text
    try:
        found = literal_value(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text
    return found if is_plain(found) else text


def is_plain(value: Any, left: int = DEEPEST) -> bool:
    """True if JSON can hold a value, with at most `left` lists or mappings within each other, as any API's argument."""
    if is_object(value):
        keys = all(isinstance(key, str | int | float | None) for key in list[Any](value))
        return left > 0 and keys and all(is_plain(inner, left - 1) for inner in value.values())
    if isinstance(value, list | tuple):
        return left > 0 and all(is_plain(inner, left - 1) for inner in value)  # pyright: ignore[reportUnknownVariableType]
    return math.isfinite(value) if isinstance(value, float) else isinstance(value, str | int | None)
