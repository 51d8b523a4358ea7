"""Three ways to put chunks in order for a query: by meaning, by words, and both fused.

Whatever the way, scores are rounded and equal ones keep the order of the chunks: the same texts give the same ranking.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from apigap.records.extras import imported
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.lexical import words_of

_DECIMALS = 6  # what another processor's last bits cannot change
_RRF_CONSTANT = 60
_K1, _B = 1.5, 0.75


@dataclass(frozen=True)
class Ranking:
    """All chunks for one query, best first, by their numbers, with their scores.

    Only the first `found` were found; the rest, which have nothing in common with the query, keep their own order.
    """

    numbers: NDArray[np.int64]
    scores: NDArray[np.float64]
    found: int

    @classmethod
    def of(cls, scores: NDArray[Any], found: NDArray[np.bool_] | None = None) -> "Ranking":
        """The ranking by a score per chunk; `found` says of each whether it counts as found (default: all)."""
        counts = np.ones(len(scores), dtype=bool) if found is None else found
        rounded = np.round(scores.astype(np.float64), _DECIMALS)
        order = np.lexsort((np.arange(len(scores)), -rounded, ~counts))
        return cls(order, rounded[order], int(counts.sum()))


class Ranker(Protocol):
    """Knows the chunks of one index."""

    def rank(self, queries: Sequence[str]) -> list[Ranking]:
        """A ranking per query, in order."""
        ...


class DenseRanker:
    """Inner products of vectors, in a flat FAISS index (Johnson et al. 2017): exact, nothing is approximated."""

    def __init__(self, index: Any, embedder: Embedder) -> None:
        """`index` is a faiss index of the chunks' vectors in their order, `embedder` what made these."""
        self.index = index
        self._embedder = embedder

    @classmethod
    def over(cls, texts: Sequence[str], embedder: Embedder) -> "DenseRanker":
        """The ranker of `texts`, which are embedded now.

        Raises:
            InfrastructureError: when FAISS is not installed.
        """
        vectors = np.ascontiguousarray(embedder.embed(texts), dtype=np.float32)
        index = imported("faiss", "rag", "retrieval").IndexFlatIP(vectors.shape[1])
        index.add(vectors)
        return cls(index, embedder)

    def rank(self, queries: Sequence[str]) -> list[Ranking]:
        """See `Ranker.rank`."""
        if not queries:
            return []
        found: tuple[NDArray[np.float32], NDArray[np.int64]]
        found = self.index.search(self._embedder.embed(queries), self.index.ntotal)
        return [Ranking.of(scores[np.argsort(numbers)]) for scores, numbers in zip(*found, strict=True)]


class LexicalRanker:
    """BM25 in Lucene's form (Robertson et al. 1994; bm25s, Lù 2024), k1 1.5 and b 0.75, over the words of identifiers.

    English function words do not count, and a word of the query counts once (k3 = 0): a query with its context has
    hundreds of words, and those that a program repeats say nothing. A chunk is found if it has a word of the query.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        library = imported("bm25s", "rag", "retrieval")
        self._empty: frozenset[str] = frozenset(imported("bm25s.stopwords", "rag", "retrieval").STOPWORDS_EN_PLUS)
        words = [self._words(text) for text in texts]
        self._size = len(words)
        self._index: Any = None
        if any(words):
            self._index = library.BM25(k1=_K1, b=_B, method="lucene")
            self._index.index(words, show_progress=False)

    def rank(self, queries: Sequence[str]) -> list[Ranking]:
        """See `Ranker.rank`."""
        scores = [self._scores(list(dict.fromkeys(self._words(query)))) for query in queries]
        return [Ranking.of(row, row > 0) for row in scores]

    def _words(self, text: str) -> list[str]:
        return [word for word in words_of(text) if word not in self._empty]

    def _scores(self, words: list[str]) -> NDArray[np.float32]:
        if not words or self._index is None:
            return np.zeros(self._size, dtype=np.float32)
        return self._index.get_scores(words)


class FusedRanker:
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher 2009): the sum of 1 / (60 + rank) over the rankings.

    A ranking in which a chunk was not found adds nothing to it.
    """

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self._rankers = rankers

    def rank(self, queries: Sequence[str]) -> list[Ranking]:
        """See `Ranker.rank`."""
        return [fused(rankings) for rankings in zip(*(one.rank(queries) for one in self._rankers), strict=True)]


def fused(rankings: Sequence[Ranking]) -> Ranking:
    """The fusion of rankings of the same chunks; see `FusedRanker`."""
    scores = np.zeros(len(rankings[0].numbers))
    for ranking in rankings:
        scores[ranking.numbers[: ranking.found]] += 1 / (_RRF_CONSTANT + np.arange(1, ranking.found + 1))
    return Ranking.of(scores, scores > 0)
