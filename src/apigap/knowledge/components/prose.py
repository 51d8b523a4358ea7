"""M_prose: how an API works, in words that its own release has, by one of three routes.

`paper` where the docstring names published work, `docstring` where it says enough by itself, else `source`: then the
structure of the implementation is described. What the release writes of this version's news comes last on every route.
"""

from pathlib import Path

from apigap.knowledge.components.definition import definition_of, docstring_of
from apigap.knowledge.components.narrative import narrative, whole_sentences
from apigap.knowledge.components.notes import notes_of
from apigap.knowledge.components.references import reference_list, references
from apigap.knowledge.components.sources import sources_of
from apigap.knowledge.components.structure import structure
from apigap.records.candidate import Candidate
from apigap.records.knowledge import Prose

ENOUGH = 120
"""A docstring's narrative of so many characters stands by itself."""


def mechanism(candidate: Candidate, site_packages: Path, sdist: Path | None, limit: int) -> Prose | None:
    """At most `limit` characters of whole sentences; None where the release says nothing at all.

    `provenance` names where each part comes from: `docstring`, the file of the source, the works, the changelog.
    """
    docstring = docstring_of(candidate, sources_of(site_packages))
    described = narrative(docstring)
    works = references(docstring)
    notes = notes_of(candidate, sdist)
    added: list[tuple[str, str]] = []
    if works:
        added += [(reference_list(works), f"paper: {', '.join(one.identifier or one.text for one in works)}")]
    if not works and len(described) < ENOUGH:
        found = definition_of(candidate, sources_of(site_packages))
        if found is not None and not found.module.is_stub and (text := structure(found)):
            added += [(text, f"source: {found.module.path}")]
    tier = "docstring" if not added else "paper" if works else "source"
    parts = _fitted([(described, "docstring"), *added, *notes], limit)
    if not parts:
        return None
    return Prose(text="\n".join(text for text, _ in parts), tier=tier, provenance=tuple(where for _, where in parts))


def _fitted(parts: list[tuple[str, str]], limit: int) -> list[tuple[str, str]]:
    """The parts that have text; the first one is cut so that the others have room, but keeps half of it."""
    (first, whence), *others = parts
    reserved = sum(len(text) + 1 for text, _ in others)
    kept = [(whole_sentences(first, max(limit - reserved, limit // 2)), whence)] if first else []
    room = limit - sum(len(text) + 1 for text, _ in kept)
    for text, where in others:
        short = whole_sentences(text, room) if room > 40 else ""
        if short:
            kept.append((short, where))
            room -= len(short) + 1
    return kept
