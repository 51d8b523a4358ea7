"""What is told to the user of his own APIs: what was left out, and where a document could not be followed."""

from collections import Counter
from typing import Literal, get_args

NoteKind = Literal["apis_left_out", "parameters_left_out", "cycles_cut", "references_not_read"]
_KINDS: tuple[NoteKind, ...] = get_args(NoteKind)


class Notes:
    """Notes in their order, each once; `where` stands before each of them."""

    def __init__(self, where: str = "") -> None:
        self._where = where
        self._kinds: dict[str, NoteKind] = {}

    def add(self, kind: NoteKind, text: str) -> None:
        """Tell of one thing; what was told already is not told again."""
        self._kinds.setdefault(f"{self._where}: {text}" if self._where else text, kind)

    def take(self, others: "Notes") -> None:
        """Add the notes of `others`."""
        self._kinds |= others._kinds

    @property
    def texts(self) -> list[str]:
        """The notes, as sentences."""
        return list(self._kinds)

    @property
    def counts(self) -> dict[NoteKind, int]:
        """How many notes there are of each kind, of none too."""
        found = Counter(self._kinds.values())
        return {kind: found[kind] for kind in _KINDS}
