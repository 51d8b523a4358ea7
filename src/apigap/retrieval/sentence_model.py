"""Any model of sentence-transformers (Reimers and Gurevych 2019) as an embedder."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from apigap.records.errors import ModelUnavailable
from apigap.records.extras import imported
from apigap.retrieval.embedder import Vectors

_LIBRARY = ("sentence_transformers", "encoders", "this encoder")


class SentenceModel:
    """The model `name`: a folder, or ORGANISATION/NAME[@REVISION] on the Hugging Face hub.

    Neither queries nor documents get an instruction before them, as in NovelAPIBench.
    """

    def __init__(self, name: str) -> None:
        """Load the model.

        Raises:
            InfrastructureError: when sentence-transformers is not installed.
            ModelUnavailable: when there is no such model, or it cannot be fetched.
        """
        self._model: Any = load_sentence_model(name)
        self._library = f"sentence-transformers {imported(*_LIBRARY).__version__}"
        self._name, _, revision = name.partition("@")
        self._revision = revision or None
        self._weights = _weights(Path(self._name))

    @property
    def window(self) -> int | None:
        """See `Embedder.window`."""
        return self._model.max_seq_length

    def count(self, text: str) -> int:
        """See `Embedder.count`."""
        return len(self._model.tokenizer(text, truncation=False, verbose=False)["input_ids"])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`."""
        found = self._model.encode(
            list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(found, dtype=np.float32)

    def describe(self) -> dict[str, Any]:
        """See `Embedder.describe`. A folder is told by its weights, wherever it lies. Of a name without a revision the
        newest is taken, and the manifest cannot tell which.
        """
        told = {"sha256": self._weights} if self._weights else {"model": self._name, "revision": self._revision}
        return {"embedder": self._library, **told, "window": self.window}


def load_sentence_model(name: str) -> Any:
    """The model of sentence-transformers `name`, as it is; see `SentenceModel` for names and errors."""
    library = imported(*_LIBRARY)
    path, _, revision = name.partition("@")
    try:
        return library.SentenceTransformer(path, revision=revision or None, device="cpu")
    except (OSError, ValueError) as error:
        raise ModelUnavailable(
            f"sentence-transformers cannot load {name!r} ({error}); give a folder or ORGANISATION/NAME[@REVISION]"
        ) from error


def _weights(folder: Path) -> str | None:
    """The hash of the weights in `folder`; None where there is none. A folder can be tuned again under its name."""
    files = sorted(folder.rglob("*.safetensors")) if folder.is_dir() else []
    if not files:
        return None
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
