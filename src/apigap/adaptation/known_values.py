"""Values in the cache: MEMIT and AlphaEdit seek the same ones, and an edit that was ended goes on from those it has."""

from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError
from torch import Tensor

from apigap.adaptation.edit import read_tensors, write_tensors
from apigap.adaptation.facts import Fact
from apigap.adaptation.values import Sought
from apigap.records.base import Json, content_hash
from apigap.records.errors import CorruptRecord

_SEARCH = 1  # to be raised when `seek_value` comes to others
_VALUE, _SOUGHT = "value", "sought"


class KnownValues:
    """Values by fact, each a file in `folder`, named by the fact and by `made_from`: weights, place and settings.

    Without a folder nothing is known, and nothing kept.
    """

    def __init__(self, folder: Path | None, *made_from: Json) -> None:
        """Know what is in the folder."""
        self._folder, self._made_from = folder, [_SEARCH, *made_from]

    def get(self, fact: Fact) -> tuple[Tensor, Sought] | None:
        """The fact's value, [width], and how its search ended; None where it is not known, or cannot be read."""
        path = self._path(fact)
        if path is None or not path.is_file():
            return None
        try:
            tensors, origin = read_tensors(path)
            return tensors[_VALUE], Sought.model_validate_json(origin[_SOUGHT])
        except (CorruptRecord, KeyError, ValidationError):
            return None

    def keep(self, fact: Fact, value: Tensor, sought: Sought) -> None:
        """Write a value in one step.

        Raises:
            InfrastructureError: when the disk is full.
        """
        path = self._path(fact)
        if path is not None:
            write_tensors(path, {_VALUE: value}, {_SOUGHT: sought.model_dump_json()})

    def _path(self, fact: Fact) -> Path | None:
        if self._folder is None:
            return None
        return self._folder / f"{content_hash([*self._made_from, asdict(fact)], 32)}.safetensors"
