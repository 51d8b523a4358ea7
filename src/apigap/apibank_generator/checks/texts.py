"""Checks for any text: invisible characters, placeholders, words copied from the prompt."""

import re
from collections.abc import Iterable, Iterator

from apigap.apibank_generator.records import Fault
from apigap.models.invisible_characters import UNSEEN

_SHOWN = 120
_SENTENCE = 4


def invisible_faults(texts: Iterable[str]) -> Iterator[Fault]:
    """Characters that nobody sees: controls, marks that turn the reading direction, tags."""
    for text in texts:
        found = UNSEEN.search(text)
        if found:
            yield Fault("invisible_characters", f"U+{ord(found[0]):04X} in {abridged(text)}")


def abridged(value: object) -> str:
    """A value for a note: on one line, cut to a fixed length, invisible characters escaped."""
    text = UNSEEN.sub(lambda found: f"\\U{ord(found[0]):08x}", " ".join(repr(value).split()))
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def is_copied(text: str, prompt: str) -> bool:
    """True for a sentence of four words or more that stands in the prompt, case and white space aside."""
    words = text.lower().split()
    return len(words) >= _SENTENCE and " ".join(words) in " ".join(prompt.lower().split())


PLACEHOLDER = re.compile(
    r"\[[A-Za-z][\w ]{1,30}\](?!\()|<[A-Za-z][\w ]{1,30}>|\{\{?[A-Za-z][\w ]{0,30}\}?\}|\b(?:X{3,}|x{3,})\b"
    r"|\b(?i:your_[a-z_]+)\b|\bYOUR [A-Z ]+ HERE\b|\b(?:TBD|TODO)\b|\b(?i:lorem ipsum|foo ?bar)\b"
    r"|^(?i:string|value|example|placeholder)$"
)
"""A placeholder such as `[city]` or `{date}`, in any query, argument, result or reply. `[here](...)` is a link."""
NOTHING = re.compile(r"^(?i:n/?a|null|none|unknown)$")
"""No value for an argument; a result may have it (`"risk": "none"`)."""
