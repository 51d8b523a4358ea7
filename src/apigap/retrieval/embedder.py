"""The interface of embedders."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors whose scalar product says how alike two texts are."""

    @property
    def window(self) -> int | None:
        """The number of tokens of a text that decide its vector; None: all of them."""
        ...

    def count(self, text: str) -> int:
        """The tokens of `text`, those that the embedder adds included."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row per text, `float32`, of length 1 (of length 0 for a text without a word), in the order given."""
        ...

    def describe(self) -> dict[str, Any]:
        """All that decides the vectors, for a manifest."""
        ...
