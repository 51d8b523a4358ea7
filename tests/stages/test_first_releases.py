"""The candidates of a discovery that are younger than a day or a release."""

import pytest

from apigap.discovery.discover import Discovery
from apigap.records.candidate import Candidate, Since
from apigap.records.errors import UsageError
from apigap.stages.first_releases import OLDER, parse_since, selected

SINCE = {
    "lib.a": Since(version="1.1", released="2025-01-31"),  # pyright: ignore[reportArgumentType]
    "lib.b": Since(version="1.2.0", released="2025-06-30"),  # pyright: ignore[reportArgumentType]
    "lib.c": Since(version="1.1", released="2025-01-31", exact=False),  # pyright: ignore[reportArgumentType]
    "lib.d": Since(version="1.1"),
    "lib.e": None,
}


def discovery() -> Discovery:
    candidates = tuple(
        Candidate(
            api_name=name, kind="function", library="lib", old_version="1.0", new_version="1.3", change="added",
            signature=None, import_module="lib", since=since,
        )
        for name, since in SINCE.items()
    )  # fmt: skip
    return Discovery(
        library="lib", old_version="1.0", new_version="1.3", candidates=candidates, counts={"new": 9}, failures=(),
        changes={"added": {"function": 5}},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("since", "left"),
    [
        ("2025-01-31", "abcde"),
        ("2025-02-01", "bcde"),
        ("2026-01-01", "cde"),
        ("1.1", "abcde"),
        ("1.1.0", "abcde"),
        ("1.2", "bce"),
        ("1.2.1", "ce"),
    ],
)
def test_what_is_known_to_be_older_is_left_out(since: str, left: str) -> None:
    found = selected(discovery(), parse_since(since))
    assert [candidate.leaf for candidate in found.candidates] == list(left)
    assert found.counts == {"new": 9, OLDER: len(SINCE) - len(left)}
    assert found.changes == {"added": {"function": len(left)}}


@pytest.mark.parametrize("text", ["yesterday", "2025-13-01", "", "2025-1-1"])
def test_neither_a_day_nor_a_release(text: str) -> None:
    with pytest.raises(UsageError, match="no day and no release; give one as"):
        parse_since(text)


def test_an_older_file_is_read_without() -> None:
    line = discovery().candidates[0].model_dump(mode="json", exclude={"since"})
    assert Candidate.model_validate(line).since is None
