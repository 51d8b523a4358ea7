"""The version before a model's cutoff, against the published table."""

from datetime import date
from pathlib import Path

import pytest

from apigap.discovery.versions import newest_before, version_pair
from apigap.packages.index import Release, parse_page
from apigap.records.errors import UsageError


def release(version: str, day: str | None, **more: object) -> dict[str, object]:
    stamp = {"upload-time": f"{day}T12:00:00Z"} if day else {}
    return {"filename": f"lib-{version}.tar.gz", "url": "x", "hashes": {}, **stamp, **more}


@pytest.mark.parametrize(
    ("day", "version"),
    [
        (date(2024, 1, 1), None),
        (date(2024, 1, 2), "1.9"),
        (date(2024, 3, 1), "1.10"),  # by version, not by text; and 1.9.1, uploaded later, is lower
        (date(2024, 9, 1), "1.10"),  # neither the pre-, post- nor the withdrawn release
        (None, "2.0"),
    ],
)
def test_the_newest_stable_version_before_a_day(day: date | None, version: str | None) -> None:
    files = [
        release("1.9", "2024-01-01"),
        release("1.10", "2024-02-01"),
        release("1.9.1", "2024-02-02"),
        release("2.0rc1", "2024-04-01"),
        release("1.10.post1", "2024-04-01"),
        release("1.11", "2024-05-01", yanked=True),
        release("2.0", "2024-10-01"),
        release("3.0", "2024-11-01", **{"requires-python": ">=3.99"}),
        {**release("4.0", "2024-11-01"), "filename": "lib-4.0-cp311-cp311-win_arm64.whl"},
    ]
    assert newest_before(found(files), day) == version


def test_a_release_without_a_date_is_before_nothing() -> None:
    assert newest_before(found([release("1.0", None)]), date(2030, 1, 1)) is None


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path))


@pytest.mark.network
@pytest.mark.parametrize(
    ("library", "cutoff", "old"),
    [
        ("httpx", date(2023, 12, 1), "0.25.2"),
        ("httpx", date(2024, 9, 1), "0.27.2"),
        ("pydantic", date(2025, 6, 4), "2.11.5"),
        ("sqlalchemy", date(2025, 1, 20), "2.0.37"),
        ("fastmcp", date(2023, 12, 1), None),
    ],
)
def test_the_published_table(library: str, cutoff: date, old: str | None) -> None:
    assert version_pair(library, cutoff)[0] == old


@pytest.mark.network
def test_a_pair_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(UsageError, match=r"0\.25\.2 is not newer than 0\.27\.2"):
        version_pair("httpx", date(2024, 9, 1), "0.25.2")


def found(files: list[dict[str, object]]) -> list[Release]:
    return parse_page("lib", {"files": files}, "https://example.org/simple/lib/")
