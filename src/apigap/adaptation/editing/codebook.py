"""GRACE's codebook: keys, values, radii, and how they grow (Hartvigsen et al. 2023, arXiv:2211.11031)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from apigap.adaptation.editing.edit import read_tensors, write_tensors
from apigap.adaptation.editing.finite import require_finite
from apigap.records.errors import CorruptRecord, UsageError

_APART = 1e-5
_ROUNDING = 1e-5  # of a key's length: what a cache or a batch changes of the last digits


@dataclass
class Codebook:
    """`keys` [n, inputs], `values` [n, outputs], `radii` [n], and per key the `labels` of what was taught there.

    A label tells edits apart: those with the same label may share a key, others may not.
    """

    inputs: int
    outputs: int
    keys: Tensor = field(init=False)
    values: Tensor = field(init=False)
    radii: Tensor = field(init=False)
    labels: list[int] = field(default_factory=lambda: list[int]())

    def __post_init__(self) -> None:
        """Begin empty."""
        self.keys = torch.zeros(0, self.inputs)
        self.values = torch.zeros(0, self.outputs)
        self.radii = torch.zeros(0)

    def __len__(self) -> int:
        return len(self.labels)

    def nearest(self, queries: Tensor) -> tuple[Tensor, Tensor]:
        """Of each of [m, inputs] queries: the nearest key's number and its distance; there must be a key."""
        distances = torch.cdist(queries.float(), self.keys, compute_mode="donot_use_mm_for_euclid_dist")
        found = distances.min(1)
        return found.indices, found.values

    def look_up(self, queries: Tensor, untouched: Tensor) -> Tensor:
        """The value of the nearest key where a query lies within its radius, else the `untouched` output.

        Section 3.2, equation 1, for each token by itself; so what else is in the batch, or already in a cache, is
        without effect.
        """
        if not len(self):
            return untouched
        number, distance = self.nearest(queries.flatten(0, -2))
        hit = distance <= self.radii[number]
        chosen = torch.where(hit[:, None], self.values[number].to(untouched.dtype), untouched.flatten(0, -2))
        return chosen.view_as(untouched)

    def teach(self, key: Tensor, value: Tensor, label: int, radius: float) -> int:
        """Make room for an edit at `key` [inputs] and give the number of its entry (algorithm 1).

        Far from every key: a new entry. Near one with another label (their distance less than that key's radius and
        the new one together): a new entry too, and both have half their distance as radius, the old a little less.
        Near one with the same label: that entry, whose radius reaches the key, and what rounding makes of it. `value`
        begins a new entry.

        Raises:
            UsageError: when rounding alone could take the key for one with another label; all stays as it was.
        """
        if not len(self):
            return self._add(key, value, label, radius)
        numbers, distances = self.nearest(key[None])
        nearest, distance = int(numbers[0]), float(distances[0])
        if distance > float(self.radii[nearest]) + radius:
            return self._add(key, value, label, radius)
        rounding = _ROUNDING * float(key.float().square().sum()) ** 0.5
        if self.labels[nearest] != label:
            if distance / 2 <= max(_APART, rounding):
                raise UsageError(f"the keys are {distance:.2g} apart, no more than rounding makes of one")
            self.radii[nearest] = distance / 2 - _APART
            return self._add(key, value, label, distance / 2)
        self.radii[nearest] = max(float(self.radii[nearest]), distance + rounding)
        return nearest

    def save(self, path: Path, origin: dict[str, str]) -> None:
        """Write it as safetensors, in one step; see `Edit.save` for its errors."""
        tensors = self.tensors()
        require_finite("the codebook", (tensors["keys"], tensors["values"], tensors["radii"]))
        write_tensors(path, tensors, origin)

    @staticmethod
    def load(path: Path) -> tuple["Codebook", dict[str, str]]:
        """Read what `save` wrote, and its origin.

        Raises:
            CorruptRecord: when the file holds something else.
        """
        tensors, origin = read_tensors(path)
        try:
            return Codebook.from_tensors(tensors), origin
        except (KeyError, IndexError) as error:
            raise CorruptRecord(f"{path} is no codebook ({error}); make it again") from error

    def tensors(self) -> dict[str, Tensor]:
        """All that it holds, by name."""
        return {"keys": self.keys, "values": self.values, "radii": self.radii, "labels": torch.tensor(self.labels)}

    @staticmethod
    def from_tensors(tensors: Mapping[str, Tensor]) -> "Codebook":
        """The codebook of what `tensors` gave; raises KeyError or IndexError for anything else."""
        found = Codebook(tensors["keys"].shape[1], tensors["values"].shape[1])
        found.keys, found.values, found.radii = tensors["keys"], tensors["values"], tensors["radii"]
        found.labels = [int(label) for label in tensors["labels"]]
        return found

    def _add(self, key: Tensor, value: Tensor, label: int, radius: float) -> int:
        self.keys = torch.cat([self.keys, key.detach().float()[None]])
        self.values = torch.cat([self.values, value.detach().float()[None]])
        self.radii = torch.cat([self.radii, torch.tensor([radius])])
        self.labels.append(label)
        return len(self) - 1
