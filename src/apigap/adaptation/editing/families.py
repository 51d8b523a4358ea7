"""Module names of a model's layers, by its family; the user can name them for any other."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from apigap.records.base import Record
from apigap.records.errors import UsageError

_DEPTH = 28
_EDITED = (5, 6, 7, 8, 9)
_REMEMBERED = 24


class Family(Record):
    """Names of modules. `blocks` is the list of layers; the others are in a block, but `embeddings` and `head`."""

    name: str
    blocks: str = "model.layers"
    mlp: str = "mlp"
    up: str = "mlp.up_proj"
    down: str = "mlp.down_proj"

    def block(self, layer: int) -> str:
        """The name of a layer."""
        return f"{self.blocks}.{layer}"

    def of(self, layer: int, part: str) -> str:
        """The name of a module of a layer: `mlp`, `up` or `down`."""
        return f"{self.block(layer)}.{getattr(self, part)}"


FAMILIES: Mapping[str, Family] = {
    "llama": Family(name="llama"),
    "qwen2": Family(name="qwen2"),
    "gpt2": Family(name="gpt2", blocks="transformer.h", up="mlp.c_fc", down="mlp.c_proj"),
}


def family_of(model: nn.Module, names: Sequence[str] = ()) -> Family:
    """The family of a model, with `part=name` of the user's own over it.

    Raises:
        UsageError: for a family without known layers, a part that there is not, or a module that the model has not.
    """
    config: Any = model.config
    kind = str(config.model_type)
    given = {part: module for part, _, module in (name.partition("=") for name in names)}
    unknown = given.keys() - Family.model_fields.keys()
    if unknown:
        raise UsageError(
            f"a model has no part {sorted(unknown)[0]!r}; they are {', '.join([*Family.model_fields][1:])}"
        )
    if kind not in FAMILIES and given.keys() != set(Family.model_fields) - {"name"}:
        raise UsageError(
            f"the layers of {kind} models are not known (known are {', '.join(FAMILIES)}); name them all: "
            "--module blocks=model.layers --module mlp=mlp --module up=mlp.up_proj --module down=mlp.down_proj"
        )
    family = FAMILIES.get(kind, Family(name=kind)).model_copy(update=given)
    for part in ("mlp", "up", "down"):
        module_of(model, family.of(0, part))
    return family


def depth_of(model: nn.Module, family: Family) -> int:
    """The number of layers of the model."""
    blocks: Any = module_of(model, family.blocks)
    return len(blocks)


def edited_layers(depth: int, wanted: Sequence[int] = ()) -> tuple[int, ...]:
    """The layers that an editor writes to: 5 to 9 of 28 (NovelAPIBench), and the same share of any other depth.

    Raises:
        UsageError: when a wanted layer is not there.
    """
    layers = sorted(set(wanted or (min(depth - 1, round(layer * depth / _DEPTH)) for layer in _EDITED)))
    if layers[0] < 0 or layers[-1] >= depth:
        raise UsageError(f"layers {list(layers)} are asked for, but the model has {depth} (0 to {depth - 1})")
    return tuple(layers)


def remembered_layer(depth: int, wanted: int | None = None) -> int:
    """The layer of a codebook: 24 of 28 (NovelAPIBench), and the same share of any other depth; see `edited_layers`."""
    if wanted is None:
        return min(depth - 1, round(_REMEMBERED * depth / _DEPTH))
    return edited_layers(depth, (wanted,))[0]


def module_of(model: nn.Module, name: str) -> nn.Module:
    """The module `name`.

    Raises:
        UsageError: when the model has none of that name.
    """
    try:
        return model.get_submodule(name)
    except AttributeError:
        raise UsageError(f"the model has no module {name}; name its layers with --module PART=NAME") from None


def turned(module: nn.Module, matrix: torch.Tensor) -> torch.Tensor:
    """From [outputs, inputs] to the way in which the module keeps its weights, or back: GPT-2 has them transposed."""
    return matrix.T if type(module).__name__ == "Conv1D" else matrix


def matrix_of(module: nn.Module) -> torch.Tensor:
    """The weights of a linear layer as [outputs, inputs], a view."""
    weight = module.weight
    assert isinstance(weight, torch.Tensor)
    return turned(module, weight)
