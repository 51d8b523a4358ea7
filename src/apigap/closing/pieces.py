"""The pieces of a page about an API: what a text may be put together from, and how it reads."""

from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from apigap.knowledge.conditions import SEPARATOR, written_components
from apigap.records.knowledge import KnowledgeBundle
from apigap.reporting.api_pages import page_heading

Piece = Literal["signature", "example", "more examples", "prose", "source code"]
"""The heading with the API's name is always there: a page does not hide what it is about."""
PIECES: tuple[Piece, ...] = get_args(Piece)


def pieces_of(bundle: KnowledgeBundle) -> dict[Piece, list[str]]:
    """The pieces that a bundle has, in the order in which a page shows them."""
    written = written_components(bundle)
    first, *others = written["exemplars"] or [""]
    found: dict[Piece, list[str]] = {
        "signature": written["parameters"],
        "example": [first] if first else [],
        "more examples": others,
        "prose": written["prose"],
        "source code": written["code"],
    }
    return {piece: texts for piece, texts in found.items() if texts}


def page_of(bundle: KnowledgeBundle, chosen: Iterable[Piece]) -> str:
    """The page of an API with some pieces, as Markdown; those that the bundle does not have are left out."""
    wanted = set(chosen)
    texts = [text for piece, several in pieces_of(bundle).items() if piece in wanted for text in several]
    return SEPARATOR.join([page_heading(bundle), *texts]) + "\n"


def named(chosen: Sequence[Piece]) -> str:
    """A combination in words; of none only the name is shown."""
    return " + ".join(piece for piece in PIECES if piece in chosen) or "name alone"
