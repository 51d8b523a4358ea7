"""An index on disk: chunks.jsonl, their vectors in index.faiss, and manifest.json, which says what made them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from apigap.records.base import content_hash
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.extras import imported
from apigap.records.manifest import Manifest, file_hash
from apigap.records.paths import exclusive
from apigap.records.store import disk_error, load_records, read_bytes, write_records, write_text
from apigap.retrieval.chunker import ChunkRules, chunks_of
from apigap.retrieval.documents import Chunk, Document
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.rankers import DenseRanker, FusedRanker, LexicalRanker, Ranker
from apigap.retrieval.searcher import Searcher
from apigap.version import __version__

SearcherName = Literal["dense", "bm25", "hybrid"]
SEARCHERS: tuple[SearcherName, ...] = ("dense", "bm25", "hybrid")


def searchers_named(names: Sequence[str]) -> list[SearcherName]:
    """The searchers of these names in their own order; all of them without a name.

    Raises:
        UsageError: when there is none of a name.
    """
    unknown = [name for name in names if name not in SEARCHERS]
    if unknown:
        raise UsageError(f"no searcher is named {unknown[0]!r}; they are {', '.join(SEARCHERS)}")
    return [name for name in SEARCHERS if not names or name in names]


CHUNKS, VECTORS, MANIFEST = "chunks.jsonl", "index.faiss", "manifest.json"


@dataclass(frozen=True)
class Built:
    """An index that is there now; `made` is False where it was there before, made of the same things."""

    folder: Path
    manifest: Manifest
    made: bool

    @property
    def counts(self) -> dict[str, Any]:
        """Documents, chunks and tokens in it."""
        return self.manifest.counts


def build_index(
    folder: Path,
    documents: Sequence[Document],
    rules: ChunkRules,
    embedder: Embedder,
    made_from: dict[str, Any] | None = None,
) -> Built:
    """The index of `documents` in `folder`, made anew only if something that decides it has changed.

    Documents are sorted by id. `made_from` goes into the manifest beside what is there anyway: the hash of the
    documents, the rules of the chunker, the embedder.

    Raises:
        UsageError: when there is nothing to index, a document is there twice, or chunks would be longer than what the
            embedder reads.
    """
    documents = sorted(documents, key=lambda document: document.id)
    _check(documents, rules, embedder)
    made: dict[str, Any] = {
        **(made_from or {}),
        "documents": content_hash([document.model_dump(mode="json") for document in documents]),
        "chunks": rules.describe(),
        "embedder": embedder.describe(),
    }
    with exclusive(folder / ".lock"):
        found = _found(folder)
        if found is not None and found.made_from == made:
            return Built(folder, found, made=False)
        return Built(folder, _write(folder, documents, rules, embedder, made), made=True)


def _write(
    folder: Path, documents: Sequence[Document], rules: ChunkRules, embedder: Embedder, made: dict[str, Any]
) -> Manifest:
    manifest = Manifest(apigap=__version__, stage="retrieval index", made_from=made)
    write_text(folder / MANIFEST, manifest.model_dump_json(indent=2) + "\n")  # what was there before is void from here
    chunks = [chunk for document in documents for chunk in chunks_of(document, rules, embedder.count)]
    write_records(folder / CHUNKS, chunks)
    _write_vectors(folder / VECTORS, chunks, embedder)
    counts = {
        "documents": len(documents),
        "chunks": len(chunks),
        "tokens": sum(chunk.tokens for chunk in chunks),
        "chunks.jsonl": file_hash(folder / CHUNKS),
    }
    manifest = manifest.model_copy(update={"counts": counts, "complete": True})
    write_text(folder / MANIFEST, manifest.model_dump_json(indent=2) + "\n")
    return manifest


def open_index(
    folder: Path, embedder: Embedder | None, searcher: SearcherName = "hybrid", wanted: Manifest | None = None
) -> Searcher:
    """Search in the index of `folder`; `embedder` is the one that it was made with (`bm25` needs none).

    `wanted` is the manifest of the index that is meant, where another run may have made one of something else there.

    Raises:
        UsageError: when there is no whole index in `folder`, it is not `wanted`, or was made with another embedder.
        CorruptRecord: when its files do not belong together.
    """
    manifest = _found(folder)
    if manifest is None:
        raise UsageError(f"there is no whole index in {folder}; make it with: apigap rag build")
    if wanted is not None and manifest.made_from != wanted.made_from:
        raise UsageError(
            f"another run has just made the index in {folder} of something else; let it end, or take another --data"
        )
    chunks = load_records(folder / CHUNKS, Chunk)
    if file_hash(folder / CHUNKS) != manifest.counts.get("chunks.jsonl"):
        raise CorruptRecord(f"{folder / CHUNKS} is not what {MANIFEST} says; remove {folder} and build it again")
    return Searcher(chunks, _ranker(folder, chunks, manifest, embedder, searcher))


def _ranker(
    folder: Path, chunks: Sequence[Chunk], manifest: Manifest, embedder: Embedder | None, searcher: SearcherName
) -> Ranker:
    if searcher == "bm25":
        return LexicalRanker([chunk.text for chunk in chunks])
    if searcher == "hybrid":
        lexical = LexicalRanker([chunk.text for chunk in chunks])
        return FusedRanker([_ranker(folder, chunks, manifest, embedder, "dense"), lexical])
    made_with = manifest.made_from.get("embedder")
    if embedder is None or embedder.describe() != made_with:
        given = embedder.describe() if embedder else None
        raise UsageError(f"{folder} was made with the embedder {made_with}, this search has {given}; use the same")
    faiss = imported("faiss", "rag", "retrieval")
    try:
        index = faiss.read_index(str(folder / VECTORS))
    except RuntimeError as error:
        raise CorruptRecord(f"{folder / VECTORS} cannot be read; remove {folder} and build it again") from error
    if index.ntotal != len(chunks):
        raise CorruptRecord(
            f"{folder / VECTORS} has {index.ntotal} vectors for {len(chunks)} chunks; remove it and build it again"
        )
    return DenseRanker(index, embedder)


def _check(documents: Sequence[Document], rules: ChunkRules, embedder: Embedder) -> None:
    if not documents:
        raise UsageError("there is nothing to index: no document has any text")
    ids = [document.id for document in documents]
    twice = next((one for one, after in pairwise(ids) if one == after), None)
    if twice is not None:
        raise UsageError(f"the document {twice} is there twice; give it once")
    if embedder.window is not None and rules.most_tokens > embedder.window:
        raise UsageError(
            f"chunks of {rules.most_tokens} tokens are longer than the {embedder.window} that the embedder reads; "
            f"set retrieval.chunk_tokens to {embedder.window} or less"
        )


def _found(folder: Path) -> Manifest | None:
    """The manifest of the index in `folder`; None where there is none, or one that was not finished."""
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        manifest = Manifest.model_validate_json(read_bytes(path))
    except ValidationError as error:
        raise CorruptRecord(f"{path} is not a manifest; remove {folder} and build it again") from error
    there = (folder / CHUNKS).exists() and (folder / VECTORS).exists()
    return manifest if manifest.complete and there else None


def _write_vectors(path: Path, chunks: Sequence[Chunk], embedder: Embedder) -> None:
    index = DenseRanker.over([chunk.text for chunk in chunks], embedder).index
    temporary = path.with_name(f".{path.name}.tmp")
    imported("faiss", "rag", "retrieval").write_index(index, str(temporary))
    try:
        temporary.replace(path)
    except OSError as error:
        raise disk_error(path, error) from error
