"""Near-duplicates: texts like one that there is already, by their words or their meaning, or like the evaluation's.

By words: the share of common runs of three words (Jaccard, as in Broder 1997). By meaning: the cosine of the vectors
of an embedder of the `retrieval` room.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from apigap.apibank_generator.checks.texts import abridged
from apigap.apibank_generator.records import Fault
from apigap.retrieval.embedder import Embedder, Vectors
from apigap.retrieval.lexical import words_of

_RUN = 3
ALIKE_BY_WORDS = 0.6
ALIKE_BY_MEANING = 0.92


class LikenessReasons(NamedTuple):
    """The reasons of rejection for three kinds of likeness."""

    words: str
    meaning: str
    evaluation: str


QUERIES = LikenessReasons("query_repeated", "query_alike", "query_of_evaluation")
TOOLS = LikenessReasons("api_repeated", "api_alike", "api_of_evaluation")
DOMAINS = LikenessReasons("domain_repeated", "domain_repeated", "domain_repeated")


class LikenessIndex:
    """The texts of one kind that were taken so far, and those of the evaluation, which never may be."""

    def __init__(self, embedder: Embedder, names: LikenessReasons, evaluation: Sequence[str] = ()) -> None:
        self._embedder = embedder
        self._names = names
        self._texts = list(evaluation)
        self._runs = [runs_of(text) for text in evaluation]
        self._foreign = len(evaluation)
        self._vectors: Vectors | None = embedder.embed(evaluation) if evaluation else None

    def judge(self, texts: Sequence[str]) -> list[Fault | None]:
        """Per text the fault of being too near to another, or None: then it is added, for the texts after it."""
        if not texts:
            return []
        return [self._judge_one(text, vector) for text, vector in zip(texts, self._embedder.embed(texts), strict=True)]

    def _judge_one(self, text: str, vector: Vectors) -> Fault | None:
        runs = runs_of(text)
        fault = self._by_words(runs) or self._by_meaning(vector)
        if fault is None:
            self._texts.append(text)
            self._runs.append(runs)
            row = vector[None, :]
            self._vectors = row if self._vectors is None else np.concatenate([self._vectors, row])
        return fault

    def _by_words(self, runs: frozenset[tuple[str, ...]]) -> Fault | None:
        shares = [_jaccard(runs, b) for b in self._runs]
        best = int(np.argmax(shares)) if shares else -1
        if best < 0 or shares[best] < ALIKE_BY_WORDS:
            return None
        reason = self._names.evaluation if best < self._foreign else self._names.words
        return Fault(reason, f"{shares[best]:.2f} of its runs of words are those of {abridged(self._texts[best])}")

    def _by_meaning(self, vector: Vectors) -> Fault | None:
        if self._vectors is None:
            return None
        cosines = self._vectors @ vector
        best = int(np.argmax(cosines))
        if cosines[best] < ALIKE_BY_MEANING:
            return None
        reason = self._names.evaluation if best < self._foreign else self._names.meaning
        return Fault(reason, f"cosine {cosines[best]:.2f} to {abridged(self._texts[best])}")


def runs_of(text: str, length: int = _RUN) -> frozenset[tuple[str, ...]]:
    """All runs of so many words; of a shorter text the text itself."""
    words = words_of(text)
    if len(words) <= length:
        return frozenset([tuple(words)]) if words else frozenset()
    return frozenset(tuple(words[at : at + length]) for at in range(len(words) - length + 1))


def _jaccard(a: frozenset[tuple[str, ...]], b: frozenset[tuple[str, ...]]) -> float:
    return len(a & b) / len(a | b) if a and b else 0.0
