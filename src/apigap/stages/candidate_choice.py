"""Choice of the candidates that go on to stage 2, where a library has more than are wanted."""

from collections import defaultdict
from collections.abc import Sequence

from apigap.discovery.selection import select, text_of
from apigap.records.candidate import Candidate
from apigap.records.configuration import SelectionSettings
from apigap.retrieval.embedder import Embedder
from apigap.retrieval.embedders import load_embedder


def select_candidates(candidates: Sequence[Candidate], settings: SelectionSettings) -> list[Candidate]:
    """The candidates to go on with, by name: all of them unless `settings` has a cap.

    Moved APIs never become tasks; they are neither counted nor left out.
    """
    if not settings.on:
        return list(candidates)
    embedder = load_embedder(settings.embedder)
    by_library: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_library[candidate.library].append(candidate)
    kept = [kept for of_library in by_library.values() for kept in _of_library(of_library, settings, embedder)]
    return sorted(kept, key=lambda candidate: (candidate.library, candidate.api_name, candidate.change))


def _of_library(candidates: Sequence[Candidate], settings: SelectionSettings, embedder: Embedder) -> list[Candidate]:
    chosen = [candidate for candidate in candidates if candidate.change != "moved"]
    caps = {"added": settings.added, "modified": settings.modified}
    vectors = embedder.embed([text_of(candidate) for candidate in chosen])
    most_per_change = {change: cap for change, cap in caps.items() if cap}
    kept = select(
        chosen, vectors, most=settings.per_library, most_per_change=most_per_change, trade_off=settings.trade_off
    )
    return [*kept, *(candidate for candidate in candidates if candidate.change == "moved")]
