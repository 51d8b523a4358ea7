"""Checks that every text goes through."""

import re
from collections.abc import Iterable, Iterator

from apigap.benchmarks.apibank_generator.records import Fault

_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]")
_SHOWN = 120
_SENTENCE = 4


def invisible(texts: Iterable[str]) -> Iterator[Fault]:
    """Control characters and marks that turn the reading direction."""
    for text in texts:
        found = _INVISIBLE.search(text)
        if found:
            yield Fault("invisible_characters", f"U+{ord(found[0]):04X} in {shown(text)}")


def shown(value: object) -> str:
    """A value for a note: on one line, not endless."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def is_copied(text: str, prompt: str) -> bool:
    """Whether a sentence of four words or more stands in the prompt as it is, but for case and white space."""
    words = text.lower().split()
    return len(words) >= _SENTENCE and " ".join(words) in " ".join(prompt.lower().split())
