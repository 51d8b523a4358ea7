"""An index on disk: built once, opened again, and what is said of one that is broken."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apigap.records.errors import CorruptRecord, InfrastructureError, UsageError
from apigap.records.extras import imported
from apigap.records.manifest import Manifest
from apigap.retrieval.chunker import ChunkRules
from apigap.retrieval.context_assembly import RULE, knowledge_text
from apigap.retrieval.documents import Document, Section
from apigap.retrieval.embedder import Vectors
from apigap.retrieval.embedders import load_embedder
from apigap.retrieval.index import SEARCHERS, build_index, open_index
from apigap.retrieval.kept_vectors import KeptVectors
from apigap.retrieval.lexical import LexicalEmbedder

RULES = ChunkRules(most_tokens=32)
TEXTS = {
    "web.Client": "A client that sends requests through a proxy.",
    "web.get": "Sends one request and gives the response.",
    "tables.merge": "Joins two tables on a column. " * 12,
}
DOCUMENTS = [
    Document(id=id_, sections=(Section(name="text", text=text, unit="text"),), fields={"library": id_.split(".")[0]})
    for id_, text in TEXTS.items()
]
EMBEDDER = LexicalEmbedder(128)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build_index(tmp_path / "i", DOCUMENTS, RULES, EMBEDDER)
    return tmp_path / "i"


def test_it_is_made_again_only_when_something_changed(folder: Path) -> None:
    files = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    same = build_index(folder, DOCUMENTS[::-1], RULES, EMBEDDER)
    assert not same.made
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()} == files
    assert build_index(folder, DOCUMENTS[:2], RULES, EMBEDDER).made
    assert build_index(folder, DOCUMENTS, ChunkRules(most_tokens=64), EMBEDDER).made
    assert build_index(folder, DOCUMENTS, ChunkRules(most_tokens=64), LexicalEmbedder(64)).made
    assert build_index(folder, DOCUMENTS, ChunkRules(most_tokens=64), LexicalEmbedder(64), {"group": "g"}).made
    again = build_index(folder, DOCUMENTS, RULES, EMBEDDER)
    assert again.made and again.counts["documents"] == 3
    assert {path: path.read_bytes() for path in folder.iterdir()} == {path: found for path, (found, _) in files.items()}


@pytest.mark.parametrize("searcher", SEARCHERS)
def test_what_is_asked_for_is_found_first(folder: Path, searcher: Any) -> None:
    found = open_index(folder, EMBEDDER, searcher)
    hits = found.search("join tables on columns: tables merged", 2)
    assert [hit.chunk.fields["library"] for hit in hits] == ["tables", "tables"]
    assert [hit.rank for hit in hits] == [1, 2] and hits[0].score >= hits[1].score
    assert found.documents(["a proxy for requests of a client"])[0][0] == "web.Client"
    assert found.search_all(["proxy", "column"], 1) == [found.search("proxy", 1), found.search("column", 1)]


@pytest.mark.parametrize("searcher", SEARCHERS)
def test_the_control_sees_only_its_own_chunks_and_all_of_them(folder: Path, searcher: Any) -> None:
    found = open_index(folder, EMBEDDER, searcher)
    own = [chunk for chunk in found.chunks if chunk.document == "tables.merge"]
    hits = found.search("proxy", 50, within={"tables.merge"})
    assert len(own) > 1
    assert sorted(hit.chunk.number for hit in hits) == [chunk.number for chunk in own]
    assert found.search("proxy", 50, within=set()) == []


def test_words_find_nothing_where_there_are_none(folder: Path) -> None:
    found = open_index(folder, None, "bm25")
    assert found.search("zebra", 3) == [] and found.documents(["zebra"]) == [[]]
    assert [hit.chunk.document for hit in found.search("proxy", 3)] == ["web.Client"]


def test_a_prompt_shows_whole_chunks_in_order_of_rank_up_to_its_budget(folder: Path) -> None:
    hits = open_index(folder, EMBEDDER, "dense").search("sends requests", 3)
    tokens = [hit.chunk.tokens for hit in hits]
    every = knowledge_text(hits, sum(tokens))
    assert every.text == RULE.join(hit.chunk.text for hit in hits)
    assert (every.tokens, every.left_out) == (sum(tokens), ())
    fewer = knowledge_text(hits, sum(tokens) - 1)
    assert fewer.shown == every.shown[:2] and fewer.left_out == every.shown[2:]
    assert fewer.tokens == sum(tokens[:2]) <= fewer.budget
    assert knowledge_text([], 10).text == ""
    with pytest.raises(UsageError, match=r"has \d+ tokens and the prompt room for 1; raise retrieval.budget_tokens"):
        knowledge_text(hits, 1)


@pytest.mark.parametrize(
    ("documents", "rules", "message"),
    [
        ([], RULES, "nothing to index"),
        ([*DOCUMENTS, DOCUMENTS[0]], RULES, "web.Client is there twice"),
        (DOCUMENTS, ChunkRules(most_tokens=9), "too small"),
    ],
)
def test_what_cannot_be_an_index(tmp_path: Path, documents: list[Document], rules: ChunkRules, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        build_index(tmp_path, documents, rules, EMBEDDER)


def test_chunks_longer_than_the_embedder_reads_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"longer than the 16 that the embedder reads; set retrieval\.chunk_tokens to 16"
    ):
        build_index(tmp_path, DOCUMENTS, RULES, Counting(window=16))


def test_an_index_is_opened_with_what_made_it(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"was made with the embedder .*'dimension': 128.* this search has .*64"):
        open_index(folder, LexicalEmbedder(64))
    with pytest.raises(UsageError, match="apigap rag build"):
        open_index(folder / "elsewhere", EMBEDDER)
    other = Manifest(apigap="0", stage="retrieval index", made_from={"bundles": "of another model"})
    with pytest.raises(UsageError, match="another run has just made the index"):
        open_index(folder, EMBEDDER, wanted=other)
    (folder / "index.faiss").unlink()
    with pytest.raises(UsageError, match="no whole index"):
        open_index(folder, EMBEDDER)


@pytest.mark.parametrize(
    ("file", "data", "message"),
    [
        ("manifest.json", b"{}", "is not a manifest"),
        ("index.faiss", b"IxFI", "cannot be read"),
        ("chunks.jsonl", b"", "is not what manifest.json says"),
    ],
)
def test_a_broken_index_is_named(folder: Path, file: str, data: bytes, message: str) -> None:
    (folder / file).write_bytes(data)
    with pytest.raises(CorruptRecord, match=message):
        open_index(folder, EMBEDDER)


def test_a_missing_part_names_its_extra() -> None:
    with pytest.raises(InfrastructureError, match=r"needs no_such_module.*run: .*encoders"):
        imported("no_such_module", "encoders", "retrieval")


class Counting(LexicalEmbedder):
    """Knows how many texts it was asked for."""

    def __init__(self, window: int | None = None) -> None:
        super().__init__(16)
        self.asked: list[str] = []
        self._window = window

    @property
    def window(self) -> int | None:
        return self._window

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return super().embed(texts)


def test_a_text_is_embedded_once_for_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))
    texts = [f"text number {n % 90}" for n in range(100)]
    first, second = Counting(), Counting()
    steps: list[tuple[int, int]] = []
    found = KeptVectors(first, lambda done, total: steps.append((done, total))).embed(texts)
    assert (found == LexicalEmbedder(16).embed(texts)).all()
    assert first.asked == texts[:90] and steps[0] == (0, 90) and steps[-1] == (90, 90)
    broken = next(tmp_path.rglob("*.npy"))
    os.truncate(broken, 40)
    again = KeptVectors(second)
    assert (again.embed([*texts, "another"])[:100] == found).all()
    assert len(second.asked) == 2 and "another" in second.asked
    assert again.embed([]).shape == (0, 16)
    assert (again.count("a b"), again.window, again.describe()) == (2, None, first.describe())


@pytest.mark.network
def test_minilm_counts_what_it_reads() -> None:
    minilm = load_embedder("minilm")
    assert minilm.window == 256
    assert [minilm.count(text) for text in ("", "BaseModel.model_dump", "word " * 400)] == [2, 9, 402]
    read, cut = 253, 254  # words, beside the two tokens that the model adds
    texts = [f"{'word ' * words}{last}" for words in (read, cut) for last in ("one", "two")]
    vectors = minilm.embed(texts)
    assert not np.allclose(vectors[0], vectors[1])
    assert np.allclose(vectors[2], vectors[3])
