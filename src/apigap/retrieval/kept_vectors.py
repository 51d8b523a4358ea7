"""Vectors of texts that were embedded before: in the cache folder, by embedder and text."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apigap.records.base import content_hash
from apigap.records.paths import cache_home
from apigap.records.store import disk_error
from apigap.retrieval.embedder import Embedder, Vectors

_BATCH = 64  # as many are lost when a run is killed


def _unseen(done: int, total: int) -> None:
    """The progress of a run that shows none."""


class KeptVectors:
    """An embedder that asks `embedder` only for texts that no run has asked for.

    The same component is in the index of several conditions, and every resumed run asks the same queries. Where it
    takes a while, `advance` is told how many of a call's texts have their vector.
    """

    def __init__(self, embedder: Embedder, advance: Callable[[int, int], None] = _unseen) -> None:
        self._embedder = embedder
        self._advance = advance
        self._folder = cache_home() / "vectors" / content_hash(embedder.describe())

    @property
    def window(self) -> int | None:
        """See `Embedder.window`."""
        return self._embedder.window

    def count(self, text: str) -> int:
        """See `Embedder.count`."""
        return self._embedder.count(text)

    def describe(self) -> dict[str, Any]:
        """See `Embedder.describe`."""
        return self._embedder.describe()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`.

        Raises:
            InfrastructureError: when the cache folder cannot be written.
        """
        if not texts:
            return self._embedder.embed(texts)
        rows = {text: row for text in dict.fromkeys(texts) if (row := _read(self._path(text))) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in rows]
        advance = self._advance if len(missing) > _BATCH else _unseen
        for start in range(0, len(missing), _BATCH):
            advance(len(rows), len(rows) + len(missing) - start)
            batch = missing[start : start + _BATCH]
            for text, row in zip(batch, self._embedder.embed(batch), strict=True):
                _write(self._path(text), row)
                rows[text] = row
        advance(len(rows), len(rows))
        return np.stack([rows[text] for text in texts])

    def _path(self, text: str) -> Path:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / digest[:2] / f"{digest[2:]}.npy"


def _read(path: Path) -> NDArray[np.float32] | None:
    """A kept vector; None where there is none, or one that a full disk left half-written."""
    try:
        return np.load(path, allow_pickle=False)
    except (FileNotFoundError, EOFError, ValueError):
        return None


def _write(path: Path, row: NDArray[np.float32]) -> None:
    temporary = path.with_suffix(".tmp.npy")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(temporary, row, allow_pickle=False)
        temporary.replace(path)
    except OSError as error:
        raise disk_error(path, error) from error
