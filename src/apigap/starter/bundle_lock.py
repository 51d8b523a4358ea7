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
    """One entry per release, sorted by library and version."""

    releases: tuple[ReleaseLock, ...] = ()

    def of(self, library: str, version: str) -> ReleaseLock | None:
        """The entry of a release, if there is one."""
        return next((one for one in self.releases if (one.library, one.version) == (library, version)), None)

    def replaced(self, release: ReleaseLock) -> "BundleLock":
        """This lock with another entry for `release`."""
        others = [one for one in self.releases if (one.library, one.version) != (release.library, release.version)]
        return BundleLock(releases=tuple(sorted((*others, release), key=lambda one: (one.library, one.version))))
