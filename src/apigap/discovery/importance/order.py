"""The order in which candidates are shown and asked: heads of families by score, then their members, then the minor."""

from collections.abc import Iterable

from apigap.records.candidate import Candidate


def in_rank_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The `candidates`, first what matters most; the same set gives the same order.

    Without importance, as in files from before there was a rank, they come last, by name.
    """
    return sorted(candidates, key=lambda candidate: (_tier(candidate), *by_itself(candidate)))


def by_itself(candidate: Candidate) -> tuple[bool, float, str, str]:
    """The key by which candidates are compared whatever their families: minor ones last, else by score and name."""
    importance = candidate.importance
    is_minor, score = (bool(importance.minor), importance.score) if importance else (True, 0.0)
    return (is_minor, -score, candidate.api_name, candidate.change)


def stands_for_family(candidate: Candidate) -> bool:
    """Check that a candidate is neither minor nor told by another member of its family."""
    return _tier(candidate) == 0


def _tier(candidate: Candidate) -> int:
    importance = candidate.importance
    if importance is None or importance.minor:
        return 2 if importance else 3
    return 0 if importance.family == candidate.api_name else 1


def why_later(candidate: Candidate) -> str:
    """The reason why a candidate comes after others, in words that go with a number of such."""
    importance = candidate.importance
    if importance is None:
        return "without a rank, from a file that is older than the rank"
    if importance.minor:
        return f"minor: {importance.minor}"
    return "of lower rank" if importance.family == candidate.api_name else "told by another member of their family"
