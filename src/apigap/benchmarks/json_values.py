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
        end = _end(text, opening.start()) if opening else None
        if opening is None or end is None:
            return
        at = end
        try:
            value = _DECODER.decode(text[opening.start() : end])
        except (ValueError, RecursionError):  # not JSON; deeper than any answer; a number of too many digits
            continue
        yield Found(value, opening.start(), end)


def _end(text: str, start: int) -> int | None:
    """The place after the bracket that closes the one at `start`; None where none does, or it is too deep."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0] in "{[":
            depth += 1
        elif token[0] in "}]":
            depth -= 1
        if depth == 0:
            return token.end()
        if depth > _DEEPEST:
            return None
    return None
