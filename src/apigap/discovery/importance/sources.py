"""The release as the rank of importance sees it: its surface and its documents, prepared for questions."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from apigap.discovery.evidence.directives import is_new
from apigap.discovery.evidence.documents import Documents
from apigap.discovery.surface import Entry
from apigap.records.candidate import Candidate


class Sources(NamedTuple):
    """The `entries` of the new surface by every path of theirs, and its `documents`.

    `depths` counts the public APIs by how many packages their shortest path goes through.
    """

    entries: dict[str, Entry]
    depths: Counter[int]
    documents: Documents

    @classmethod
    def of(cls, entries: Iterable[Entry], documents: Documents) -> "Sources":
        """The sources of a release."""
        known = list(entries)
        depths = Counter(depth_of(entry) for entry in known if entry.evidence)
        return cls({path: entry for entry in known for path in entry.paths}, depths, documents)

    def entry(self, candidate: Candidate) -> Entry:
        """The entry of `candidate`; a bare one where the surface has none by its name."""
        bare = Entry(name=candidate.api_name, kind=candidate.kind, paths=(candidate.api_name,))
        return self.entries.get(candidate.api_name, bare)

    def overridden(self, entry: Entry) -> str | None:
        """The member of a base class, in the library itself, that `entry` overrides; None where it overrides none."""
        owner = self.entries.get(entry.owner or "")
        names = (f"{base}.{entry.leaf}" for base in (owner.bases if owner else ()))
        return next((name for name in names if name in self.entries), None)

    def history_names(self, candidate: Candidate, names: tuple[str, ...]) -> bool:
        """Check that a line of the history, under a version of the candidate's series, marks one of `names` as code."""
        notes = self.documents.notes.about(names)
        return any(is_new(note.version, candidate.old_version, candidate.new_version) for note in notes)

    def height(self, entry: Entry) -> float:
        """The share, 0 to 1, of public APIs that lie deeper in the library than `entry`; ties count as half."""
        own = depth_of(entry)
        deeper = sum(count for depth, count in self.depths.items() if depth > own) + self.depths[own] / 2
        return deeper / max(1, self.depths.total())


def depth_of(entry: Entry) -> int:
    """The number of packages and modules on the shortest path to `entry`, or to the class that has it."""
    shortest = min(path.count(".") for path in entry.paths)
    return shortest - 1 if entry.owner else shortest
