"""Find the code in an answer. Any text gives a result; what does not parse is handed on, to be judged as it is.

The time is linear in the length of the text, whatever it holds: what would try and try again has a budget.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from apigap.models.fences import Block, read_blocks
from apigap.models.schemas.native_tools import handed_in
from apigap.models.syntax import Parser, only_values, tree_of, unindented, unwrapped, without_prompts
from apigap.models.traces import without_marks, without_trace
from apigap.records.base import Record
from apigap.records.parsing.earlier_blocks import with_what_it_needs
from apigap.sandbox.limits import MAX_PARSED

Rule = Literal["empty", "block", "joined blocks", "open block", "segment", "bare", "lines", "unparsed"]

_PYTHON_TAGS = {"python", "py", "python3", "py3", "pycon", "ipython", "python-repl"}
_FOREIGN_TAGS = {"bash", "sh", "shell", "console", "text", "txt", "output", "json", "yaml", "toml", "markdown", "md"}
_MAX_LINES = 400
_MAX_NESTED = 4
_MAX_BLOCKS = 20
_MAX_WIDTH = 500
_MAX_VARIED = 2 * MAX_PARSED
_WITHOUT_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"
_AHEAD = re.compile(f"(?m)^[{_WITHOUT_WIDTH}]++")
_SEEN = str.maketrans({"\u00a0": " ", **dict.fromkeys(_WITHOUT_WIDTH)})
"""Blanks that are none to Python, and characters that no reader sees."""
_CODE_LINE = re.compile(
    r"""\s*+(?:(?:import|from|def|class|with|for|while|if|try|async|await|assert|return|raise|del|global|match)\b
        |[@#"'([{]
        |[\w.\[\]"', \t]+?(?::[^=]+)?(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=[^=]
        |[A-Za-z_][\w.]*\s*[([])""",
    re.VERBOSE,
)


class Extraction(Record):
    """The code of an answer, and how it was found.

    `block` a fenced block that parses, `joined blocks` one whose own text holds fences, or that needs some of those
    before it, `open block` a last fence
    that was never closed, `segment` what lies between fences, `bare` an answer that is code, `lines` lines of code
    between prose, `unparsed` the best piece although nothing parses, `empty` nothing at all.
    """

    code: str
    rule: Rule


class _Candidate(NamedTuple):
    code: str
    rule: Rule
    rank: int


def extract_code(response: str, context_code: str = "") -> Extraction:
    """The code in `response`; never raises, and takes seconds at most for megabytes.

    Of several blocks the longest one that parses wins, those marked as Python before unmarked and foreign ones; the
    blocks before it that bind names which it reads, and which nothing else gives, come before it. A
    value in such an unmarked or foreign block gives way to code outside of it, whose output it is. A block that only
    repeats `context_code` is taken when there is no other. `def solution():` around the whole answer that nothing
    calls is taken off. Of an answer with calls the text is what its last call hands in.
    """
    given = handed_in(response)
    plain = (response if given is None else given).replace("\r\n", "\n").replace("\r", "\n")
    text = without_trace(without_marks(_AHEAD.sub("", plain)))
    if not text.strip():
        return Extraction(code="", rule="empty")
    blocks, parser = read_blocks(text), Parser()
    chosen = _fenced(text, blocks, context_code.strip(), parser) if blocks else _unfenced(text, parser)
    if not chosen.code.strip():
        chosen = _code_lines(text, parser) or chosen
    if not chosen.code.strip():
        return Extraction(code="", rule="empty")
    return Extraction(code=unwrapped(chosen.code), rule=chosen.rule)


def _fenced(text: str, blocks: Sequence[Block], context: str, parser: Parser) -> _Candidate:
    found = [candidate for candidate in _parsing(text, blocks, parser) if candidate.code.strip()]
    fresh = [candidate for candidate in found if candidate.code.strip() != context] or found
    best = min(fresh, key=lambda candidate: (candidate.rank, -len(candidate.code)), default=None)
    if best and best.rank and only_values(best.code):
        pieces = (_code_lines(piece, parser) for piece in _outside(text, blocks))
        between = [piece for piece in pieces if piece and not only_values(piece.code)]
        best = max(between, key=_length, default=best)
    if best:
        return _whole(best, found, context)
    between = [_Candidate(code, "segment", 0) for code in _outside(text, blocks) if parser.parses(code)]
    unparsed = _Candidate(max((block.text for block in blocks), key=len), "unparsed", 0)
    return max(between, key=_length, default=unparsed)


def _whole(best: _Candidate, found: Sequence[_Candidate], context: str) -> _Candidate:
    """The block with those before it, of its kind, that it cannot do without."""
    kinds = ("block", "open block")
    codes = [one.code for one in found[:_MAX_BLOCKS] if one.rule in kinds and one.rank == best.rank]
    before = codes[: codes.index(best.code)] if best.rule in kinds and best.code in codes else []
    code = with_what_it_needs(best.code, before, context, tree_of)
    return best if code == best.code else best._replace(code=code, rule="joined blocks")


def _length(candidate: _Candidate) -> int:
    return len(candidate.code)


def _parsing(text: str, blocks: Sequence[Block], parser: Parser, depth: int = 0) -> Iterator[_Candidate]:
    for block in blocks:
        if parser.exhausted:
            return
        for code in _variants(block.text):
            if parser.parses(code):
                yield _Candidate(code, "block" if block.closed else "open block", _rank(block.tag))
                break
        else:
            if depth < _MAX_NESTED:
                yield from _parsing(block.text, read_blocks(block.text), parser, depth + 1)
    lines = text.split("\n")
    for first in blocks[:8]:
        for last in blocks[:8]:
            # Where a fence in a text has a language, the one that closes the whole block looks like an opening one.
            for end in (last.start, last.end) if last.start > first.start else ():
                if parser.parses(code := "\n".join(lines[first.start + 1 : end])):
                    yield _Candidate(code, "joined blocks", _rank(first.tag))


def _rank(tag: str) -> int:
    if tag in _PYTHON_TAGS:
        return 0
    return 2 if tag in _FOREIGN_TAGS else 1


def _variants(text: str) -> Iterator[str]:
    """The block without a language name in its first line, as it is, without indentation, `>>>`, unseen characters."""
    first, _, rest = text.lstrip("\n").partition("\n")
    if first.strip().lower() in _PYTHON_TAGS:
        text = rest
    yield text
    if len(text) > _MAX_VARIED:
        return
    yield unindented(text)
    if ">>>" in text:
        yield without_prompts(text)
    seen = text.translate(_SEEN)
    if seen != text:
        yield unindented(seen)


def _unfenced(text: str, parser: Parser) -> _Candidate:
    for code in _variants(text.strip("\n")):
        if parser.parses(code):
            return _Candidate(code, "bare", 0)
    return _code_lines(text, parser) or _Candidate(text.strip("\n"), "unparsed", 0)


def _outside(text: str, blocks: Sequence[Block]) -> Iterator[str]:
    """The pieces before, between and after the blocks: code stands there when an opening fence was forgotten."""
    lines = text.split("\n")
    ends = [-1, *(block.end for block in blocks)]
    starts = [*(block.start for block in blocks), len(lines)]
    for before, after in zip(ends, starts, strict=True):
        yield unindented("\n".join(lines[before + 1 : after])).strip("\n")


def _code_lines(text: str, parser: Parser) -> _Candidate | None:
    """The longest run of lines that is code; prose before and after it is left out."""
    if len(text) > MAX_PARSED:
        text = text[:MAX_PARSED].rpartition("\n")[0]
    lines = text.split("\n")[:_MAX_LINES]
    starts = [number for number, line in enumerate(lines) if _CODE_LINE.match(line[:_MAX_WIDTH])]
    best = ""
    for start in starts:
        end = len(lines)
        while end > start:
            code = unindented("\n".join(lines[start:end])).strip("\n")
            if len(code) <= len(best) or parser.exhausted:
                break
            if parser.parses(code):
                best = code
                break
            # Any longer piece stops at the same line: go on with the one that ends before it.
            end = min(end - 1, start + (parser.stopped_at or len(lines)) - 1)
    return _Candidate(best, "lines", 0) if best else None
