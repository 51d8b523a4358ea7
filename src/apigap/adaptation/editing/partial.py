"""What a run over many facts has come to, on disk after each of them, so that one that was ended goes on."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from torch import Tensor

from apigap.adaptation.editing.edit import read_tensors, write_tensors
from apigap.adaptation.editing.values import Sought
from apigap.records.errors import CorruptRecord

_SEARCHES = TypeAdapter(list[Sought])


class Partial:
    """`tensors` as the facts done so far have left them, and in `told` how the search for each of those ended.

    `made_from` tells settings and facts; what was made from others is not gone on with. Without a path nothing is kept.
    """

    def __init__(self, path: Path | None = None, made_from: str = "") -> None:
        """Go on with what is at `path`."""
        self._path, self._made_from = path, made_from
        self.tensors: dict[str, Tensor] = {}
        self.told: list[Sought] = []
        if path is not None and path.is_file():
            self._go_on(path)

    def keep(self, tensors: Mapping[str, Tensor], sought: Sought) -> None:
        """Add what one more fact has come to, and write all of it in one step.

        Raises:
            InfrastructureError: when the disk is full; what was kept before is still there.
        """
        self.tensors.update(tensors)
        self.told.append(sought)
        if self._path is not None:
            origin = {"made_from": self._made_from, "told": _SEARCHES.dump_json(self.told).decode()}
            write_tensors(self._path, self.tensors, origin)

    def _go_on(self, path: Path) -> None:
        try:
            tensors, origin = read_tensors(path)
            told = _SEARCHES.validate_json(origin.get("told", "[]"))
        except (CorruptRecord, ValidationError):
            return
        if origin.get("made_from") == self._made_from:
            self.tensors, self.told = tensors, told
