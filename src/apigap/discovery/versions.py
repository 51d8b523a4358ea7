"""The two versions of a library to compare for a model: one from before its training cutoff, and a current one."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from apigap.discovery.library import LibraryConfig, find_library
from apigap.discovery.parts import parts_of
from apigap.packages.index import Release, release, releases
from apigap.records.errors import UsageError


def version_pair(library: str, cutoff: date, new: str | None = None, *, to_run: bool = True) -> tuple[str | None, str]:
    """(old, new): the newest stable release from before the day `cutoff`, and `new`.

    Without `new` it is the one that the library's configuration pins, or else the newest stable one that this
    Python can install. With `to_run` the old version must be installable here as well; to be read as text it need
    not be. It is None where the library had no stable release before the cutoff: all of it is new then.

    Raises:
        UsageError: when the library or `new` does not exist, or nothing stable was released since the cutoff.
        InfrastructureError: when the index cannot be reached, or does not say when releases appeared.
    """
    config = find_library(library)
    known = releases(config.distribution)
    old = newest_before(known, cutoff, to_run=to_run)
    chosen = newest_version(config, new)
    if old is not None and Version(old) >= Version(chosen):
        raise UsageError(
            f"{library}: {chosen} is not newer than {old}, the newest release before the cutoff {cutoff}; "
            "give the versions yourself with --from and --to"
        )
    return old, chosen


def newest_version(config: LibraryConfig, new: str | None = None) -> str:
    """The version to look at: `new`, else the pinned one, else the newest stable one that this Python can install.

    A library that is configured to be read as text need not be installable.

    Raises:
        UsageError: when the library or version does not exist.
        InfrastructureError: when the index cannot be reached.
    """
    wanted = new or config.new
    if wanted is not None:
        return release(config.distribution, wanted).version
    found = newest_before(releases(config.distribution), None, to_run=config.read == "runtime")
    if found is None:
        raise UsageError(
            f"{config.name} has no stable release for this Python; name the version to look at with --to or --new"
        )
    return found


def companions_of(config: LibraryConfig, main: Release) -> list[Release]:
    """The newest stable release of each companion that was there a day after `main` appeared; without date the newest.

    A pinned version is taken where it was there on that day, even if it was withdrawn since. A release without modules
    of its own has those that it stands for before them.

    Raises:
        UsageError: when the index has no such distribution or version.
        InfrastructureError: when it cannot be reached.
    """
    day = (main.uploaded + timedelta(days=2)).date() if main.uploaded else None
    found = [_companion(companion, day) for companion in config.companions]
    named = {canonicalize_name(other.library) for other in found if other is not None}
    own = [part for part in parts_of(main) if canonicalize_name(part.library) not in named]
    return [*own, *(other for other in found if other is not None)]


def _companion(companion: str, day: date | None) -> Release | None:
    name, _, pinned = companion.partition("==")
    if pinned:
        wanted = release(name, pinned)
        if day is None or (wanted.uploaded is not None and wanted.uploaded.date() < day):
            return wanted
    version = newest_before(releases(name), day, to_run=False)
    return None if version is None else release(name, version)


def newest_before(known: Sequence[Release], day: date | None, *, to_run: bool = True) -> str | None:
    """The highest stable version uploaded before `day` (UTC); with `to_run`, only such as this Python can install.

    Stable is no pre-, post- or development release, and not withdrawn.
    """
    end = datetime.combine(day, time(), UTC) if day else None
    stable = [found for found in known if found.is_stable and not Version(found.version).is_postrelease]
    usable = [found for found in stable if found.fits_here or not to_run]
    in_time = [found for found in usable if end is None or (found.uploaded is not None and found.uploaded < end)]
    return max((found.version for found in in_time), key=Version, default=None)


def check_order(library: str, old: str | None, new: str) -> None:
    """Refuse a pair of versions that cannot be compared.

    Raises:
        UsageError: naming both versions and what to give instead.
    """
    if old is None:
        return
    try:
        first, second = Version(old), Version(new)
    except InvalidVersion as error:
        raise UsageError(f"{library}: {error}; versions look like 2.13.3") from None
    if first == second:
        raise UsageError(f"{library}: old and new version are the same ({new}); give an older one as --old")
    if first > second:
        raise UsageError(f"{library}: {old} is newer than {new}; exchange --old and --new")
