"""The release since which controls are unchanged: two years before the old one."""

from datetime import UTC, datetime

import pytest

from apigap.ladder.steady import release_before
from apigap.packages.index import Release


def release(version: str, day: str | None, yanked: bool = False) -> Release:
    uploaded = datetime.fromisoformat(day).replace(tzinfo=UTC) if day else None
    return Release(library="lib", version=version, uploaded=uploaded, yanked=yanked, files=())


SERIES = [
    release("1.0", "2020-01-01"), release("1.1", "2021-06-01"), release("1.2", "2022-02-01"),
    release("2.0rc1", "2021-12-01"), release("1.1.1", "2021-07-01", yanked=True), release("2.0", "2024-01-15"),
]  # fmt: skip


@pytest.mark.parametrize(
    "old, first",
    [
        (release("2.0", "2024-01-15"), "1.1"),  # 1.2 is younger than two years then, 2.0rc1 and 1.1.1 are not stable
        (release("2.0", "2024-02-02"), "1.2"),
        (release("1.1", "2021-06-01"), "1.0"),  # nothing is that old: the first of all
        (release("0.9", "2019-01-01"), "0.9"),  # nothing older at all
    ],
)
def test_the_newest_stable_release_that_is_old_enough(old: Release, first: str) -> None:
    assert release_before(SERIES, old).version == first
