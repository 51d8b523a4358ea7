"""Hashes of the starter benchmark's bundles, because the bundles themselves are not shipped."""

from apigap.records.base import Record


class ReleaseLock(Record):
    """The bundles of one release: `bundles` maps an API to its bundle's hash.

    `knowledge` is the hash of the code that made them: other code may well make others.
    """

    library: str
    version: str
    old_version: str | None
    knowledge: str
    bundles: dict[str, str]


class BundleLock(Record):
    """One entry per library, sorted by name."""

    releases: tuple[ReleaseLock, ...] = ()

    def of(self, library: str) -> ReleaseLock | None:
        """The entry of `library`, if there is one."""
        return next((release for release in self.releases if release.library == library), None)

    def replaced(self, release: ReleaseLock) -> "BundleLock":
        """This lock with another entry for the library of `release`."""
        others = [other for other in self.releases if other.library != release.library]
        return BundleLock(releases=tuple(sorted((*others, release), key=lambda entry: entry.library)))
