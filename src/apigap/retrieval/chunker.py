"""Documents into chunks of bounded size, along their structure.

Windows of words, as in NovelAPIBench (arXiv:2606.03657), flatten Python and run over the encoder's end; here a section
stays whole where it fits, code keeps every character, and sizes are counted in the encoder's own tokens.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.retrieval.cuts import cut
from apigap.retrieval.documents import SEPARATOR, Chunk, Document, Section

Count = Callable[[str], int]
Pieces = Literal["section", "document"]
_FENCED = re.compile(r"(?P<before>(?:[^\n`]*\n)?```\w*\n)(?P<body>.*)(?P<after>\n```)", re.DOTALL)
_VERSION = 1
_LEAST = 32


class ChunkRules(Record):
    """At most so many tokens in a chunk; a chunk holds sections of one unit, or whatever fits of a document."""

    most_tokens: int
    pieces: Pieces = "section"

    def describe(self) -> dict[str, Any]:
        """All that decides the chunks, for a manifest."""
        return {**self.model_dump(mode="json"), "chunker": _VERSION}


class _Placed(NamedTuple):
    section: Section
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.section.text)


def chunks_of(document: Document, rules: ChunkRules, count: Count) -> list[Chunk]:
    """The chunks of a document in its order; none of them has more tokens than `rules` allow.

    `count` gives the embedder's tokens of a text, its special ones included.

    Raises:
        UsageError: when the limit leaves no room for a piece of code in its fence.
    """
    if rules.most_tokens < _LEAST:
        raise UsageError(f"chunks of at most {rules.most_tokens} tokens are too small; allow {_LEAST} or more")
    pieces = [piece for unit in _units(document, rules.pieces) for piece in _pieces(document, unit, rules, count)]
    return [
        Chunk(
            document=document.id, number=number, sections=sections, text=text, start=start, end=end,
            tokens=count(text), fields=document.fields,
        )
        for number, (sections, text, start, end) in enumerate(pieces)
    ]  # fmt: skip


def _units(document: Document, pieces: Pieces) -> Iterator[list[_Placed]]:
    """Sections that may stand together."""
    start = 0
    placed: list[_Placed] = []
    for section in document.sections:
        placed.append(_Placed(section, start))
        start = placed[-1].end + len(SEPARATOR)
    for _, unit in groupby(placed, lambda one: one.section.unit if pieces == "section" else None):
        yield list(unit)


_Piece = tuple[tuple[str, ...], str, int, int]


def _pieces(document: Document, unit: Sequence[_Placed], rules: ChunkRules, count: Count) -> Iterator[_Piece]:
    """Neighbouring sections together while they fit; one that does not fit alone in pieces."""
    waiting: list[_Placed] = []
    for placed in unit:
        if waiting and count(document.text[waiting[0].start : placed.end]) > rules.most_tokens:
            yield _whole(document, waiting)
            waiting = []
        if waiting or count(placed.section.text) <= rules.most_tokens:
            waiting.append(placed)
        else:
            yield from _broken(placed, rules, count)
    if waiting:
        yield _whole(document, waiting)


def _whole(document: Document, sections: Sequence[_Placed]) -> _Piece:
    start, end = sections[0].start, sections[-1].end
    return tuple(dict.fromkeys(one.section.name for one in sections)), document.text[start:end], start, end


def _broken(placed: _Placed, rules: ChunkRules, count: Count) -> Iterator[_Piece]:
    """The pieces of a section that is too long; those of a fenced one get its heading and fence again."""
    text = placed.section.text
    fenced = _FENCED.fullmatch(text)
    before, body, after = fenced.group("before", "body", "after") if fenced else ("", text, "")

    def fits(start: int, end: int) -> bool:
        return count(before + body[start:end] + after) <= rules.most_tokens

    for start, end in cut(body, fits, code=fenced is not None):
        offset = placed.start + len(before)
        yield (placed.section.name,), before + body[start:end] + after, offset + start, offset + end
