"""Families: candidates that are one piece of news, such as the same new parameter on many methods."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

from apigap.records.candidate import Candidate

ALIKE = 3  # so many new members of one class that are called alike make a family, such as the visitors of a schema
SEVERAL = 2  # so many equal changes of two functions of a module are one decision; one may be chance
WIDE = 20  # a change of so many APIs is one decision on the library, such as a `backend` for every function
_OF_CLASSES = {"method", "classmethod", "staticmethod", "property", "field", "enum_member"}


def families_of(candidates: Sequence[Candidate]) -> list[int]:
    """The family of each candidate, as the position of its first member; the same set gives the same families."""
    head = list(range(len(candidates)))
    groups: defaultdict[tuple[Hashable, ...], list[int]] = defaultdict(list)
    wide = _changes_all_over(candidates)
    for place, candidate in enumerate(candidates):
        for key in _keys(candidate, wide):
            groups[key].append(place)
    for key, places in groups.items():
        if len(places) >= (ALIKE if key[0] == "called alike" else 2):
            first = min(_root(head, place) for place in places)
            for place in places:
                head[_root(head, place)] = first
    return [_root(head, place) for place in range(len(candidates))]


def _changes_all_over(candidates: Sequence[Candidate]) -> frozenset[tuple[str, str]]:
    counts = Counter(change for candidate in candidates for change in _changes(candidate))
    return frozenset(change for change, count in counts.items() if count >= WIDE)


def _changes(candidate: Candidate) -> frozenset[tuple[str, str]]:
    return frozenset((change.what, change.parameter) for change in candidate.changes)


def _keys(candidate: Candidate, wide: frozenset[tuple[str, str]]) -> Iterator[tuple[Hashable, ...]]:
    """Whatever two candidates share that makes them one piece of news; the first part says what it is."""
    is_member = candidate.kind in _OF_CLASSES
    owner = candidate.api_name.rpartition(".")[0]
    if candidate.change == "modified":
        changes = _changes(candidate) - wide
        if not changes and candidate.changes:
            yield ("change all over the library",)
            return
        yield "same change of the same name", candidate.leaf, changes
        if is_member or len(candidate.changes) >= SEVERAL:
            yield "same change in one class or module", owner, changes, candidate.kind
    elif is_member:
        yield "same member of several classes", candidate.change, candidate.leaf
        called = tuple((parameter.name, parameter.kind) for parameter in candidate.parameters)
        if candidate.change == "added" and called:
            yield "called alike", owner, called, candidate.return_type


def _root(head: list[int], place: int) -> int:
    while head[place] != place:
        place = head[place]
    return place
