"""Values in the cache: MEMIT and AlphaEdit seek the same ones, and an edit that was ended goes on from those it has."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ValidationError
from torch import Tensor

from apigap.adaptation.editing.edit import read_tensors, write_tensors
from apigap.adaptation.editing.facts import Fact
from apigap.adaptation.editing.values import Sought
from apigap.records.base import Json, content_hash
from apigap.records.errors import CorruptRecord
from apigap.records.paths import exclusive

Found = tuple[Tensor, Sought]
_SEARCH = 1  # to be raised when `seek_value` comes to others
_VALUE, _SOUGHT = "value", "sought"


@dataclass
class Kept:
    """A folder of values, and how many had to be `sought` so far since they were not in it."""

    folder: Path
    sought: int = 0


class KnownValues:
    """Values by fact, each a file in the folder, named by the fact and by `made_from`: weights, place and settings.

    Without a folder nothing is known, and nothing kept.
    """

    def __init__(self, kept: Kept | None, *made_from: Json) -> None:
        """Know what is in the folder."""
        self._kept, self._made_from = kept, [_SEARCH, *made_from]

    def get(self, fact: Fact, seek: Callable[[], Found]) -> Found:
        """The fact's value, [width], and how its search ended: as known, else what `seek` finds, which is then kept.

        Of two commands that want the same value at once one seeks it, and the other waits.

        Raises:
            InfrastructureError: when the disk is full.
        """
        if self._kept is None:
            return seek()
        path = self._kept.folder / f"{content_hash([*self._made_from, asdict(fact)], 32)}.safetensors"
        with exclusive(path.with_suffix(".lock")):
            found = _read(path)
            if found is None:
                found = seek()
                write_tensors(path, {_VALUE: found[0]}, {_SOUGHT: found[1].model_dump_json()})
                self._kept.sought += 1
        return found


def _read(path: Path) -> Found | None:
    """What is kept there; None where nothing is, or it cannot be read."""
    if not path.is_file():
        return None
    try:
        tensors, origin = read_tensors(path)
        return tensors[_VALUE], Sought.model_validate_json(origin[_SOUGHT])
    except (CorruptRecord, KeyError, ValidationError):
        return None
