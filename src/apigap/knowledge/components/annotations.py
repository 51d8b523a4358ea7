"""Annotations that carry more than a type: `Annotated[X, Doc("...")]` is the type X and a description."""

import re
from typing import NamedTuple

from apigap.records.parsing.syntax import literal_value

_OPEN = re.compile(r"\b(?:\w+\.)*Annotated\[")
_DOC = re.compile(r"\bDoc\(")
_PAIRS = {"[": "]", "(": ")", "{": "}"}


class PlainAnnotation(NamedTuple):
    """A type as it is written in a signature that says no more, and the description that stood beside it."""

    annotation: str
    description: str | None


def plain_annotation(text: str) -> PlainAnnotation:
    """`text` with every `Annotated[X, ...]` in it as X; the first `Doc("...")` is the description."""
    description: str | None = None
    while match := _OPEN.search(text):
        parts, end = _parts(text, match.end())
        if not parts:
            break
        description = description or next((doc for part in parts[1:] if (doc := _documented(part))), None)
        text = text[: match.start()] + parts[0] + text[end:]
    return PlainAnnotation(text, description)


def _documented(part: str) -> str | None:
    match = _DOC.search(part)
    if match is None:
        return None
    arguments, _ = _parts(part, match.end())
    try:
        value = literal_value(arguments[0].strip()) if arguments else None
    except (ValueError, SyntaxError):
        return None
    return " ".join(value.split()) if isinstance(value, str) else None


def _parts(text: str, start: int) -> tuple[list[str], int]:
    """Contents of the bracket open before `start`, split at its commas, and its end; nothing if it is not closed."""
    depth, quote, last, place = 1, "", start, start
    found: list[str] = []
    while place < len(text):
        letter = text[place]
        if quote:
            place += letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _PAIRS:
            depth += 1
        elif letter in _PAIRS.values():
            depth -= 1
            if depth == 0:
                return [*found, text[last:place].strip()], place + 1
        elif letter == "," and depth == 1:
            found.append(text[last:place].strip())
            last = place + 1
        place += 1
    return [], place
