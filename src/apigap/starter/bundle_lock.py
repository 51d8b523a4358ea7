"""Hashes of the starter benchmark's bundles, because the bundles themselves are not shipped."""

from apigap.records.base import Record


class ReleaseLock(Record):
    """The bundles of one library in one edition: `bundles` maps an API to its bundle's hash.

    `knowledge` is the hash of the code that made them: other code may well make others.
    """

    edition: str
    library: str
    version: str
    old_version: str | None
    knowledge: str
    bundles: dict[str, str]


class BundleLock(Record):
    """One entry per edition and library, sorted by them."""

    releases: tuple[ReleaseLock, ...] = ()

    def of(self, edition: str, library: str) -> ReleaseLock | None:
        """The entry of a library in an edition, if there is one."""
        return next((one for one in self.releases if (one.edition, one.library) == (edition, library)), None)

    def replaced(self, release: ReleaseLock) -> "BundleLock":
        """This lock with another entry for `release`."""
        own = self.of(release.edition, release.library)
        others = [one for one in self.releases if one is not own]
        return BundleLock(releases=tuple(sorted((*others, release), key=lambda one: (one.edition, one.library))))
