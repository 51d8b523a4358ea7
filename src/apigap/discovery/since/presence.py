"""What the text of another release says of an API of the new one: that it has it, that it lacks it, or nothing."""

from collections.abc import Sequence

from apigap.discovery.changes import NOT_BY_ITSELF, changes_between
from apigap.discovery.old_surface import Hidden, OldApi, OldSurface
from apigap.discovery.since.search import Answer
from apigap.discovery.surface import Entry, Surface
from apigap.records.candidate import DATA_KINDS, Candidate, Change

_ARRIVES = ("parameter added", "parameter renamed")
_OF_THE_WHOLE = ("kind changed", "overload added", "parameters reordered")


class Presence:
    """Candidates whose text `new`, the surface of their release as text, has; others are read against it.

    `candidates` are those of the given ones that can be read so, in their order.
    """

    def __init__(self, candidates: Sequence[Candidate], new: Surface) -> None:
        own = OldSurface(new, new)
        found = [(candidate, own.at(candidate.api_name)) for candidate in candidates]
        self._read = [(candidate, entry) for candidate, entry in found if isinstance(entry, Entry)]
        self.candidates = [candidate for candidate, _ in self._read]
        self._classes = {entry.name: entry for entry in new.entries if entry.kind == "class"}
        self._new = new

    def in_release(self, surface: Surface) -> list[Answer]:
        """The answer for each candidate.

        An added API is present wherever its counterpart is, under whatever path; a moved one under its path of today;
        a changed one where none of its changes is still to come.
        """
        former, stubs = self._former(surface), {entry.defined_in for entry in surface.entries if _is_stub(entry)}
        return [_answer(candidate, entry, former.find(entry), stubs) for candidate, entry in self._read]

    def shown_by(self, old: Surface) -> list[bool]:
        """Whether the text of the old release shows each candidate as it is: lacking, or without any of its changes.

        What a running interpreter saw may be written nowhere.
        """
        former, stubs = self._former(old), {entry.defined_in for entry in old.entries if _is_stub(entry)}
        return [_is_shown(candidate, entry, former.find(entry), stubs) for candidate, entry in self._read]

    def _former(self, surface: Surface) -> OldSurface:
        former = OldSurface(surface, self._new)
        owners = {entry.owner for _, entry in self._read if entry.owner}
        for name in sorted(owners & self._classes.keys()):
            former.find(self._classes[name])  # where a class was decides where its members are looked for
        return former


def _answer(candidate: Candidate, entry: Entry, found: OldApi | Hidden | None, stubs: set[str | None]) -> Answer:
    if isinstance(found, str):
        return "unknown"
    if found is None:
        # compiled code without a stub is written nowhere
        return "absent" if not _is_stub(entry) or entry.defined_in in stubs else "unknown"
    if candidate.change == "modified":
        return _with_changes(candidate.changes, found.entry, entry)
    is_there = candidate.change == "added" or candidate.api_name in (found.path, *found.entry.paths)
    return "present" if is_there else "absent"


def _is_shown(candidate: Candidate, entry: Entry, found: OldApi | Hidden | None, stubs: set[str | None]) -> bool:
    if candidate.change != "modified" or not isinstance(found, OldApi):
        return _answer(candidate, entry, found, stubs) == "absent"
    to_come = changes_between(found.entry, entry)
    return all(_is_among(change, to_come) for change in _counted(candidate.changes))


def _with_changes(changes: Sequence[Change], former: Entry, entry: Entry) -> Answer:
    """Present where no change is still to come."""
    signatures = (former.parameters, entry.parameters)
    if entry.kind not in DATA_KINDS and (None in signatures or former.borrowed or entry.borrowed):
        return "unknown"
    to_come = changes_between(former, entry)
    return "absent" if any(_is_among(change, to_come) for change in _counted(changes)) else "present"


def _counted(changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if change.what not in NOT_BY_ITSELF]


def _is_among(change: Change, to_come: Sequence[Change]) -> bool:
    """Check for the same change; one of a parameter that itself is still to come is not there either."""
    if change.what in _OF_THE_WHOLE:
        return any(other.what == change.what for other in to_come)
    return any(
        other.parameter == change.parameter and (other.what == change.what or other.what in _ARRIVES)
        for other in to_come
    )


def _is_stub(entry: Entry) -> bool:
    return ".pyi:" in (entry.source or "")
