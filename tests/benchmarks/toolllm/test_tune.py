"""The split that a tuned search is measured on, and the search that leaves out what its encoder knows."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.toolllm.queries import OWN, Query, load_queries
from apigap.benchmarks.toolllm.retrieve import TUNING, Corpus, document_text, retrieve_toolllm, search, text_hash
from apigap.benchmarks.toolllm.tune import split_by_tools
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from tests.silent import Silent

QUERIES = load_queries([OWN])


def tools(queries: list[Query]) -> set[str]:
    return {api.tool_name for query in queries for api in query.apis}


@given(st.permutations(QUERIES), st.floats(0, 1), st.integers(0, 5))
def test_no_tool_is_on_both_sides_whatever_the_order(queries: list[Query], share: float, seed: int) -> None:
    learned, measured = split_by_tools(queries, share, seed)
    assert tools(learned).isdisjoint(tools(measured))
    assert len(measured) >= share * len(queries)
    assert {q.task_id for q in learned} | {q.task_id for q in measured} == {q.task_id for q in queries}
    assert {q.task_id for q in split_by_tools(QUERIES, share, seed)[1]} == {q.task_id for q in measured}


def test_the_visible_sets_are_split_as_asked(published: dict[str, Query]) -> None:
    learned, measured = split_by_tools(list(published.values()), 1 / 3)
    assert 0 <= len(measured) - len(published) / 3 < 6
    documents = [{document_text(api) for query in part for api in query.apis} for part in (learned, measured)]
    assert documents[0].isdisjoint(documents[1])
    assert {query.set_name for query in measured} == {query.set_name for query in learned}
    assert split_by_tools(list(published.values()), 1 / 3, seed=1)[1] != measured


def test_some_queries_are_searched_for_among_all_documents() -> None:
    whole = {score.set: score for score in retrieve_toolllm([OWN], ["bm25"], "lexical", Silent())}["all"]
    asked = QUERIES[:5]
    (score,) = [s for s in search(asked, Corpus.of(QUERIES, asked), ["bm25"], "lexical", Silent()) if s.set == "all"]
    assert (score.queries, score.documents, score.embedder) == (5, whole.documents, "")


def test_what_an_encoder_was_tuned_on_is_not_searched_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from apigap.retrieval.lexical import LexicalEmbedder

    monkeypatch.setattr("apigap.benchmarks.toolllm.retrieve.load_embedder", lambda *_: LexicalEmbedder())
    known = sorted(map(text_hash, QUERIES[:20]))
    Stage(tmp_path / TUNING, "toolllm tune", {"tuned_on": known}).finish({})
    scores = retrieve_toolllm([OWN], ["dense"], str(tmp_path), Silent())
    assert {score.queries for score in scores if score.set == "all"} == {len(QUERIES) - 20}
    folder = tmp_path / "all"
    Stage(folder / TUNING, "toolllm tune", {"tuned_on": sorted(map(text_hash, QUERIES))}).finish({})
    with pytest.raises(UsageError, match="tuned on all"):
        retrieve_toolllm([OWN], ["dense"], str(folder), Silent())


@pytest.mark.network
def test_a_tuned_encoder_is_measured_before_and_after(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from apigap.benchmarks.toolllm.tune import tune_toolllm
    from apigap.retrieval.tuning import Recipe

    recipe = Recipe(epochs=1, batch=8, tokens=32)
    scores = tune_toolllm([OWN], tmp_path / "tuned", "minilm", recipe, 1 / 3, Silent())
    overall = {(s.searcher, s.embedder): s for s in scores if s.set == "all"}
    assert list(overall) == [
        ("bm25", ""), ("dense", "minilm"), ("hybrid", "minilm"), ("dense", "tuned"), ("hybrid", "tuned"),
    ]  # fmt: skip
    assert len({score.queries for score in overall.values()}) == 1
    assert tune_toolllm([OWN], tmp_path / "tuned", "minilm", recipe, 1 / 3, Silent()) == scores
    with pytest.raises(UsageError, match="recipe"):
        tune_toolllm([OWN], tmp_path / "tuned", "minilm", Recipe(epochs=2), 1 / 3, Silent())
    found = retrieve_toolllm([OWN], ["dense"], str(tmp_path / "tuned"), Silent())
    alike = {s.set: s.ndcg for s in scores if (s.searcher, s.embedder) == ("dense", "tuned")}
    assert {s.set: s.ndcg for s in found} == alike
