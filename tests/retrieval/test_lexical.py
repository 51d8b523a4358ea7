"""The lexical embedder: laws, and the same bits in another process."""

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.lexical import LexicalEmbedder, words_of

TEXTS = ["pydantic.BaseModel.model_dump_json: serialise", "scipy.linalg.expm: matrix exponential", "naïve 漢字 ½"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("model_dump_json", ["model", "dump", "json"]),
        ("TypeAdapter.validate", ["type", "adapter", "validate"]),
        ("HTTPServer2", ["http", "server", "2"]),
        ("a.b_C", ["a", "b", "c"]),
        ("größe", ["gr", "öß", "e"]),
        ("漢字", ["漢字"]),
        ("__init__ -> ()", ["init"]),
        ("", []),
    ],
)
def test_identifiers_fall_apart_where_people_cut_them(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.lists(st.text(max_size=80), max_size=6))
def test_rows_have_length_one_or_are_empty(texts: list[str]) -> None:
    lengths = np.linalg.norm(LexicalEmbedder().embed(texts), axis=1)
    for text, length in zip(texts, lengths, strict=True):
        assert length == (pytest.approx(1, abs=1e-4) if words_of(text) else 0)


@given(st.lists(st.text(alphabet="ab_ .cD", max_size=30), min_size=1, max_size=6))
def test_a_text_has_one_vector_whatever_stands_beside_it(texts: list[str]) -> None:
    embedder = LexicalEmbedder()
    together = embedder.embed(texts)
    for text, row in zip(texts, together, strict=True):
        assert (embedder.embed([text])[0] == row).all()


def test_another_process_gives_the_same_bits() -> None:
    code = (
        "import hashlib, sys; from apigap.retrieval.lexical import LexicalEmbedder as L;"
        "texts = sys.argv[1:]; print(hashlib.sha256(L().fitted(texts).embed(texts).tobytes()).hexdigest())"
    )
    here = hashlib.sha256(LexicalEmbedder().fitted(TEXTS).embed(TEXTS).tobytes()).hexdigest()
    there = subprocess.run(
        [sys.executable, "-c", code, *TEXTS], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert there.stdout.strip() == here


def test_an_api_is_nearer_to_a_text_about_it_than_to_another() -> None:
    about, other, api = LexicalEmbedder().embed(
        ["Dump a model to JSON text", "Integrate a stiff differential equation", "pydantic.BaseModel.model_dump_json"]
    )
    assert api @ about > api @ other + 0.1


def test_what_all_texts_share_counts_less_once_fitted() -> None:
    corpus = ["library function reads csv", "library function writes json", "library function draws plots"]
    plain, fitted = LexicalEmbedder(), LexicalEmbedder().fitted(corpus)
    alike = [float(e.embed(corpus)[0] @ e.embed(corpus)[1]) for e in (plain, fitted)]
    assert alike[1] < alike[0] - 0.05
    assert plain.describe() != fitted.describe()


def test_an_unknown_embedder_is_named_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"'bert'; known are lexical, minilm"):
        load_embedder("bert")
