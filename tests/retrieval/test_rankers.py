"""The three rankers against their formulas, and their order where scores are equal."""

import math

import faiss
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.retrieval.lexical import LexicalEmbedder, words_of
from apigap.retrieval.rankers import DenseRanker, FusedRanker, LexicalRanker, Ranking, fused

TEXTS = ["proxy for a client", "a client sends a request", "parse dates of a table", "a client sends a request", "§"]
QUERIES = ["client proxy", "sends request", "nothing-of-it", ""]


def dense(texts: list[str]) -> DenseRanker:
    embedder = LexicalEmbedder(64)
    index = faiss.IndexFlatIP(64)
    index.add(embedder.embed(texts))
    return DenseRanker(index, embedder)


def test_dense_scores_are_inner_products() -> None:
    embedder = LexicalEmbedder(64)
    expected = embedder.embed(QUERIES) @ embedder.embed(TEXTS).T
    for row, ranking in zip(expected, dense(TEXTS).rank(QUERIES), strict=True):
        assert ranking.scores == pytest.approx(row[ranking.numbers], abs=1e-5)
        assert ranking.found == len(TEXTS)
        assert sorted(ranking.numbers) == list(range(len(TEXTS)))
    assert dense(TEXTS).rank([]) == []


def test_bm25_is_lucenes_over_what_carries_meaning() -> None:
    texts = ["proxy client", "client sends request", "parse dates table", "client sends request", ""]
    words = [words_of(text) for text in texts]
    mean = sum(map(len, words)) / len(words)

    def score(query: set[str], number: int) -> float:
        total = 0.0
        for word in query:
            df = sum(word in found for found in words)
            tf = words[number].count(word)
            idf = math.log(1 + (len(words) - df + 0.5) / (df + 0.5))
            total += idf * tf / (tf + 1.5 * (1 - 0.75 + 0.75 * len(words[number]) / mean))
        return total

    queries = {"the client of a proxy": {"client", "proxy"}, "requestSends sends_request": {"request", "sends"}}
    for counted, ranking in zip(queries.values(), LexicalRanker(TEXTS).rank([*queries]), strict=True):
        expected = [score(counted, int(number)) for number in ranking.numbers]
        assert ranking.scores == pytest.approx(expected, abs=1e-5)
        assert ranking.found == sum(value > 0 for value in expected)
    assert [ranking.found for ranking in LexicalRanker(TEXTS).rank(["for a of the", "nothing-of-it", ""])] == [0, 0, 0]


@pytest.mark.parametrize("texts", [["§", "—"], []])
def test_texts_without_a_word_are_never_found_by_words(texts: list[str]) -> None:
    (ranking,) = LexicalRanker(texts).rank(["a query"])
    assert (ranking.found, list(ranking.numbers)) == (0, list(range(len(texts))))


def test_equal_scores_keep_the_order_of_the_chunks() -> None:
    for ranker in (dense(TEXTS), LexicalRanker(TEXTS), FusedRanker([dense(TEXTS), LexicalRanker(TEXTS)])):
        (ranking,) = ranker.rank(["sends request"])
        assert list(ranking.numbers[:2]) == [1, 3]


def test_fusion_is_the_sum_of_reciprocal_ranks() -> None:
    first = Ranking.of(np.array([0.9, 0.5, 0.1]))
    second = Ranking.of(np.array([0.0, 2.0, 1.0]), np.array([False, True, True]))
    found = fused([first, second])
    assert list(found.numbers) == [1, 2, 0]
    assert found.scores == pytest.approx([1 / 62 + 1 / 61, 1 / 63 + 1 / 62, 1 / 61], abs=1e-6)
    assert found.found == 3


SCORES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12).map(np.array)


@given(SCORES)
def test_fusing_a_ranking_with_itself_changes_no_order(scores: np.ndarray) -> None:
    ranking = Ranking.of(scores, scores > 0)
    again = fused([ranking, ranking])
    assert list(again.numbers) == list(ranking.numbers)
    assert again.found == ranking.found


@given(SCORES, SCORES)
def test_the_order_of_fused_rankings_does_not_matter(a: np.ndarray, b: np.ndarray) -> None:
    size = min(len(a), len(b))
    first, second = Ranking.of(a[:size]), Ranking.of(b[:size], b[:size] > 0)
    assert list(fused([first, second]).numbers) == list(fused([second, first]).numbers)
