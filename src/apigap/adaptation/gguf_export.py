"""A GGUF file with some of its weights replaced, so that a changed model is served by the engine of its base.

Everything else is copied as it is: metadata, tokenizer, chat template and all other weights, quantised as they were.
New weights are written in half precision, which is finer than any quantisation that a local model here has.
"""

import os
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from apigap.adaptation.editing.closed_form import LowRank
from apigap.adaptation.editing.families import matrix_of, module_of
from apigap.adaptation.editing.finite import require_finite
from apigap.records.errors import UsageError
from apigap.records.store import disk_error

_COUNTS = 24
_HALF = 1  # GGML's number of the type F16


class _Part(NamedTuple):
    name: str
    shape: tuple[int, ...]
    type: int
    data: Any


def export_gguf(base: Path, target: Path, weights: Mapping[str, Tensor]) -> None:
    """Write `base` to `target` with `weights` [outputs, inputs], by the names of modules in transformers.

    Raises:
        UsageError: when a module is of no weight in the file, or a new weight is no number in half precision.
        InfrastructureError: when the disk is full; `target` is then as it was.
    """
    import gguf

    reader: Any = gguf.GGUFReader(base)
    new = {_gguf_name(reader, name): _arranged(reader, name, weight) for name, weight in weights.items()}
    parts = [_part(tensor, new.get(str(tensor.name))) for tensor in reader.tensors]
    metadata = reader.data[_COUNTS : reader.tensors[0].field.offset].tobytes()
    head = reader.data[: _COUNTS - 16].tobytes() + struct.pack("<QQ", len(parts), _fields(reader)) + metadata
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            for piece in _file(head, parts, int(reader.alignment)):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise disk_error(target, error) from error


def changed_weights(model: nn.Module, updates: Mapping[str, LowRank]) -> dict[str, Tensor]:
    """The weights [outputs, inputs] of a model as updates make them, by module."""
    return {
        name: (matrix_of(module_of(model, name)).detach().double() + update.dense().double()).float()
        for name, update in updates.items()
    }


def linear_weights(model: nn.Module) -> dict[str, Tensor]:
    """The weights [outputs, inputs] of all linear layers but the head, as they are: those that LoRA tunes."""
    whole: Any = model
    head: nn.Module = whole.get_output_embeddings()
    modules: Mapping[str, nn.Module] = dict(whole.named_modules())
    linear = {name: module for name, module in modules.items() if isinstance(module, nn.Linear) and module is not head}
    return {name: matrix_of(module).detach().float() for name, module in linear.items()}


def _file(head: bytes, parts: list[_Part], alignment: int) -> Iterator[bytes]:
    """The file piece by piece: counts and metadata, what each tensor is, the tensors, each from a multiple on."""
    offset, headers = 0, b""
    for part in parts:
        name = part.name.encode()
        headers += struct.pack("<Q", len(name)) + name + struct.pack("<I", len(part.shape))
        headers += struct.pack(f"<{len(part.shape)}Q", *part.shape) + struct.pack("<IQ", part.type, offset)
        offset += _padded(part.data.nbytes, alignment)
    yield head + headers + b"\0" * (_padded(len(head) + len(headers), alignment) - len(head) - len(headers))
    for part in parts:
        yield part.data.tobytes() + b"\0" * (_padded(part.data.nbytes, alignment) - part.data.nbytes)


def _padded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _part(tensor: Any, new: Any) -> _Part:
    shape = tuple(int(size) for size in tensor.shape)
    if new is None:
        return _Part(str(tensor.name), shape, int(tensor.tensor_type), tensor.data)
    with np.errstate(over="ignore"):
        half = new.astype(np.float16)
    require_finite(f"the weight of {tensor.name} in half precision", [torch.as_tensor(half)])
    return _Part(str(tensor.name), shape, _HALF, half)


def _fields(reader: Any) -> int:
    return int(reader.fields["GGUF.kv_count"].contents())


def _gguf_name(reader: Any, module: str) -> str:
    import gguf

    architecture = reader.fields["general.architecture"].contents()
    architectures = {name: kind for kind, name in gguf.MODEL_ARCH_NAMES.items()}
    blocks = int(reader.fields[f"{architecture}.block_count"].contents())
    found = gguf.get_tensor_name_map(architectures[architecture], blocks).get_name(f"{module}.weight", (".weight",))
    if found is None or found not in {tensor.name for tensor in reader.tensors}:
        raise UsageError(f"the GGUF file has no weight for {module}; only models of the registry can be exported")
    return found


def _arranged(reader: Any, module: str, weight: Tensor) -> Any:
    """The weight as GGUF keeps it: of llama models the halves of each query and key head are interleaved."""
    matrix = weight.numpy()
    projection = module.rpartition(".")[2]
    if reader.fields["general.architecture"].contents() != "llama" or projection not in ("q_proj", "k_proj"):
        return matrix
    heads = reader.fields[f"llama.attention.head_count{'_kv' if projection == 'k_proj' else ''}"].contents()
    return matrix.reshape(int(heads), 2, -1, matrix.shape[1]).swapaxes(1, 2).reshape(matrix.shape)
