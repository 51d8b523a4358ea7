"""Words and pieces of words, hashed into a fixed number of columns: needs no model and gives the same bits anywhere.

Identifiers are cut where people cut them (`model_dump_json`, `TypeAdapter`), so that an API and a text about it share
columns. Signed feature hashing (Weinberger et al. 2009) keeps scalar products unbiased under collisions.
"""

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apigap.retrieval.embedder import Vectors

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_DECIMALS = 6  # what another processor's last bits cannot change
_PIECE_WEIGHT = 0.4
_PAIR_WEIGHT = 0.7


class LexicalEmbedder:
    """TF-IDF over hashed words, pairs of words and groups of three letters, in `dimension` columns.

    Without `fitted` all features weigh the same whatever texts there are; with it, what is in most texts of a corpus
    counts little.
    """

    def __init__(self, dimension: int = 2048, rarity: NDArray[np.float64] | None = None) -> None:
        self.dimension = dimension
        self._rarity = np.ones(dimension) if rarity is None else rarity

    def fitted(self, corpus: Sequence[str]) -> "LexicalEmbedder":
        """The embedder with inverse document frequencies from `corpus`: log((1 + n) / (1 + df)) + 1 per column."""
        seen = np.zeros(self.dimension)
        for text in corpus:
            seen[sorted({column for column, _ in self._features(text)})] += 1
        return LexicalEmbedder(self.dimension, np.log((1 + len(corpus)) / (1 + seen)) + 1)

    @property
    def window(self) -> int | None:
        """All of a text counts."""
        return None

    def count(self, text: str) -> int:
        """The words of `text`."""
        return len(words_of(text))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        rows = np.zeros((len(texts), self.dimension))
        for row, text in zip(rows, texts, strict=True):
            for column, value in self._features(text):
                row[column] += value
        rows *= self._rarity
        lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        return np.round(rows / np.where(lengths > 0, lengths, 1)[:, None], _DECIMALS).astype(np.float32)

    def describe(self) -> dict[str, Any]:
        """See `Embedder.describe`."""
        digest = hashlib.sha256(np.round(self._rarity, _DECIMALS).tobytes()).hexdigest()[:16]
        return {"embedder": "lexical", "dimension": self.dimension, "rarity": digest}

    def _features(self, text: str) -> Iterator[tuple[int, float]]:
        """Column and signed weight of each feature; a feature that is there n times weighs 1 + ln n."""
        counts = Counter(_grams(text))
        for (gram, weight), count in sorted(counts.items()):
            number = _hash(gram)
            yield (number >> 1) % self.dimension, weight * (1 + np.log(count)) * (1 if number & 1 else -1)


def words_of(text: str) -> list[str]:
    """The words of `text` in lower case; identifiers fall apart at underscores, dots and inner capitals."""
    return [word.lower() for word in _WORD.findall(text)]


def _grams(text: str) -> Iterator[tuple[str, float]]:
    words = words_of(text)
    for word in words:
        yield f"w{word}", 1.0
        framed = f"<{word}>"
        if len(word) > 3:
            for start in range(len(framed) - 2):
                yield f"c{framed[start : start + 3]}", _PIECE_WEIGHT
    for first, second in itertools.pairwise(words):
        yield f"p{first} {second}", _PAIR_WEIGHT


@lru_cache(maxsize=1 << 18)
def _hash(gram: str) -> int:
    """64 bits that are the same in every process (Python's own hash is not)."""
    return int.from_bytes(hashlib.blake2b(gram.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
