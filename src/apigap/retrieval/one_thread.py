"""MiniLM in a process of its own with one thread.

A numpy that was imported has its threads already, and for matrices this small they wait for each other more than they
compute: measured on two busy cores, 55 texts take 7 seconds with one thread and more than 60 with two.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from apigap.records.errors import InfrastructureError
from apigap.retrieval.embedder import Vectors
from apigap.retrieval.minilm import MODEL, MOST_TOKENS, MiniLM, read_vocabulary
from apigap.retrieval.weights import ensure_files
from apigap.retrieval.wordpiece import WordPiece

_ONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class OneThreadMiniLM:
    """The vectors of `MiniLM`; its files are fetched first where they are missing."""

    def __init__(self, announce: Callable[[str], None] | None = None) -> None:
        self._tokeniser = WordPiece(read_vocabulary(ensure_files(MODEL, announce)))

    @property
    def window(self) -> int | None:
        """What stands after so many tokens is not read."""
        return MOST_TOKENS

    def count(self, text: str) -> int:
        """See `Embedder.count`."""
        return self._tokeniser.count(text)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`; raises InfrastructureError when the process fails."""
        done = subprocess.run(
            [sys.executable, "-m", "apigap.retrieval.one_thread"],
            input=json.dumps(list(texts)).encode(),
            capture_output=True,
            env={**os.environ, **_ONE},
            check=False,
        )
        if done.returncode:
            raise InfrastructureError(
                f"the process that embeds texts ended with {done.returncode}: "
                f"{done.stderr.decode(errors='replace').strip()[-500:]}; check the free memory (300 MB are needed)"
            )
        return np.load(io.BytesIO(done.stdout), allow_pickle=False)

    def describe(self) -> dict[str, Any]:
        """See `Embedder.describe`."""
        return {"embedder": "minilm", "model": MODEL.name, "sha256": MODEL.files["model.safetensors"]}


def main() -> None:
    """Read a JSON list of texts from standard input, write their vectors to standard output as an npy file."""
    found = MiniLM.load().embed(json.load(sys.stdin))
    buffer = io.BytesIO()
    np.save(buffer, found)
    sys.stdout.buffer.write(buffer.getvalue())


if __name__ == "__main__":
    main()
