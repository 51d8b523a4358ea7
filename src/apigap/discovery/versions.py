"""Which two versions of a library to compare for a model: one from before its training cutoff, and a current one."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from packaging.version import Version

from apigap.execution.index import Release, release, releases
from apigap.records.errors import UsageError


def version_pair(library: str, cutoff: date, new: str | None = None) -> tuple[str | None, str]:
    """(old, new): the newest stable release from before the day `cutoff`, and `new`, or else the newest stable one.

    The old version is None where the library had no stable release before the cutoff: all of it is new then.

    Raises:
        UsageError: when the library or `new` does not exist, or nothing stable was released since the cutoff.
        InfrastructureError: when the index cannot be reached, or does not say when releases appeared.
    """
    known = releases(library)
    old = newest_before(known, cutoff)
    chosen = release(library, new).version if new else newest_before(known, None)
    if chosen is None:
        raise UsageError(f"{library} has no stable release for this Python; name the version to look at with --to")
    if old is not None and Version(old) >= Version(chosen):
        raise UsageError(
            f"{library}: {chosen} is not newer than {old}, the newest release before the cutoff {cutoff}; "
            "give the versions yourself with --from and --to"
        )
    return old, chosen


def newest_before(known: Sequence[Release], day: date | None) -> str | None:
    """The highest stable version that this Python can install, uploaded before `day` (UTC).

    Stable is no pre-, post- or development release, and not withdrawn.
    """
    end = datetime.combine(day, time(), UTC) if day else None
    stable = [f for f in known if f.is_stable and f.fits_here and not Version(f.version).is_postrelease]
    in_time = [found for found in stable if end is None or (found.uploaded is not None and found.uploaded < end)]
    return max((found.version for found in in_time), key=Version, default=None)
