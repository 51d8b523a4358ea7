"""The published measure of a ranking, the corpus, and search on our own queries."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.toolllm.queries import OWN, load_queries
from apigap.benchmarks.toolllm.retrieve import Corpus, document_text, ndcg, recall, retrieve_toolllm
from tests.silent import Silent

QUERIES = load_queries([OWN])
cases = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 0.9]), st.booleans()), min_size=1, max_size=12)


def test_ndcg_is_the_published_one(toolbench: Path) -> None:
    rows = [json.loads(line) for line in (toolbench / "ndcg.visible.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        scores, relevant = np.array(row["scores"]), np.array(row["relevance"], dtype=bool)
        for k in (1, 3, 5):
            assert ndcg(scores, relevant, k) == pytest.approx(row[f"ndcg@{k}"], abs=1e-12)
    assert len(rows) == 200


@given(cases, st.randoms(), st.integers(1, 6))
def test_the_order_of_documents_changes_nothing(case: list[tuple[float, bool]], random: Random, k: int) -> None:
    shuffled = random.sample(case, len(case))
    for measure in (ndcg, recall):
        one, other = (
            measure(np.array([s for s, _ in rows]), np.array([r for _, r in rows]), k) for rows in (case, shuffled)
        )
        assert one == pytest.approx(other)
        assert 0 <= one <= 1 + 1e-12


def test_ties_are_averaged_and_nothing_relevant_is_zero() -> None:
    tied, one = np.zeros(4), np.array([True, False, False, False])
    assert ndcg(tied, one, 1) == recall(tied, one, 1) == 0.25
    assert recall(tied, one, 2) == 0.5
    assert ndcg(tied, ~one & one, 3) == recall(tied, ~one & one, 3) == 0.0


def test_the_corpus_has_each_document_once() -> None:
    corpus = Corpus.of(QUERIES)
    assert len(set(corpus.texts)) == len(corpus.texts) < sum(len(query.apis) for query in QUERIES)
    for query, relevant in zip(QUERIES, corpus.relevant, strict=True):
        wanted = {document_text(api) for api in query.apis if api.pair in query.labels}
        assert {corpus.texts[number] for number in relevant} == wanted


def test_an_api_with_another_schema_is_another_document() -> None:
    api = QUERIES[0].apis[0]
    other = api.model_copy(update={"template_response": {"at": "int"}})
    assert document_text(api) != document_text(other)
    assert document_text(api).startswith("Weather\nTidewatch\nNext High Water\nWhen the sea")


def test_every_searcher_finds_our_own_apis() -> None:
    scores = retrieve_toolllm([OWN], ["dense", "bm25", "hybrid"], "lexical", Silent())
    overall = {score.searcher: score for score in scores if score.set == "all"}
    assert set(overall) == {"dense", "bm25", "hybrid"}
    for score in overall.values():
        assert (score.queries, score.documents) == (len(QUERIES), len(Corpus.of(QUERIES).texts))
        assert score.ndcg[5] > 0.5
        assert score.recall[5] < score.recall[10]
