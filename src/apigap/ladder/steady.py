"""The APIs of a library that have not changed for years: what controls are chosen from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from packaging.version import Version

from apigap.discovery.changes import changes_between
from apigap.discovery.library import LibraryConfig
from apigap.discovery.old_surface import OldApi, OldSurface
from apigap.discovery.static.surface import read_static
from apigap.discovery.surface import Surface
from apigap.discovery.versions import companions_of
from apigap.packages.index import Release, release, releases
from apigap.records.candidate import Candidate

BEFORE = timedelta(days=730)
"""The age that an API must have on the day of the old release to be a control."""


@dataclass(frozen=True)
class SteadyApis:
    """The APIs that are the same as in the release `since`; `note` says where that is younger than wanted."""

    apis: tuple[Candidate, ...]
    since: str
    note: str = ""


def steady_apis(config: LibraryConfig, unchanged: Sequence[Candidate], old: str, new: str) -> SteadyApis:
    """Those of `unchanged` (since `old`) that are the same in the newest release two years before `old`.

    The releases are read as text: compiled code without stubs does not count. Where the library has no release that
    old, its first stable one is taken.

    Raises:
        InfrastructureError: when the index cannot be reached, or a release cannot be read.
    """
    last = release(config.distribution, old)
    first = release_before(releases(config.distribution), last)
    before, after = (_read(config, one) for one in (first, release(config.distribution, new)))
    same = set(_same(before, after))
    note = (
        "" if _is_old(first, last) else f"controls are unchanged since {first.version} only: there is no older release"
    )
    return SteadyApis(tuple(one for one in unchanged if one.api_name in same), first.version, note)


def release_before(known: Sequence[Release], old: Release) -> Release:
    """The newest stable release two years before `old`; the first one where there is none; `old` where it is that."""
    stable = sorted(
        (one for one in known if one.is_stable and one.uploaded and Version(one.version) <= Version(old.version)),
        key=lambda one: Version(one.version),
    )
    aged = [one for one in stable if _is_old(one, old)]
    return (aged or stable[:1] or [old])[-1]


def _is_old(first: Release, old: Release) -> bool:
    latest = old.uploaded or datetime.max.replace(tzinfo=first.uploaded.tzinfo if first.uploaded else None)
    return first.uploaded is not None and first.uploaded <= latest - BEFORE


def _read(config: LibraryConfig, one: Release) -> Surface:
    return read_static([one, *companions_of(config, one)])


def _same(before: Surface, after: Surface) -> Iterator[str]:
    """The paths under which both surfaces have the same API."""
    former = OldSurface(before, after)
    for entry in sorted(after.entries, key=lambda one: (one.kind != "class", one.name)):
        found = former.find(entry)
        if isinstance(found, OldApi) and not entry.deprecated and not changes_between(found.entry, entry):
            yield from (path for path in entry.paths if path in found.entry.paths)
