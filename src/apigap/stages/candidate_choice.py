"""Choice of the candidates that go on to stage 2, where a library has more than are wanted."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from apigap.discovery.importance.order import in_rank_order, why_later
from apigap.discovery.selection import select, text_of
from apigap.records.candidate import Candidate
from apigap.records.configuration import SelectionSettings
from apigap.retrieval.embedders import load_embedder

_NAMED = 5


def select_candidates(candidates: Sequence[Candidate], settings: SelectionSettings) -> list[Candidate]:
    """The candidates to go on with, by name: all of them unless `settings` has a cap.

    Moved APIs never become tasks; they are neither counted nor left out.
    """
    if not settings.on:
        return list(candidates)
    choose = _by_importance if settings.by == "importance" else _by_variety
    by_library: defaultdict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_library[candidate.library].append(candidate)
    kept: list[Candidate] = []
    for of_library in by_library.values():
        kept += choose([candidate for candidate in of_library if candidate.change != "moved"], settings)
        kept += [candidate for candidate in of_library if candidate.change == "moved"]
    return sorted(kept, key=lambda candidate: (candidate.library, candidate.api_name, candidate.change))


def left_out(candidates: Sequence[Candidate], kept: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that are not among those `kept`, those that matter most first."""
    names = {(candidate.library, candidate.api_name, candidate.change) for candidate in kept}
    return in_rank_order(c for c in candidates if (c.library, c.api_name, c.change) not in names)


def told_left_out(candidates: Sequence[Candidate]) -> str:
    """One line on candidates that were left out: how many for which reason, and the first of them by name."""
    reasons = ", ".join(f"{count} {reason}" for reason, count in Counter(map(why_later, candidates)).most_common())
    first = ", ".join(candidate.api_name for candidate in candidates[:_NAMED])
    more = ", ..." if len(candidates) > _NAMED else ""
    return (
        f"{len(candidates)} candidates are left out by the settings of `selection` ({reasons}), first {first}{more}; "
        "the file of stage 1 has them all"
    )


def _by_importance(candidates: Sequence[Candidate], settings: SelectionSettings) -> Iterator[Candidate]:
    taken: Counter[str] = Counter()
    caps = _caps(settings)
    for candidate in in_rank_order(candidates):
        is_full = bool(settings.per_library) and taken.total() >= settings.per_library
        if not is_full and taken[candidate.change] < caps.get(candidate.change, len(candidates)):
            taken[candidate.change] += 1
            yield candidate


def _by_variety(candidates: Sequence[Candidate], settings: SelectionSettings) -> list[Candidate]:
    vectors = load_embedder(settings.embedder).embed([text_of(candidate) for candidate in candidates])
    most, trade_off = settings.per_library, settings.trade_off
    return select(candidates, vectors, most=most, most_per_change=_caps(settings), trade_off=trade_off)


def _caps(settings: SelectionSettings) -> dict[str, int]:
    caps = {"added": settings.added, "modified": settings.modified}
    return {change: cap for change, cap in caps.items() if cap}
