"""The rank of the candidates of one release: a score from signs, families with one head, and what is minor."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from apigap.discovery.evidence.documents import Documents
from apigap.discovery.importance.families import families_of
from apigap.discovery.importance.minor import minor_reason
from apigap.discovery.importance.order import by_itself
from apigap.discovery.importance.signs import Subject, signs_of
from apigap.discovery.importance.sources import Sources
from apigap.discovery.importance.weights import INTERCEPT, WEIGHTS
from apigap.discovery.surface import Entry
from apigap.records.candidate import Candidate, Importance

_REASONS = 4
_LITTLE = 0.15  # what moves the score by less is no reason


def with_importance(candidates: Sequence[Candidate], entries: Iterable[Entry], documents: Documents) -> list[Candidate]:
    """The `candidates` in their order, each with its importance; `entries` are those of the new surface."""
    sources = Sources.of(entries, documents)
    judged = [judge(Subject(candidate, sources.entry(candidate), sources)) for candidate in candidates]
    ranked = [
        candidate.model_copy(update={"importance": importance})
        for candidate, importance in zip(candidates, judged, strict=True)
    ]
    heads = _heads(ranked)
    return [
        candidate.model_copy(update={"importance": judged[place].model_copy(update={"family": heads[place]})})
        for place, candidate in enumerate(ranked)
    ]


def judge(subject: Subject) -> Importance:
    """The importance of one candidate by itself: its family has no other member."""
    parts = {name: value * WEIGHTS[name] for name, value in signs_of(subject).items()}
    total = INTERCEPT + sum(parts.values())
    strongest = sorted((name for name in parts if abs(parts[name]) >= _LITTLE), key=lambda name: -abs(parts[name]))
    return Importance(
        score=round(1 / (1 + math.exp(-total)), 3),
        reasons=tuple(f"{'+' if parts[name] > 0 else '-'} {name}" for name in strongest[:_REASONS]),
        family=subject.candidate.api_name,
        minor=minor_reason(subject),
    )


def _heads(candidates: Sequence[Candidate]) -> list[str]:
    """The name of the member that stands for each candidate's family: the one that comes first by itself."""
    families = families_of(candidates)
    members: defaultdict[int, list[Candidate]] = defaultdict(list)
    for family, candidate in zip(families, candidates, strict=True):
        members[family].append(candidate)
    first = {family: min(of_family, key=by_itself).api_name for family, of_family in members.items()}
    return [first[family] for family in families]
