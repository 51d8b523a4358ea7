"""Results of value searches on disk, so that an edit that was ended goes on, and methods share what both need."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from torch import Tensor

from apigap.adaptation.editing.edit import read_tensors, write_tensors
from apigap.adaptation.editing.facts import Fact
from apigap.adaptation.editing.value_search import ValueSearch
from apigap.records.base import Json, content_hash
from apigap.records.errors import CorruptRecord
from apigap.records.paths import exclusive

Found = tuple[Tensor, ValueSearch]
_SEARCH = 1  # to be raised when `seek_value` comes to others
_VALUE, _SOUGHT = "value", "sought"


@dataclass
class ValueCache:
    """Values by fact, each a file in `folder`, and how many had to be `sought` so far since they were not in it.

    Without a folder nothing is known, and nothing kept.
    """

    folder: Path | None = None
    sought: int = 0

    def get(self, fact: Fact, made_from: Sequence[Json], seek: Callable[[], Found]) -> Found:
        """The fact's value, [width], and how its search ended: as known, else what `seek` finds, which is then kept.

        The file is named by the fact and by `made_from`: weights, place and settings. Of two commands that want the
        same value at once one seeks it, and the other waits.

        Raises:
            InfrastructureError: when the disk is full.
        """
        if self.folder is None:
            return seek()
        path = self.folder / f"{content_hash([_SEARCH, *made_from, asdict(fact)], 32)}.safetensors"
        with exclusive(path.with_suffix(".lock")):
            found = _read(path)
            if found is None:
                found = seek()
                write_tensors(path, {_VALUE: found[0]}, {_SOUGHT: found[1].model_dump_json()})
                self.sought += 1
        return found


def _read(path: Path) -> Found | None:
    """The value in a file; None where there is none, or it cannot be read."""
    if not path.is_file():
        return None
    try:
        tensors, origin = read_tensors(path)
        return tensors[_VALUE], ValueSearch.model_validate_json(origin[_SOUGHT])
    except (CorruptRecord, KeyError, ValidationError):
        return None


_SEARCHES = TypeAdapter(list[ValueSearch])


class PartialRun:
    """`tensors` as the facts done so far have left them, and in `searches` how the search for each of those ended.

    `made_from` tells settings and facts; what was made from others is not gone on with. Without a path nothing is kept.
    """

    def __init__(self, path: Path | None = None, made_from: str = "") -> None:
        """Go on with what is at `path`."""
        self._path, self._made_from = path, made_from
        self.tensors: dict[str, Tensor] = {}
        self.searches: list[ValueSearch] = []
        if path is not None and path.is_file():
            self._go_on(path)

    def keep(self, tensors: Mapping[str, Tensor], sought: ValueSearch) -> None:
        """Add what one more fact has come to, and write all of it in one step.

        Raises:
            InfrastructureError: when the disk is full; what was kept before is still there.
        """
        self.tensors.update(tensors)
        self.searches.append(sought)
        if self._path is not None:
            origin = {"made_from": self._made_from, "told": _SEARCHES.dump_json(self.searches).decode()}
            write_tensors(self._path, self.tensors, origin)

    def _go_on(self, path: Path) -> None:
        try:
            tensors, origin = read_tensors(path)
            searches = _SEARCHES.validate_json(origin.get("told", "[]"))
        except (CorruptRecord, ValidationError):
            return
        if origin.get("made_from") == self._made_from:
            self.tensors, self.searches = tensors, searches
