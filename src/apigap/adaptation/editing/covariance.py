"""Second moments of what enters an MLP's down projection: what an editor takes for the facts that a model has.

E[k k^T] over the tokens of ordinary text, uncentred: Meng et al. 2022 (arXiv:2210.07229), equation 15.
"""

import hashlib
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.editing.edit import read_tensors, write_tensors
from apigap.adaptation.editing.facts import encode, window_of
from apigap.adaptation.editing.families import Family
from apigap.adaptation.editing.forward_pass import inputs_of, no_further_than
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.paths import cache_home, exclusive

_LENGTH = 512


@dataclass(frozen=True)
class Texts:
    """Pieces of text and where they are from."""

    source: str
    pieces: Sequence[str]

    @property
    def content(self) -> str:
        """The hash of the pieces."""
        return content_hash(list(self.pieces))


@dataclass(frozen=True)
class Moments:
    """The mean of k k^T [inputs, inputs] by layer; `provenance` tells the text, its tokens and the precision."""

    of: Mapping[int, Tensor]
    provenance: Mapping[str, str]


def standard_library() -> Texts:
    """The sources of this Python's standard library, in an order that depends on their names alone.

    Code and the English of its docstrings, found wherever Python is; a model knows it well.
    """
    home = Path(sysconfig.get_path("stdlib"))
    files = [path for path in home.rglob("*.py") if not {"site-packages", "test", "tests", "idle_test"} & {*path.parts}]
    ordered = sorted(files, key=lambda path: hashlib.sha256(str(path.relative_to(home)).encode()).digest())
    pieces = [path.read_text("utf-8", errors="replace") for path in ordered]
    return Texts(f"standard library of Python {sys.version.split()[0]}", pieces)


def text_files(paths: Sequence[Path]) -> Texts:
    """Files of the user's own, one piece per blank-line paragraph block of each.

    Raises:
        UsageError: when one cannot be read as text.
    """
    try:
        pieces = [path.read_text("utf-8") for path in paths]
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the covariance's text cannot be read: {error}") from error
    return Texts(", ".join(path.name for path in paths), pieces)


def second_moments(
    model: nn.Module, tokenizer: Any, family: Family, layers: Sequence[int], texts: Texts, tokens: int
) -> Moments:
    """The moments over the first `tokens` tokens of the texts, in windows that begin anew with each piece.

    Raises:
        UsageError: when there is no text.
    """
    sums: dict[int, Tensor] = {}
    seen = 0

    def adder(layer: int) -> Any:
        def add(inputs: Tensor) -> None:
            rows = inputs.detach().double().flatten(0, -2)
            sums[layer] = sums.get(layer, torch.zeros(2 * rows.shape[1:], dtype=torch.float64)) + rows.T @ rows

        return add

    with torch.no_grad(), ExitStack() as stack:
        for layer in layers:
            stack.enter_context(inputs_of(model, family.of(layer, "down"), adder(layer)))
        for window in _windows(tokenizer, texts.pieces, tokens, min(_LENGTH, window_of(model) or _LENGTH)):
            with no_further_than(model, family.block(max(layers))):
                model(input_ids=torch.tensor([window]), use_cache=False)
            seen += len(window)
    if not seen:
        raise UsageError(f"there is no text for the covariance in {texts.source}; give files with --texts")
    identity = {"text": texts.source, "content": texts.content}
    provenance = {**identity, "tokens": str(seen), "precision": str(next(model.parameters()).dtype), "sum": "float64"}
    return Moments({layer: sums[layer] / seen for layer in layers}, provenance)


def cached_moments(
    model: nn.Module,
    tokenizer: Any,
    family: Family,
    layers: Sequence[int],
    texts: Texts,
    tokens: int,
    folder: Path | None = None,
) -> Moments:
    """The same, kept in the cache under all that decides them: the weights themselves, the text and the settings."""
    made_from = (hash_of(model), *map(str, layers), texts.source, texts.content, str(tokens))
    name = content_hash([*made_from, family.model_dump_json()])
    path = (folder or cache_home() / "covariance") / f"{name}.safetensors"
    with exclusive(path.with_suffix(".lock")):
        if not path.exists():
            found = second_moments(model, tokenizer, family, layers, texts, tokens)
            write_tensors(path, {str(layer): moment.float() for layer, moment in found.of.items()}, found.provenance)
    tensors, provenance = read_tensors(path)
    return Moments({layer: tensors[str(layer)] for layer in layers}, provenance)


def _windows(tokenizer: Any, pieces: Sequence[str], most: int, length: int) -> Iterator[list[int]]:
    left = most
    for piece in pieces:
        ids = encode(tokenizer, piece)
        for start in range(0, len(ids), length):
            window = ids[start : start + min(length, left)]
            if not window:
                return
            left -= len(window)
            yield window


def hash_of(model: nn.Module) -> str:
    """The sha256 of all weights and of the settings that they are used with."""
    config: Any = model.config
    found = hashlib.sha256(config.to_json_string().encode())
    for name, weight in model.named_parameters():
        found.update(f"{name} {weight.dtype} {tuple(weight.shape)}".encode())
        numbers: Any = weight.detach().contiguous().view(torch.uint8).numpy()
        found.update(numbers)
    return found.hexdigest()
