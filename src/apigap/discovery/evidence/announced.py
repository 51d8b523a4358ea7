"""Evidence from the new release's own changelog: what it says came or went, by a dotted name, users were to know of."""

import re

from apigap.discovery.evidence.changelog import Note
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Evidence

WENT = re.compile(r"remov|renam|deprecat|replac|\bmov(?:ed|ing)\b|dropp|expire|delet|no longer|instead", re.IGNORECASE)
_CAME = re.compile(r"\bnew\b|\badd(?:s|ed)?\b|\bintroduc", re.IGNORECASE)


def with_announced(surface: Surface, mentions: Mentions, is_new: bool) -> Surface:
    """`surface` where an entry that nothing marks as public has a line of the changelog as evidence.

    The line writes the name with its class or module, and says that it went or, of the new release, that it came.
    """
    entries = [entry if entry.evidence else _announced(entry, mentions, is_new) for entry in surface.entries]
    return surface.model_copy(update={"entries": tuple(entries)})


def _announced(entry: Entry, mentions: Mentions, is_new: bool) -> Entry:
    told = (note for note in mentions.notes_about(entry) if _names(note, entry) and _tells(note, is_new))
    note = next(told, None)
    if note is None:
        return entry
    return entry.model_copy(update={"evidence": (Evidence(kind="documented", where=note.where),)})


def _names(note: Note, entry: Entry) -> bool:
    return any(name.endswith(f".{entry.leaf}") for name in note.names)


def _tells(note: Note, is_new: bool) -> bool:
    return bool(WENT.search(note.whole) or (is_new and _CAME.search(note.whole)))
