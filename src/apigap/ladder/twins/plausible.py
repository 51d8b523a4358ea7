"""How plausible a name is at its place: how many libraries have it, how often this one does, and what stands beside it.

The counts are a list in the package (`frequencies.txt`), which `tools.ladder.frequencies` makes.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from apigap.records.base import content_hash

_FILE = files("apigap.ladder.twins") / "frequencies.txt"
CLOSE = 1.6
"""The difference of two logarithms (of 2) below which names count as equally frequent."""
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


class Plausibility(NamedTuple):
    """The logarithms of how many libraries have a name, of how often this one does, and the same of its words there.

    `seen` is that of words in this library. A word counts where it stands in a name: `max` begins many and ends few.
    `fit` is the share of its words that stand beside it.
    """

    libraries: float
    own: float
    words: float
    seen: float
    fit: float

    def distance(self, other: "Plausibility") -> float:
        """The sum of all differences."""
        return sum(abs(a - b) for a, b in zip(self, other, strict=True))

    def is_close(self, other: "Plausibility") -> bool:
        """True where the name and its words are about as frequent in many libraries."""
        return max(abs(self.libraries - other.libraries), abs(self.words - other.words)) <= CLOSE


class Plausible:
    """Tells how plausible names are in a library, whose `names` come as often as it has them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = Counter(names)
        self._words = Counter(word for name in self._names.elements() for word in placed_words(name))

    def at(self, name: str, beside: Collection[str], own: int = 0) -> Plausibility:
        """The plausibility of `name` where the words `beside` stand near it; `own` is how often it counts itself."""
        words, placed = words_of(name), placed_words(name)
        listed, listed_words = frequencies()
        return Plausibility(
            libraries=_magnitude(listed.get(name.lower(), 0)),
            own=_magnitude(self._names[name] - own),
            words=_mean(_magnitude(listed_words.get(word, 0)) for word in placed),
            seen=_mean(_magnitude(self._words[word] - own) for word in placed),
            fit=_mean(float(word in beside) for word in words),
        )


@cache
def frequencies() -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The number of libraries that have a name among their parameters, by name; and of words in such names."""
    names: dict[str, int] = {}
    words: dict[str, int] = {}
    for line in _FILE.read_text("utf-8").splitlines():
        count, *listed = line.split()
        if count != "#":
            (words if count.startswith("*") else names).update(dict.fromkeys(listed, int(count.strip("*"))))
    return names, words


def frequencies_hash() -> str:
    """The identity of the list."""
    return content_hash(_FILE.read_text("utf-8"))


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters."""
    return [word.lower() for word in WORD.findall(name)]


def placed_words(name: str) -> list[str]:
    """The words of a name with their places: `max_`, `_body_` and `_size`; a single one as it is."""
    words = words_of(name)
    last = len(words) - 1
    return [f"{'_' if place else ''}{word}{'_' if place < last else ''}" for place, word in enumerate(words)]


def _magnitude(count: int) -> float:
    return math.log2(1 + max(count, 0))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0
