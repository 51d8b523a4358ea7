"""Questions with lettered options: their prompts, and the letter in an answer. Pure."""

import re
import textwrap
from collections.abc import Sequence
from string import ascii_uppercase
from typing import NamedTuple

from apigap.models.traces import without_trace
from apigap.records.errors import UsageError

_INSTRUCTION = "Answer with the letter of one option and nothing else.\n\n"
_MOST_READ = 20_000
_MARKS = r"[\s*_`\"'(\[{$]*"
_SAID = re.compile(
    rf"\b(?:answer|option|choice|letter)\b[\s*_]*(?P<linked>(?:(?:is|would be|should be|must be|:|=)\s*)*){_MARKS}"
    rf"(?:(?:option|choice|letter)\s+{_MARKS})?(?:\\?boxed\{{\s*)?([A-Za-z])\b(?!['’])(?P<after>[^\n]?)",
    re.IGNORECASE,
)
"""`The answer is B`, `**Answer:** (b)`, `option B`."""
_IS_RIGHT = re.compile(
    rf"{_MARKS}[\s*_`\"')\]}}$]*(?:is|seems|looks)\s+(?:the\s+|indeed\s+)?(?:correct|right|best|true)\b"
)
"""The words after `option B` by which that is the decision."""
_IS_SPOKEN_OF = {
    "is",
    "isn't",
    "was",
    "are",
    "has",
    "lacks",
    "does",
    "doesn't",
    "cannot",
    "can't",
    "would",
    "seems",
    "looks",
}
"""Words after `option B` that speak of it, which may be against it."""
_BOXED = re.compile(r"\\boxed\{\s*(?:\\text\{\s*)?\(?([A-Za-z])\)?\s*\}")
_ALONE = re.compile(rf"{_MARKS}([A-Za-z])[\s*_`\"')\]}}$.,:;!]*")
"""A letter and nothing else but marks."""
_LISTED = re.compile(r"[ \t]*(?:[-*>#]+[ \t]+)?[*_`\"'(\[]*([A-Za-z])[*_`\"']*[).:\]][*_`\"')\].:]*(?=\s|$)")
"""`B) ...`, `(b) ...`, `**B.** ...` at the beginning of a line."""
_BEGUN = re.compile(r"[*_`\"']*([A-Z])[*_`\"']*,?\s+(\w+)")
"""`B because ...`."""
_GOES_ON = {"as", "because", "for", "is", "seems", "since"}
_HEDGES = {"or", "and"}
_ARTICLES = {"a", "i"}
_NEXT = 40
"""Characters that hold the next word, if it is one of those above."""


class Lettered(NamedTuple):
    """A prompt whose options have letters; its first `shared` characters are the same in any order of the options."""

    prompt: str
    shared: int


def lettered(question: str, options: Sequence[str], order: Sequence[int]) -> Lettered:
    """The prompt of a question with `options[order[0]]` as A, and so on.

    Raises:
        UsageError: when `order` does not name each option once, or there are more options than letters.
    """
    if sorted(order) != list(range(len(options))) or not 1 < len(options) <= len(ascii_uppercase):
        raise UsageError(
            f"{len(options)} options in the order {list(order)} cannot be lettered; give 2 to 26 options, each once"
        )
    shared = f"{_INSTRUCTION}{question.strip()}\n\n"
    shown = [options[place] for place in order]
    wide = any("\n" in option.strip("\n") for option in shown)
    lines = [f"{letter}. {_shown(option, wide)}" for letter, option in zip(ascii_uppercase, shown, strict=False)]
    return Lettered(f"{shared}{chr(10).join(lines)}\n", len(shared))


def read_letter(answer: str, count: int) -> int | None:
    """The place (0 for A) of the one letter that an answer of `count` options decides on; None where it does not.

    Reasoning in tags is left out. A letter that stands alone on the first or the last line counts, then the last one
    that the answer calls its answer or right, then one that the first line begins with, unless other lines begin with
    others: options that are repeated are no decision. Then the one option that is named and not spoken of, as
    `I take option B`. Any text may be given.
    """
    text = without_trace(answer[-_MOST_READ:]).strip()
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return None
    found = _alone(lines) or _said(text, count) or _begun(lines) or _named(text, count)
    place = ascii_uppercase.index(found) if found else count
    return place if place < count else None


def _alone(lines: list[str]) -> str | None:
    if len(lines) > 1 and len(_listed(lines)) > 1:
        lines = lines[-1:] if _ALONE.fullmatch(lines[-1]) and not _ALONE.fullmatch(lines[-2]) else []
    letters = [match[1].upper() for line in (*lines[-1:], *lines[:1]) if (match := _ALONE.fullmatch(line))]
    return letters[0] if letters else None


def _said(text: str, count: int) -> str | None:
    found = [(match.start(), match[1].upper()) for match in _BOXED.finditer(text)]
    found += [(match.start(), match[2].upper()) for match in _SAID.finditer(text) if _is_decided(match)]
    return max((one for one in found if one[1] in ascii_uppercase[:count]), default=(0, None))[1]


def _named(text: str, count: int) -> str | None:
    """The one option that is named where nothing is called the answer; None where several are, or it is spoken of."""
    named = [match for match in _SAID.finditer(text) if match[2].upper() in ascii_uppercase[:count]]
    found = {match[2].upper() for match in named if not _is_article(match)}
    is_open = any(_word_after(match) in _IS_SPOKEN_OF or _is_one_of_several(match) for match in named)
    return found.pop() if len(found) == 1 and not is_open else None


def _is_decided(match: re.Match[str]) -> bool:
    """True where the letter is called the answer, or right; false of one that is only named, or is one of several."""
    is_called = bool(match["linked"]) or _IS_RIGHT.match(match.string, match.end(2)) is not None
    return is_called and not _is_article(match) and not _is_one_of_several(match)


def _is_one_of_several(match: re.Match[str]) -> bool:
    return _word_after(match) in _HEDGES or match["after"] == "/"


def _is_article(match: re.Match[str]) -> bool:
    """True of the article in `the answer is a list`."""
    if match[2].lower() not in _ARTICLES or not match["after"].isspace():
        return False
    following = _word_after(match)
    return match[2] != "A" or (bool(following) and following not in {*_GOES_ON, *_HEDGES})


def _word_after(match: re.Match[str]) -> str:
    rest = match.string[match.end() :][:_NEXT].split(maxsplit=1)
    return rest[0].lower().strip(",.*_") if rest else ""


def _begun(lines: list[str]) -> str | None:
    listed = _listed(lines)
    if listed:
        return listed.pop() if len(listed) == 1 and _LISTED.match(lines[0]) else None
    match = _BEGUN.match(lines[0].strip())
    sure = match and (match[1].lower() not in _ARTICLES or match[2].lower() in _GOES_ON)
    return match[1] if match and sure else None


def _listed(lines: list[str]) -> set[str]:
    """The letters that lines begin with as in a list."""
    return {match[1].upper() for line in lines if (match := _LISTED.match(line))}


def _shown(option: str, wide: bool) -> str:
    """An option after its letter; where some have several lines, all stand below their letters."""
    return "\n" + textwrap.indent(option.strip("\n"), "    ") if wide else option.strip("\n")
