"""Signs of how much a candidate matters, each a number from 0 to 1, read from the release that brought it."""

import math
from collections.abc import Callable
from typing import NamedTuple

from apigap.discovery.evidence.changelog import is_distinctive
from apigap.discovery.importance.sources import Sources
from apigap.discovery.surface import Entry
from apigap.discovery.walk import INTERNAL
from apigap.records.candidate import DATA_KINDS, Candidate, Change

LONG_DOCSTRING = 2000
ROOMS = INTERNAL | {"backends", "compiler"}
"""Packages in which libraries keep machinery of their own."""
_WRITING = {"overload added", "parameters reordered", "kind changed", "return annotation changed"}


class Subject(NamedTuple):
    """A candidate, its entry in the new surface, and the sources of the release."""

    candidate: Candidate
    entry: Entry
    sources: Sources


def signs_of(subject: Subject) -> dict[str, float]:
    """The signs of a candidate by name, those that are not zero; see `SIGNS`."""
    values = {name: round(float(sign(subject)), 4) for name, sign in SIGNS.items()}
    return {name: value for name, value in values.items() if value}


def is_named(subject: Subject) -> bool:
    """Check that the changelog names the API under this series, or a directive says that it is of it."""
    return any(mention.in_series for mention in subject.candidate.mentions)


def is_in_room(subject: Subject) -> bool:
    """Check that no path to the API avoids the packages that a library keeps for its own machinery."""
    return all(ROOMS.intersection(path.split(".")[1:-1]) for path in subject.entry.paths)


def told(candidate: Candidate) -> list[Change]:
    """The changes that a caller meets: nothing of `**kwargs`, of forms of a stub, of defaults it did not write out."""
    packed = {parameter.name for parameter in candidate.parameters if parameter.kind == "var_keyword"}
    return [change for change in candidate.changes if not (change.parameter in packed or _is_writing(change))]


def _is_writing(change: Change) -> bool:
    return (
        change.what in _WRITING
        or (change.what == "parameter removed" and (change.old or "").startswith("**"))
        or (change.what == "default changed" and "..." in (change.old, change.new))
    )


def is_only_written(subject: Subject) -> bool:
    """Check that a changed API is called as before, as far as its changes tell."""
    return subject.candidate.change == "modified" and not told(subject.candidate)


def _is_passed_over(subject: Subject) -> bool:
    """The library writes a history of this series that names neither the API nor a parameter that changed."""
    candidate, sources = subject.candidate, subject.sources
    if not sources.documents.files["history"] or is_named(subject):
        return False
    leaf = (candidate.leaf,) if is_distinctive(candidate.leaf) else ()
    return not sources.history_names(candidate, (*leaf, *(change.parameter for change in told(candidate))))


def _length(subject: Subject) -> float:
    length = min(len(subject.candidate.docstring or ""), LONG_DOCSTRING)
    return math.log1p(length) / math.log1p(LONG_DOCSTRING)


def _is_bare_member(subject: Subject) -> bool:
    is_read = subject.candidate.kind in DATA_KINDS
    return subject.entry.owner is not None and not is_read and not (subject.candidate.docstring or "").strip()


def _is_changed_class(subject: Subject) -> bool:
    return subject.candidate.kind == "class" and subject.candidate.change == "modified"


SIGNS: dict[str, Callable[[Subject], float]] = {
    "has a docstring, the longer the better": _length,
    "is named in the changelog, or marked as of this series": is_named,
    "lies higher in the package than others": lambda subject: subject.sources.height(subject.entry),
    "is called in another way": lambda subject: bool(told(subject.candidate)),
    "is not named in the changelog": _is_passed_over,
    "overrides a member of a base class": lambda subject: bool(subject.sources.overridden(subject.entry)),
    "is a class that was there before": _is_changed_class,
    "is only written differently": is_only_written,
    "is a member without a docstring": _is_bare_member,
    "lies among the library's own machinery": is_in_room,
}
"""The signs, as reasons say them. The first four speak for a candidate, the others against it."""
