"""Names in which one word is another one of like meaning: `merge_rows` for `join_rows`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from keyword import iskeyword

from apigap.ladder.twins.plausible import WORD, Plausible, frequencies_hash
from apigap.records.base import content_hash

_WORDS = files("apigap.ladder.twins") / "words.txt"


@dataclass(frozen=True)
class Beside:
    """The words that stand near a name: near the true one, and in the twin."""

    true: Collection[str]
    twin: Collection[str]


NOTHING = Beside((), ())


def words_hash() -> str:
    """The identity of the lists that twins are made from; items of other ones are made anew."""
    return content_hash([_WORDS.read_text("utf-8"), frequencies_hash()])


@cache
def like_words() -> Mapping[str, tuple[str, ...]]:
    """The words that may stand for a word, by it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in _WORDS.read_text("utf-8").splitlines():
        group = [] if line.startswith("#") else line.split()
        for word in group:
            found[word].update(other for other in group if other != word)
    return {word: tuple(sorted(others)) for word, others in found.items()}


class OtherNames:
    """The names that may stand for one of a library, whose `names` may come more than once."""

    def __init__(self, names: Iterable[str]) -> None:
        self._plausible = Plausible(names)

    def of(self, name: str, seed: int, beside: Beside = NOTHING, own: int = 0) -> list[str]:
        """Names that differ from `name` in one word; first those that are about as plausible at its place.

        `own` is how often `name` is counted for itself.
        """
        true = self._plausible.at(name, beside.true, own)

        def distance(text: str) -> tuple[float, str]:
            other = self._plausible.at(text, beside.twin)
            return round(true.distance(other), 6), content_hash([seed, name, text])

        return sorted(set(_replaced(name)), key=distance)

    def as_frequent(self, name: str) -> str | None:
        """The first of these names that is found as often as `name`, in libraries and word by word; else None."""
        true = self._plausible.at(name, ())
        fitting = (other for other in self.of(name, 0) if true.is_close(self._plausible.at(other, ())))
        return next(fitting, None)


def _replaced(name: str) -> Iterator[str]:
    """Names with one word replaced."""
    for match in WORD.finditer(name):
        word = match.group()
        for other in _like(word.lower()):
            shown = other.upper() if word.isupper() and len(word) > 1 else other
            shown = other.capitalize() if word[0].isupper() and not word.isupper() else shown
            made = name[: match.start()] + shown + name[match.end() :]
            if not iskeyword(made):
                yield made


def _like(word: str) -> tuple[str, ...]:
    """The words like `word`; of a plural that is not listed those of its singular, with an s."""
    found = like_words().get(word, ())
    if found or not word.endswith("s"):
        return found
    return tuple(_plural(other) for other in like_words().get(word[:-1], ()) if not other.endswith("s"))


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("x", "ch", "sh")) else f"{word}s"
