"""Which releases are read, which of them is named, and real libraries from the index."""

from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from apigap.discovery.diff import candidates_of, classify
from apigap.discovery.library import find_library
from apigap.discovery.since.dating import series_between, since_of, with_first_releases
from apigap.discovery.since.search import Beginning
from apigap.discovery.static.surface import read_static
from apigap.packages.index import Release, ReleaseFile, release
from apigap.records.candidate import Candidate, Change, Since


def released(version: str, day: str | None = None, *, yanked: bool = False, sdist: bool = False) -> Release:
    uploaded = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    ending = ".tar.gz" if sdist else "-py3-none-any.whl"
    file = ReleaseFile(
        filename=f"lib-{version}{ending}", url="https://index/", sha256="0", size=1, uploaded=uploaded, yanked=yanked
    )
    return Release(library="lib", version=version, uploaded=uploaded, yanked=yanked, files=(file,))


SERIES = [  # (releases, the old one, the new one, those that are read)
    ("1.0 1.1 1.2 1.3", "1.0", "1.2", "1.0 1.1 1.2"),
    ("1.0 1.10 1.9 1.2", "1.2", "1.10", "1.2 1.9 1.10"),
    ("1.0 1.1 1.2", None, "1.1", "1.0 1.1"),
    ("1.0 1.1rc1 1.1 1.2.dev1 1.2", "1.0", "1.2", "1.0 1.1 1.2"),
    ("1.0 1.1rc1 1.1 1.2rc1 1.2rc2", "1.0", "1.2rc2", "1.0 1.1rc1 1.1 1.2rc1 1.2rc2"),
    ("1.0rc1 1.0 1.1", "1.0rc1", "1.1", "1.0rc1 1.0 1.1"),
    ("1.0 1.1 1.1.post1 1.2", "1", "1.2", "1.0 1.1 1.1.post1 1.2"),
]


@pytest.mark.parametrize(("known", "old", "new", "read"), SERIES)
def test_the_releases_between(known: str, old: str | None, new: str, read: str) -> None:
    found = series_between([released(version) for version in known.split()], old, new)
    assert [one.version for one in found] == read.split()


def test_withdrawn_releases_are_read_only_where_they_were_asked_for() -> None:
    known = [released("1.0", yanked=True), released("1.1", yanked=True), released("1.2", sdist=True), released("1.3")]
    assert [one.version for one in series_between(known, "1.0", "1.3")] == ["1.0", "1.2", "1.3"]


LINES = [released("2.0.49", "2026-01-01"), released("2.0.50", "2026-05-01"), released("2.1.0", "2026-03-01"),
         released("2.1.1", "2026-06-01")]  # fmt: skip
NAMED: list[tuple[str, Sequence[Release], int, bool, str | None, Since]] = [
    ("the release itself", LINES, 3, True, "2.0.49", Since(version="2.1.1", released=date(2026, 6, 1))),
    ("the line that had it first", LINES, 1, True, "2.0.49", Since(version="2.1.0", released=date(2026, 3, 1))),
    ("the old one has it by its text", LINES, 0, True, "2.0.49",
     Since(version="2.1.0", released=date(2026, 3, 1), exact=False)),
    ("the first of all", LINES, 0, True, None, Since(version="2.0.49", released=date(2026, 1, 1))),
    ("no days", [released("1.0"), released("1.1")], 1, True, "1.0", Since(version="1.1")),
    ("not told", LINES, 2, False, "2.0.49", Since(version="2.1.0", released=date(2026, 3, 1), exact=False)),
]  # fmt: skip


@pytest.mark.parametrize(("about", "series", "place", "exact", "old", "since"), NAMED, ids=[case[0] for case in NAMED])
def test_the_release_that_is_named(
    about: str, series: Sequence[Release], place: int, exact: bool, old: str | None, since: Since
) -> None:
    assert since_of(Beginning(place, exact), series, old) == since


def test_how_it_is_said() -> None:
    assert str(Since(version="2.12.0", released=date(2025, 10, 7))) == "since 2.12.0, 2025-10-07"
    assert str(Since(version="2.12.0", exact=False)) == "not before 2.12.0"


def test_nothing_is_read_for_nothing() -> None:
    assert with_first_releases(find_library("httpx"), [], "0.25.2", "0.28.1", lambda done, total: None) == []


def dated(library: str, old: str, new: str) -> dict[str, str]:
    config = find_library(library)
    before, after = (read_static([release(config.distribution, version)]) for version in (old, new))
    candidates = candidates_of(classify(before, after), library, old, new)
    steps: list[tuple[int, int]] = []
    found = with_first_releases(config, candidates, old, new, lambda done, total: steps.append((done, total)))
    assert steps == sorted(steps)
    assert steps[-1][0] == steps[-1][1]
    assert [one.model_copy(update={"since": None}) for one in found] == candidates
    return {one.api_name: str(one.since) for one in found}


@pytest.mark.network
def test_httpx() -> None:
    """By its changelog `FunctionAuth` is exposed in 0.24, `NetRCAuth` comes in 0.24, `proxies` goes in 0.28."""
    found = dated("httpx", "0.23.3", "0.28.1")
    assert found["httpx.NetRCAuth"] == "since 0.24.0, 2023-04-11"
    assert found["httpx.Client"] == "since 0.28.0, 2024-11-28"


@pytest.mark.network
def test_what_became_a_class_is_not_told() -> None:
    """`pydantic.AnyWebsocketUrl` came in 2.7.1 as an alias (`Annotated[Url, ...]`), which is no API to the walk."""
    found = dated("pydantic", "2.6.0", "2.10.0")
    assert found["pydantic.AnyWebsocketUrl"] == "not before 2.7.1, 2024-04-23"
    assert found["pydantic.with_config"] == "since 2.7.0, 2024-04-11"


@pytest.mark.network
def test_what_no_text_has_is_not_told() -> None:
    unknown = Candidate(
        api_name="packaging.nowhere", kind="function", library="packaging", old_version="23.0", new_version="25.0",
        change="modified", signature=None, import_module="packaging",
        changes=(Change(what="parameter added", parameter="x"),),
    )  # fmt: skip
    found = with_first_releases(find_library("packaging"), [unknown], "23.0", "25.0", lambda done, total: None)
    assert str(found[0].since) == "not before 23.1, 2023-04-12"
