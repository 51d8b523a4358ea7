"""JSON values in whatever a model wrote: each is found whole or not at all, in time that grows with the text's length.

What stands within a broken object is not read by itself: the half of a list that a limit of tokens has cut off, or
one with a comma too many, would pass for the whole of it.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_OPENING = re.compile(r"""\{\s*+(?=["'}])|\[\s*+(?=["'\[{\]\d-])""")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)
_MOST_VALUES = 10_000
_DEEPEST = 500
_DECODER = json.JSONDecoder(strict=False)  # models forget to escape the line breaks within a text


class Found(NamedTuple):
    """A value, and its place in the text."""

    value: Any
    start: int
    end: int


def json_values(text: str) -> Iterator[Found]:
    """The outermost JSON objects and lists in `text`, in order; after one that never ends there is none."""
    at = 0
    for _ in range(_MOST_VALUES):
        opening = _OPENING.search(text, at)
        end = end_of_brackets(text, opening.start(), _TOKEN, _DEEPEST) if opening else None
        if opening is None or end is None:
            return
        at = end
        try:
            value = _DECODER.decode(text[opening.start() : end])
        except (ValueError, RecursionError):  # not JSON; deeper than any answer; a number of too many digits
            continue
        yield Found(value, opening.start(), end)


def end_of_brackets(
    text: str, start: int, token: re.Pattern[str], deepest: int, longest: int | None = None
) -> int | None:
    """The place after the bracket that closes the one at `start`; None where none does, or it is too deep.

    `token` finds brackets, and texts in quotes, in which none counts. After `longest` characters the search ends.
    """
    depth = 0
    for found in token.finditer(text, start, len(text) if longest is None else start + longest):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        if depth == 0:
            return found.end()
        if depth > deepest:
            return None
    return None
