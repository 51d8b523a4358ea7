"""Checks that every text goes through."""

import re
from collections.abc import Iterable, Iterator

from apigap.benchmarks.apibank_generator.records import Fault

# Controls (but tab and line feed), soft hyphens, marks that turn the reading direction or join and part words, lines'
# own ends, lone surrogates, and the tags and selectors that can carry words which nobody sees.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)
_SHOWN = 120
_SENTENCE = 4


def invisible(texts: Iterable[str]) -> Iterator[Fault]:
    """Characters that nobody sees: controls, marks that turn the reading direction, tags."""
    for text in texts:
        found = _INVISIBLE.search(text)
        if found:
            yield Fault("invisible_characters", f"U+{ord(found[0]):04X} in {shown(text)}")


def shown(value: object) -> str:
    """A value for a note: on one line, not endless, nothing in it that is not seen."""
    text = _INVISIBLE.sub(lambda found: f"\\U{ord(found[0]):08x}", " ".join(repr(value).split()))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def is_copied(text: str, prompt: str) -> bool:
    """Whether a sentence of four words or more stands in the prompt as it is, but for case and white space."""
    words = text.lower().split()
    return len(words) >= _SENTENCE and " ".join(words) in " ".join(prompt.lower().split())
