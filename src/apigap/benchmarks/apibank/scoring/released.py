"""The call in an answer and its arguments as the released evaluator finds them, known faults included.

The rules are those of its two patterns: the call runs to the last `)]` of its line, a value ends at either quote, what
lies between arguments is passed over, and every value is text. They are followed by hand, since the patterns
themselves take quadratic time on a hostile answer.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_OPENING = re.compile(r"\[(\w++)\(")
_NAME = re.compile(r"(?<!\w)(\w++)\s*+=\s*+")
_QUOTE = re.compile(r"['\"]")
_WORD = re.compile(r"\w++")


class Found(NamedTuple):
    """A call as text, its API's name, and its arguments: texts, or (of a native call) lists and mappings."""

    text: str
    name: str
    arguments: Mapping[str, Any]


def find_call(answer: str) -> Found | None:
    """The first call in `answer`; None where there is none."""
    line_end, last = -1, -1
    for opening in _OPENING.finditer(answer):
        if opening.end() > line_end:
            line_end = answer.find("\n", opening.end())
            line_end = len(answer) if line_end < 0 else line_end
            last = answer.rfind(")]", 0, line_end)
        if last >= opening.end():
            arguments = dict(_arguments(answer[opening.end() : last]))
            return Found(answer[opening.start() : last + 2], opening[1], arguments)
    return None


def _arguments(text: str) -> Iterator[tuple[str, str]]:
    """Names and values from left to right; for each a quoted value, a list up to the last bracket, or a word."""
    last_bracket = text.rfind("]")
    at = 0
    while name := _NAME.search(text, at):
        start = name.end()
        found = _value(text, start, last_bracket)
        if found is None:
            at = name.end(1)
            continue
        value, at = found
        yield name[1], value


def _value(text: str, start: int, last_bracket: int) -> tuple[str, int] | None:
    """The value that begins at `start` and where it ends."""
    if text[start : start + 1] in ("'", '"'):
        closing = _QUOTE.search(text, start + 2)
        return (text[start + 1 : closing.start()], closing.end()) if closing else None
    if text[start : start + 1] == "[" and last_bracket > start:
        return text[start : last_bracket + 1], last_bracket + 1
    word = _WORD.match(text, start)
    return (word[0], word.end()) if word else None
