"""The knowledge text of a prompt, put together from what was found."""

from collections.abc import Sequence

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.retrieval.searcher import Hit

RULE = "\n\n---\n\n"


class Knowledge(Record):
    """A knowledge text for a prompt, and what became of the hits.

    `shown` and `left_out` are ids of chunks in order of rank; `tokens` of at most `budget` are the chunks' own, counted
    by the embedder, without the rules between them. Something left out means: the budget was used up.
    """

    text: str
    tokens: int
    budget: int
    shown: tuple[str, ...]
    left_out: tuple[str, ...]


def knowledge_text(hits: Sequence[Hit], budget: int) -> Knowledge:
    """The chunks of `hits` in order of rank, a rule between them, as many as `budget` tokens allow.

    Chunks are shown whole: the first that does not fit ends the text.

    Raises:
        UsageError: when not even the first one fits.
    """
    shown: list[Hit] = []
    tokens = 0
    for hit in hits:
        if tokens + hit.chunk.tokens > budget:
            break
        shown.append(hit)
        tokens += hit.chunk.tokens
    if hits and not shown:
        raise UsageError(
            f"the chunk {hits[0].chunk.chunk_id} has {hits[0].chunk.tokens} tokens and the prompt room for {budget}; "
            "raise retrieval.budget_tokens or lower retrieval.chunk_tokens"
        )
    return Knowledge(
        text=RULE.join(hit.chunk.text for hit in shown),
        tokens=tokens,
        budget=budget,
        shown=tuple(hit.chunk.chunk_id for hit in shown),
        left_out=tuple(hit.chunk.chunk_id for hit in hits[len(shown) :]),
    )
