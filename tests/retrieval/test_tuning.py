"""Tuning a sentence encoder: batches without false negatives; with the extra `encoders`, weights that learn."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import InfrastructureError
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.tuning import Material, Pair, Recipe, batches, pace, tune

relevances = st.lists(st.frozensets(st.integers(0, 9), max_size=4), max_size=12)


def material(relevant: list[frozenset[int]]) -> Material:
    return Material([f"query {n}" for n in range(len(relevant))], [f"document {n}" for n in range(10)], relevant)


@given(relevances, st.integers(2, 5), st.integers(0, 9))
def test_no_document_of_a_batch_is_a_false_negative(relevant: list[frozenset[int]], size: int, seed: int) -> None:
    given_ = material(relevant)
    found = list(batches(given_, size, np.random.default_rng(seed)))
    for batch in found:
        assert 2 <= len(batch) <= size
        for one, other in combinations(batch, 2):
            assert one.document not in relevant[other.query]
            assert other.document not in relevant[one.query]
    counted = Counter(pair for batch in found for pair in batch)
    assert set(counted.values()) <= {1}
    assert set(counted) <= set(given_.pairs)


def test_every_pair_that_has_a_neighbour_is_used() -> None:
    given_ = material([frozenset({n}) for n in range(10)])
    found = [pair for batch in batches(given_, 4, np.random.default_rng(0)) for pair in batch]
    assert sorted(found) == [Pair(n, n) for n in range(10)]
    assert not list(batches(material([frozenset({1}), frozenset({1})]), 4, np.random.default_rng(0)))


def test_the_rate_rises_and_falls() -> None:
    rates = [pace(step, 20, 0.1) for step in range(20)]
    assert rates[:3] == [0.5, 1.0, 1.0]
    assert rates[2:] == sorted(rates[2:], reverse=True)
    assert 0 < rates[-1] < 0.1


def test_without_the_extra_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(module: str) -> None:
        raise ImportError(f"No module named {module!r}")

    monkeypatch.setattr("apigap.records.extras.importlib.import_module", absent)
    with pytest.raises(InfrastructureError, match=r"needs .*torch.*encoders"):
        tune("a/b", material([frozenset({1}), frozenset({2})]), Recipe(), tmp_path, lambda done, total: None)


SENTENCES = ["The cat sits on the mat.", "pydantic.BaseModel.model_dump_json: Dump a model to JSON.", "Ünïcödé café"]


@pytest.mark.network
def test_the_weights_for_sentence_transformers_are_those_of_minilm() -> None:
    pytest.importorskip("sentence_transformers")
    from apigap.retrieval.minilm_folder import minilm_folder

    theirs, ours = load_embedder(str(minilm_folder())), load_embedder("minilm")
    assert np.abs(theirs.embed(SENTENCES) - ours.embed(SENTENCES)).max() < 1e-5
    assert theirs.describe()["sha256"] == ours.describe()["sha256"]
    assert (theirs.window, theirs.count("a b")) == (ours.window, ours.count("a b"))


@pytest.mark.network
def test_an_encoder_learns_what_it_is_shown_and_is_another_under_its_name(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers")
    from apigap.retrieval.minilm_folder import minilm_folder

    words = ["moss", "quartz", "violin", "harbour"]
    taught = Material(
        words, [f"Document about {word}." for word in reversed(words)], [frozenset({n}) for n in range(4)]
    )
    recipe = Recipe(epochs=8, batch=4, rate=1e-4, tokens=16)
    first = tune(minilm_folder(), taught, recipe, tmp_path / "one", lambda done, total: None)
    assert first[-1] < first[0] / 2
    tuned, base = load_embedder(str(tmp_path / "one")), load_embedder(str(minilm_folder()))
    right = [float((e.embed(taught.queries) * e.embed(taught.documents)).sum(axis=1).mean()) for e in (base, tuned)]
    assert right[0] + 0.1 < right[1]
    assert (tuned.window, tuned.describe() == base.describe()) == (256, False)
    assert tune(minilm_folder(), taught, recipe, tmp_path / "two", lambda done, total: None) == first
    assert load_embedder(str(tmp_path / "two")).describe() == tuned.describe()
