"""Edits of a model's weights: made once, applied and reverted exactly, kept in small files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from apigap.adaptation.editing.closed_form import LowRank
from apigap.adaptation.editing.families import matrix_of, module_of, turned
from apigap.adaptation.editing.finite import require_finite
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.store import read_bytes, write_bytes

_LEFT, _RIGHT = ".left", ".right"


@dataclass(frozen=True)
class Edit:
    """Updates to add to the weights [outputs, inputs] of modules, by name; `origin` says how they were made.

    It holds nothing of the model that it was made on, so two edits never share anything.
    """

    updates: Mapping[str, LowRank]
    origin: Mapping[str, str] = field(default_factory=lambda: dict[str, str]())

    def save(self, path: Path) -> None:
        """Write it as safetensors, in one step.

        Raises:
            UsageError: when a value is no number.
            InfrastructureError: when the disk is full or the folder cannot be written.
        """
        tensors: dict[str, Tensor] = {}
        for name, update in self.updates.items():
            require_finite(f"the edit of {name}", update)
            tensors[name + _LEFT] = update.left.float()
            tensors[name + _RIGHT] = update.right.float()
        write_tensors(path, tensors, self.origin)

    @staticmethod
    def load(path: Path) -> "Edit":
        """Read what `save` wrote.

        Raises:
            CorruptRecord: when the file holds something else.
        """
        tensors, origin = read_tensors(path)
        names = sorted({name.removesuffix(_LEFT) for name in tensors if name.endswith(_LEFT)})
        try:
            updates = {name: LowRank(tensors[name + _LEFT], tensors[name + _RIGHT]) for name in names}
        except KeyError as error:
            raise CorruptRecord(f"{path} is no edit: it lacks {error}; make it again") from error
        return Edit(updates, origin)


def write_tensors(path: Path, tensors: Mapping[str, Tensor], origin: Mapping[str, str]) -> None:
    """Write a safetensors file in one step; the same content gives the same bytes.

    The library itself writes `origin`, the header's metadata, in a random order.

    Raises:
        InfrastructureError: when the disk is full or the folder cannot be written.
    """
    from safetensors.torch import save

    data = save({name: tensor.contiguous() for name, tensor in tensors.items()})
    begin = 8 + int.from_bytes(data[:8], "little")
    header = json.dumps({"__metadata__": dict(sorted(origin.items())), **json.loads(data[8:begin])}).encode()
    header += b" " * (-len(header) % 8)
    write_bytes(path, len(header).to_bytes(8, "little") + header + data[begin:])


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors of a safetensors file, and what it says of them.

    Raises:
        CorruptRecord: when it is not one.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load

    data = read_bytes(path)
    try:
        tensors = load(data)
        header: Any = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        return tensors, dict(header.get("__metadata__", {}))
    except (SafetensorError, ValueError) as error:
        raise CorruptRecord(f"{path} is no safetensors file ({error}); make it again") from error


class Applied:
    """An edit on a model, until `revert`; as a context manager it is taken off at the end.

    Reverting puts back the very weights that were there: the same bits, which a subtraction would not give.
    """

    def __init__(self, model: nn.Module, edit: Edit) -> None:
        """Put the edit on.

        Raises:
            UsageError: when the model has other layers, or the edit would make weights that are no numbers; the model
                is then as it was.
        """
        self._model = model
        after = {name: _edited(model, name, update) for name, update in edit.updates.items()}
        self._before = {name: _weight(model, name).detach().clone() for name in after}
        self._after = after
        self._write(after)

    def revert(self) -> None:
        """Take the edit off.

        Raises:
            UsageError: when the weights have been changed since; what was put on last comes off first.
        """
        for name, weight in self._after.items():
            if not torch.equal(_weight(self._model, name), weight):
                raise UsageError(f"{name} has been changed since this edit; revert later edits first")
        self._write(self._before)
        self._before, self._after = {}, {}

    def __enter__(self) -> "Applied":
        return self

    def __exit__(self, *_: object) -> None:
        self.revert()

    def _write(self, weights: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            for name, weight in weights.items():
                _weight(self._model, name).copy_(weight)


def _weight(model: nn.Module, name: str) -> Tensor:
    weight = module_of(model, name).weight
    assert isinstance(weight, Tensor)
    return weight


def _edited(model: nn.Module, name: str, update: LowRank) -> Tensor:
    """The weight as the edit makes it, in the layout and precision of the module."""
    module = module_of(model, name)
    matrix = matrix_of(module).detach()
    if matrix.shape != (update.left.shape[0], update.right.shape[1]):
        raise UsageError(
            f"the edit of {name} is {update.left.shape[0]} x {update.right.shape[1]}, the model's weight "
            f"{matrix.shape[0]} x {matrix.shape[1]}: it was made for another model"
        )
    edited = (matrix.double() + update.left.double() @ update.right.double()).to(matrix.dtype)
    require_finite(f"the edit of {name}", [edited])
    return turned(module, edited)
