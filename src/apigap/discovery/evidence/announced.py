"""Evidence from the new release's own changelog: what it says came or went, by a dotted name, users were to know of."""

import re

from apigap.discovery.evidence.changelog import Note
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.evidence.mentions import Mentions
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import Evidence

WENT = re.compile(r"remov|renam|deprecat|replac|\bmov(?:ed|ing)\b|dropp|expire|delet|no longer|instead", re.IGNORECASE)
_CAME = re.compile(r"\bnew\b|\badd(?:s|ed)?\b|\bintroduc", re.IGNORECASE)


def with_announced(old: Surface, new: Surface, documents: Documents) -> tuple[Surface, Surface]:
    """Both surfaces, where an entry that nothing marks as public has a line of the newer changelog as evidence.

    The line writes the name with its class or module, and says that it went or, of the new release, that it came.
    """
    mentions = Mentions((*old.entries, *new.entries), documents, old.version, new.version or "")
    return _with_notes(old, mentions, is_new=False), _with_notes(new, mentions, is_new=True)


def _with_notes(surface: Surface, mentions: Mentions, is_new: bool) -> Surface:
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
