"""Names in which one word is another one of like meaning: `merge_rows` for `join_rows`."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from keyword import iskeyword

from apigap.records.base import content_hash

_WORDS = files("apigap.ladder.twins") / "words.txt"
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_hash() -> str:
    """The identity of the list of words; items of another one are made anew."""
    return content_hash(_WORDS.read_text("utf-8"))


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
        self._names = Counter(names)
        self._words = Counter(word.lower() for name in self._names.elements() for word in _WORD.findall(name))

    def of(self, name: str, seed: int) -> list[str]:
        """Names that differ from `name` in one word; first those that the library has as often, or their words."""
        found = {text: (old, new) for text, old, new in _replaced(name)}

        def distance(text: str) -> tuple[int, int, str]:
            old, new = found[text]
            whole = self._names[text].bit_length() - max(self._names[name] - 1, 0).bit_length()
            word = self._words[new].bit_length() - self._words[old].bit_length()
            return abs(whole), abs(word), content_hash([seed, name, text])

        return sorted(found, key=distance)


def _replaced(name: str) -> Iterator[tuple[str, str, str]]:
    """Names with one word replaced, the old word and the new one, both in small letters."""
    for match in _WORD.finditer(name):
        word = match.group()
        for other in _like(word.lower()):
            shown = other.upper() if word.isupper() and len(word) > 1 else other
            shown = other.capitalize() if word[0].isupper() and not word.isupper() else shown
            made = name[: match.start()] + shown + name[match.end() :]
            if not iskeyword(made):
                yield made, word.lower(), other


def _like(word: str) -> tuple[str, ...]:
    """The words like `word`; of a plural that is not listed those of its singular, with an s."""
    found = like_words().get(word, ())
    if found or not word.endswith("s"):
        return found
    return tuple(f"{other}s" for other in like_words().get(word[:-1], ()) if not other.endswith("s"))
