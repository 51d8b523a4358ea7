"""What an embedder is, and the embedders by name."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from apigap.records.errors import UsageError

Vectors = NDArray[np.float32]
EMBEDDERS = ("lexical", "minilm")


class Embedder(Protocol):
    """Turns texts into vectors whose scalar product says how alike two texts are."""

    @property
    def window(self) -> int | None:
        """How many tokens of a text decide its vector; None: all of them."""
        ...

    def count(self, text: str) -> int:
        """The tokens of `text`, those that the embedder adds included."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, `float32`, of length 1 (of length 0 for a text without a word), in the order given."""
        ...

    def describe(self) -> dict[str, Any]:
        """What decides the vectors, for a manifest."""
        ...


def load_embedder(name: str, announce: Callable[[str], None] | None = None) -> Embedder:
    """The embedder `name`: one of `EMBEDDERS`, or a model of sentence-transformers, as a path or ORGANISATION/NAME.

    `minilm` is fetched first where it is missing, announced in one line.

    Raises:
        UsageError: when there is no such embedder.
        ModelUnavailable: when its files are not on this machine and cannot be fetched.
    """
    if name == "lexical":
        from apigap.retrieval.lexical import LexicalEmbedder

        return LexicalEmbedder()
    if name == "minilm":
        from apigap.retrieval.one_thread import OneThreadMiniLM

        return OneThreadMiniLM(announce)
    if "/" in name or Path(name).is_dir():
        from apigap.retrieval.sentence_model import SentenceModel

        return SentenceModel(name)
    raise UsageError(
        f"no embedder is named {name!r}; known are {', '.join(EMBEDDERS)}, and models of sentence-transformers as "
        "a folder or ORGANISATION/NAME"
    )
