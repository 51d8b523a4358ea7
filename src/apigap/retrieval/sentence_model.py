"""Any model of sentence-transformers (Reimers and Gurevych 2019) as an embedder."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from apigap.records.errors import ModelUnavailable
from apigap.retrieval.embedder import Vectors
from apigap.retrieval.extra import imported


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
        library = imported("sentence_transformers", "encoders")
        self._name, _, revision = name.partition("@")
        self._revision = revision or None
        self._library = f"sentence-transformers {library.__version__}"
        try:
            self._model: Any = library.SentenceTransformer(self._name, revision=self._revision, device="cpu")
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"sentence-transformers cannot load {name!r} ({error}); give a folder or ORGANISATION/NAME[@REVISION]"
            ) from error

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
        """See `Embedder.describe`. Without a revision the newest is taken, and the manifest cannot tell which."""
        return {"embedder": self._library, "model": self._name, "revision": self._revision, "window": self.window}
