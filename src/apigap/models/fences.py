"""Fenced blocks of Markdown, also the ones that models leave open, indent or nest."""

import re
from typing import NamedTuple

# Possessive: no part could match less, and trying would take quadratic time on a hostile line.
_FENCE = re.compile(r"^(?P<indent>[ \t>]*+)(?P<marks>`{3,}+|~{3,}+)[ \t]*+(?P<tag>[^\s`]*+)[^`\n]*+$")

_LATE = re.compile(r"^[^`\n]*+(?P<indent>)(?P<marks>`{3,}+)(?P<tag>python3?|py)[ \t]*+$", re.IGNORECASE)
"""An opening fence behind words: only one that names Python, since any other might close something."""


class Block(NamedTuple):
    """One block. `tag` is in lower case; `start` is the line of its opening fence, `end` the one of its end."""

    tag: str
    text: str
    closed: bool
    start: int
    end: int


def read_blocks(text: str) -> list[Block]:
    """The fenced blocks of `text` in order; a last one may be open."""
    lines = text.split("\n")
    blocks: list[Block] = []
    opener: re.Match[str] | None = None
    start = 0
    for number, line in enumerate(lines):
        fence = _FENCE.match(line)
        if opener is None:
            opener, start = fence or _LATE.match(line), number
        elif fence and _matches(fence, opener):
            blocks.append(_block(lines, opener, start, number, closed=not fence["tag"]))
            opener, start = (fence, number) if fence["tag"] else (None, start)
    if opener is not None:
        blocks.append(_block(lines, opener, start, len(lines), closed=False))
    return blocks


def fenced(text: str, language: str = "python") -> str:
    """`text` in a fence that is longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _matches(fence: re.Match[str], opener: re.Match[str]) -> bool:
    """True when `fence` ends the block: a bare one closes it; one with a tag means that closing was forgotten."""
    return fence["marks"][0] == opener["marks"][0] and len(fence["marks"]) >= len(opener["marks"])


def _block(lines: list[str], opener: re.Match[str], start: int, end: int, *, closed: bool) -> Block:
    tag = re.split(r"[{,:;(]", opener["tag"].lower().lstrip("{."))[0]
    return Block(tag, "\n".join(lines[start + 1 : end]), closed, start, end)
