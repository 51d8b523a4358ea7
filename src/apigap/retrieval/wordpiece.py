"""BERT's uncased tokeniser: clean, split at punctuation, then the longest known pieces from the left."""

import unicodedata
from collections.abc import Iterator, Sequence

_LONGEST_WORD = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F), (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """Token numbers of texts, by BERT's rules (Devlin et al. 2018; Wu et al. 2016 for the pieces).

    `vocabulary` has one token per line number, `##` before those that go on inside a word.
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._number = {token: number for number, token in enumerate(vocabulary)}
        self._unknown = self._number["[UNK]"]

    def numbers(self, text: str, most: int) -> list[int]:
        """`[CLS]`, the pieces of `text`, `[SEP]`: at most `most` numbers in all."""
        pieces: list[int] = []
        for word in _words(text):
            if len(pieces) >= most - 2:
                break
            pieces += self._pieces(word)
        return [self._number["[CLS]"], *pieces[: most - 2], self._number["[SEP]"]]

    def count(self, text: str) -> int:
        """The number of tokens of a text of any length."""
        return 2 + sum(len(self._pieces(word)) for word in _words(text))

    def _pieces(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._number), None)
            if end is None:
                return [self._unknown]
            found.append(self._number[mark + word[start:end]])
            start = end
        return found


def _words(text: str) -> Iterator[str]:
    """Lower-case words without accents; every mark of punctuation and every ideograph is a word of its own."""
    plain = unicodedata.normalize("NFD", "".join(_cleaned(text)).lower())
    for chunk in plain.split():
        word = ""
        for character in chunk:
            if unicodedata.category(character) == "Mn":
                continue
            if _is_punctuation(character):
                if word:
                    yield word
                yield character
                word = ""
            else:
                word += character
        if word:
            yield word


def _cleaned(text: str) -> Iterator[str]:
    for character in text:
        if character in "\t\n\r" or unicodedata.category(character) == "Zs":
            yield " "
        elif character in "\0\ufffd" or unicodedata.category(character).startswith("C"):
            continue
        elif _is_ideograph(ord(character)):
            yield f" {character} "
        else:
            yield character


def _is_punctuation(character: str) -> bool:
    """All ASCII that is neither letter, digit nor space counts, `$` and `^` too."""
    ascii_mark = character.isascii() and not character.isalnum() and not character.isspace()
    return ascii_mark or unicodedata.category(character).startswith("P")


def _is_ideograph(number: int) -> bool:
    return any(first <= number <= last for first, last in _IDEOGRAPHS)
