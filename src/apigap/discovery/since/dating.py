"""Since when: the first release that has each candidate, by reading the releases between as text."""

from collections.abc import Sequence
from datetime import date

from packaging.version import Version

from apigap.discovery.library import LibraryConfig
from apigap.discovery.since.presence import Presence
from apigap.discovery.since.search import Beginning, beginnings
from apigap.discovery.surface import Surface
from apigap.discovery.versions import companions_of
from apigap.packages.index import Release, releases
from apigap.packages.remote_wheel import wheel_to_read
from apigap.records.candidate import Candidate, Since
from apigap.records.progress import Advance


def with_first_releases(
    config: LibraryConfig, candidates: Sequence[Candidate], old: str | None, new: str, step: Advance
) -> list[Candidate]:
    """The candidates between the releases `old` and `new` with the first release that has each.

    `step` is told how many of the releases of the series are read; most often not all have to be. What was read is
    kept, so that the next call goes on from there.

    Raises:
        InfrastructureError: when the index cannot be reached, or a release cannot be read.
    """
    if not candidates:
        return []
    series = series_between(releases(config.distribution), old, new)
    reader = _Reader(config, series, step)
    presence = Presence(candidates, reader.surface(len(series) - 1))
    begun = beginnings(len(presence.candidates), len(series), lambda place: presence.in_release(reader.surface(place)))
    if old is not None and presence.has_several_changes:
        shown = presence.shown_by(reader.surface(0))
        begun = [one._replace(exact=one.exact and is_shown) for one, is_shown in zip(begun, shown, strict=True)]
    found = {c.api_name: since_of(one, series, old) for c, one in zip(presence.candidates, begun, strict=True)}
    step(len(series), len(series))
    untold = since_of(Beginning(0, exact=False), series, old)
    return [c.model_copy(update={"since": found.get(c.api_name, untold)}) for c in candidates]


def first_after(config: LibraryConfig, old: str | None, new: str) -> Since:
    """The first release of the series after `old`, which something that no text tells of may have come with.

    Raises:
        InfrastructureError: when the index cannot be reached.
    """
    return since_of(Beginning(0, exact=False), series_between(releases(config.distribution), old, new), old)


def series_between(known: Sequence[Release], old: str | None, new: str) -> list[Release]:
    """The releases from `old` to `new`, both included, by version: final ones that can be read as text.

    Pre-releases belong to it where `new` is one. Without `old` it begins with the first release of all.
    """
    first, last = (Version(old) if old else None), Version(new)

    def belongs(release: Release) -> bool:
        version = Version(release.version)
        if version in (first, last):
            return True
        if (
            release.yanked
            or (version.is_prerelease and not last.is_prerelease)
            or version.is_devrelease
            or version.local
        ):
            return False
        return (first is None or version > first) and version < last and _has_text(release)

    return sorted((release for release in known if belongs(release)), key=lambda release: Version(release.version))


def since_of(beginning: Beginning, series: Sequence[Release], old: str | None) -> Since:
    """The release that was uploaded first of those that have it from there on; `old` itself is known to lack it.

    Of two lines that are kept up side by side the higher one may have it earlier than the lower.
    """
    place = max(beginning.place, 1) if old is not None else beginning.place
    first = min(series[place:], key=lambda release: (_day(release) or date.max, Version(release.version)))
    exact = beginning.exact and place == beginning.place
    return Since(version=first.version, released=_day(first), exact=exact)


class _Reader:
    """Reads the releases of a series as text; the last one that was read is at hand."""

    def __init__(self, config: LibraryConfig, series: Sequence[Release], step: Advance) -> None:
        self._config, self._series, self._step = config, series, step
        self._at_hand: dict[int, Surface] = {}
        self._read: set[int] = set()

    def surface(self, place: int) -> Surface:
        """The surface of the release at `place`."""
        if place not in self._at_hand:
            from apigap.discovery.static.surface import read_static

            self._step(len(self._read), len(self._series))
            release = self._series[place]
            self._at_hand = {place: read_static([release, *companions_of(self._config, release)])}
            self._read.add(place)
        return self._at_hand[place]


def _has_text(release: Release) -> bool:
    return wheel_to_read(release) is not None or any(file.is_sdist and file.sha256 for file in release.files)


def _day(release: Release) -> date | None:
    return release.uploaded.date() if release.uploaded else None
