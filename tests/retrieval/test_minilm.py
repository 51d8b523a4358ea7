"""The dense embedder against the numbers of sentence-transformers 6.2, from the same weights."""

import hashlib
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from apigap.records.errors import CorruptRecord, ModelUnavailable
from apigap.records.paths import cache_home
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.minilm import MODEL, MiniLM
from apigap.retrieval.weights import WheelModel, ensure_files, read_tensors
from apigap.retrieval.wordpiece import WordPiece
from tests.models.conftest import Index, index

__all__ = ["index"]  # a fixture

TOKENS = [  # of transformers' BertTokenizerFast
    ("Ünïcödé café – “q” $^`", [101, 27260, 7668, 1516, 1523, 1053, 1524, 1002, 1034, 1036, 102]),
    ("BaseModel.model_dump", [101, 2918, 5302, 9247, 1012, 2944, 1035, 15653, 102]),
    ("漢字 и русский", [101, 1904, 100, 1188, 1195, 29748, 29747, 29747, 23925, 15414, 102]),
    ("x" * 101, [101, 100, 102]),
    ("soft\u00adhyphen zero\u200bwidth", [101, 3730, 10536, 8458, 2368, 5717, 9148, 11927, 2232, 102]),
    ("", [101, 102]),
]
SENTENCES = {
    "The cat sits on the mat.": [0.134177, -0.0329, -0.024804, 0.041439, -0.036348, 0.041814],
    "pydantic.BaseModel.model_dump_json: Dump a model to JSON.": [
        -0.007104, 0.01547, -0.029298, -0.0195, 0.003453, -0.041876,
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM()


@pytest.mark.network
@pytest.mark.parametrize(("text", "numbers"), TOKENS)
def test_tokens_are_those_of_the_reference(minilm: MiniLM, text: str, numbers: list[int]) -> None:
    vocabulary = (cache_home() / "models" / f"{MODEL.name}-{MODEL.version}" / "vocab.txt").read_text("utf-8")
    assert WordPiece(vocabulary.splitlines()).numbers(text, 256) == numbers


@pytest.mark.network
def test_vectors_are_those_of_the_reference(minilm: MiniLM) -> None:
    found = minilm.embed(list(SENTENCES))
    assert np.abs(found[:, :6] - np.array(list(SENTENCES.values()))).max() < 1e-5
    assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.network
def test_it_is_an_embedder_by_its_name(minilm: MiniLM) -> None:
    found = load_embedder("minilm")
    assert (found.embed(list(SENTENCES)) == minilm.embed(list(SENTENCES))).all()
    assert found.describe()["sha256"] == MODEL.files["model.safetensors"]
    assert found.embed([]).shape == (0, 384)
    assert found.window == 256 and found.count("Ünïcödé") == 3


@pytest.mark.network
def test_its_arithmetic_has_one_thread_and_others_keep_theirs(minilm: MiniLM, monkeypatch: pytest.MonkeyPatch) -> None:
    def threads() -> list[int]:
        return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]

    inside: list[int] = []
    compute = MiniLM._sentences  # pyright: ignore[reportPrivateUsage]

    def seen(self: MiniLM, numbers: Any) -> Any:
        inside.extend(threads())
        return compute(self, numbers)

    monkeypatch.setattr(MiniLM, "_sentences", seen)
    before = threads()
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(minilm.embed, [[text] for text in [*SENTENCES] * 4]))
    assert inside and set(inside) == {1}
    assert threads() == before
    assert np.abs(np.concatenate(rows[:2]) - minilm.embed(list(SENTENCES))).max() < 1e-5


@pytest.mark.network
def test_a_paraphrase_is_nearer_than_another_subject(minilm: MiniLM) -> None:
    a, b, c = minilm.embed(["A cat sits on the mat", "The kitty is resting on a rug", "Stocks fell on Monday"])
    assert a @ b > a @ c + 0.3


@pytest.mark.network
def test_a_text_has_one_vector_whatever_stands_beside_it(minilm: MiniLM) -> None:
    texts = ["one two", "three", "four five", "word " * 400, "word " * 300]
    together = minilm.embed(texts)
    assert np.abs(together - np.concatenate([minilm.embed([text]) for text in texts])).max() < 1e-5
    assert (together[3] == together[4]).all()  # both are cut after 256 tokens


def test_what_the_index_gives_is_checked_and_kept(index: Index) -> None:
    model = _model(index, b"weights")
    said: list[str] = []
    home = ensure_files(model, said.append)
    assert (home / "w").read_bytes() == b"weights"
    assert said == ["Fetching A model: 1 MB from the package index, a-model 1.0; licence MIT"]
    asked = len(index.asked)
    assert ensure_files(model, said.append) == home
    assert len(index.asked) == asked and len(said) == 1


def test_another_content_is_not_taken(index: Index) -> None:
    model = _model(index, b"weights").model_copy(update={"files": {"w": hashlib.sha256(b"other").hexdigest()}})
    with pytest.raises(ModelUnavailable, match="do not trust this source"):
        ensure_files(model, print)


def test_an_index_without_it_is_told_with_the_way_out(index: Index) -> None:
    model = _model(index, b"weights").model_copy(update={"distribution": "no-such", "version": "2.0"})
    with pytest.raises(ModelUnavailable, match=r"could not be fetched.*without one, put w into"):
        ensure_files(model, print)


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff" * 64, struct.pack("<Q", 2) + b"{]", None],
    ids=["empty", "huge header", "no json", "no file"],
)
def test_a_broken_file_of_weights_is_named(tmp_path: Path, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "m").write_bytes(data)
    with pytest.raises(CorruptRecord, match="is not a safetensors file"):
        read_tensors(tmp_path / "m")


def _model(index: Index, weights: bytes) -> WheelModel:
    index.add_wheel("a-model", "1.0", {"f/w": weights})
    files = {"w": hashlib.sha256(weights).hexdigest()}
    return WheelModel(
        name="a", title="A model", licence="MIT", distribution="a-model", version="1.0", megabytes=1,
        folder="f", files=files,
    )  # fmt: skip
