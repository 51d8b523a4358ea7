"""The answer of another release's text on an API of the new one: that it has it, that it lacks it, or nothing."""

from collections.abc import Sequence

from apigap.discovery.changes import NOT_BY_ITSELF, changes_between
from apigap.discovery.diff import is_marked
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
        self._read = [(c, _as_public(c.api_name, entry)) for c, entry in found if isinstance(entry, Entry)]
        self.candidates = [candidate for candidate, _ in self._read]
        self._classes = {entry.name: entry for entry in new.entries if entry.kind == "class"}
        self._new = new

    def in_release(self, surface: Surface) -> list[Answer]:
        """The answer for each candidate.

        An added API is present wherever its counterpart is, under whatever path; a moved one under its path of today;
        a changed one where none of its changes is still to come.
        """
        former, there = self._former(surface), _There(surface, self._new)
        return [_answer(candidate, entry, former.find(entry), there) for candidate, entry in self._read]

    @property
    def has_several_changes(self) -> bool:
        """True where a candidate has changed in more than one way: one of them may be written nowhere."""
        return any(len(_counted(candidate.changes)) > 1 for candidate in self.candidates)

    def shown_by(self, old: Surface) -> list[bool]:
        """Tell whether the text of the old release lacks every change of each candidate.

        What a running interpreter saw may be written nowhere. Of a single change, or of an added API, the search itself
        tells: it comes to a release that has it after one that has not.
        """
        former = self._former(old)
        return [_is_shown(_counted(candidate.changes), entry, former.find(entry)) for candidate, entry in self._read]

    def _former(self, surface: Surface) -> OldSurface:
        former = OldSurface(surface, self._new)
        owners = {entry.owner for _, entry in self._read if entry.owner}
        for name in sorted(owners & self._classes.keys()):
            former.find(self._classes[name])  # where a class was decides where its members are looked for
        return former


def _as_public(name: str, entry: Entry) -> Entry:
    """The entry under `name` and what else the library marks as public; what a module happens to import is left out."""
    return entry.model_copy(update={"paths": tuple(p for p in entry.paths if p == name or is_marked(p, entry))})


class _There:
    """Reasons why a release may have an API although its text shows no counterpart."""

    def __init__(self, surface: Surface, new: Surface) -> None:
        self._stubs = {entry.defined_in for entry in surface.entries if _is_stub(entry)}
        still = {path for entry in new.entries for path in entry.paths}
        self._elsewhere = {_likeness(entry) for entry in surface.entries if not still.intersection(entry.paths)}
        self._owners = {entry.name: entry for entry in new.entries if entry.kind == "class"}

    def may_have(self, entry: Entry) -> bool:
        """Check for compiled code, which without a stub is written nowhere, and for its like under a lost name."""
        if _is_stub(entry) and entry.defined_in not in self._stubs:
            return True
        whole = self._owners.get(entry.owner) if entry.owner else entry
        return whole is not None and bool(whole.parameters) and _likeness(whole) in self._elsewhere


def _likeness(entry: Entry) -> tuple[str, str, tuple[str, ...]] | None:
    """The name, kind and parameter names of a class or function; None of all else."""
    if entry.owner or not entry.parameters:
        return None
    return entry.leaf, entry.kind, tuple(parameter.name for parameter in entry.parameters)


def _answer(candidate: Candidate, entry: Entry, found: OldApi | Hidden | None, there: _There) -> Answer:
    if isinstance(found, str):
        return "unknown"
    if found is None:
        return "unknown" if there.may_have(entry) else "absent"
    if candidate.change == "modified":
        return _with_changes(candidate.changes, found.entry, entry)
    is_there = candidate.change == "added" or candidate.api_name in (found.path, *found.entry.paths)
    return "present" if is_there else "absent"


def _is_shown(changes: Sequence[Change], entry: Entry, found: OldApi | Hidden | None) -> bool:
    if len(changes) < 2:
        return True
    to_come = changes_between(found.entry, entry) if isinstance(found, OldApi) else ()
    return all(_is_among(change, to_come) for change in changes)


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
