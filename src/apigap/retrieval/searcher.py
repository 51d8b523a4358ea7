"""Search over the chunks of one index."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from apigap.records.errors import UsageError
from apigap.retrieval.documents import Chunk
from apigap.retrieval.rankers import Ranker, Ranking


@dataclass(frozen=True)
class Hit:
    """A chunk that was found, at `rank` (from 1) with `score` (higher is nearer; scales differ between searchers)."""

    rank: int
    score: float
    chunk: Chunk


class Searcher:
    """Finds chunks; the ranker decides how."""

    def __init__(self, chunks: Sequence[Chunk], ranker: Ranker) -> None:
        self.chunks: tuple[Chunk, ...] = tuple(chunks)
        self._ranker = ranker

    def search(self, query: str, k: int, within: Collection[str] | None = None) -> list[Hit]:
        """The `k` best chunks for `query`, best first; fewer where fewer were found.

        With `within` only chunks of these documents are looked at, and all of them count as found: the control in
        which retrieval cannot go wrong.

        Raises:
            UsageError: when `k` is less than 1.
        """
        return self.search_all([query], k, None if within is None else [within])[0]

    def search_all(
        self, queries: Sequence[str], k: int, within: Sequence[Collection[str]] | None = None
    ) -> list[list[Hit]]:
        """`search` for many queries at once, which is much faster; `within` has an entry per query."""
        if k < 1:
            raise UsageError(f"k = {k}: ask for at least one chunk")
        rankings = self._ranker.rank(queries)
        allowed = within if within is not None else [None] * len(queries)
        return [self._hits(ranking, k, only) for ranking, only in zip(rankings, allowed, strict=True)]

    def documents(self, queries: Sequence[str]) -> list[list[str]]:
        """Per query the ids of the documents that were found, each at the place of its best chunk."""
        return [
            list(dict.fromkeys(self.chunks[int(number)].document for number in ranking.numbers[: ranking.found]))
            for ranking in self._ranker.rank(queries)
        ]

    def _hits(self, ranking: Ranking, k: int, only: Collection[str] | None) -> list[Hit]:
        hits: list[Hit] = []
        for number, score in zip(ranking.numbers, ranking.scores, strict=True):
            if len(hits) == (k if only is not None else min(k, ranking.found)):
                break
            chunk = self.chunks[int(number)]
            if only is None or chunk.document in only:
                hits.append(Hit(len(hits) + 1, float(score), chunk))
        return hits
