"""The table of `apigap discover`: by rank, one row per family, and a count of what is not in it."""

import json

import pytest

from apigap.cli.stages.single import show
from apigap.discovery.discover import Discovery
from apigap.records.candidate import Candidate, Importance
from apigap.records.retired import Retirement


def candidate(name: str, score: float, family: str = "", minor: str = "") -> Candidate:
    return Candidate(
        api_name=f"lib.{name}", kind="function", library="lib", old_version="1", new_version="2", change="added",
        signature="()", import_module="lib",
        importance=Importance(score=score, family=f"lib.{family or name}", minor=minor),
    )  # fmt: skip


FOUND = Discovery(
    library="lib",
    old_version="1",
    new_version="2",
    candidates=(
        candidate("alike", 0.8, family="great"),
        candidate("great", 0.9),
        candidate("hidden", 0.95, minor="a private name"),
        candidate("small", 0.2),
    ),
    counts={},
    failures=(),
)


def test_rows_come_by_rank_and_the_rest_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    show(FOUND, False, None, as_json=False)
    told = capsys.readouterr().out
    assert told.index("lib.great") < told.index("lib.small")
    assert "and 1 alike" in told
    assert "lib.alike" not in told
    assert "lib.hidden" not in told
    assert "not shown, 1 minor: a private name" in told
    assert "not shown, 1 told by another member of their family" in told
    assert "4 APIs" in told


def test_json_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    show(FOUND, False, None, as_json=True)
    found = json.loads(capsys.readouterr().out)["candidates"]
    assert [one["importance"]["minor"] for one in found] == ["", "", "a private name", ""]
    assert found[0]["importance"]["family"] == "lib.great"


def test_nothing_taken_away_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    show(FOUND, True, None, as_json=False)
    told = capsys.readouterr().out
    assert told.startswith("lib 1 -> 2: nothing was taken away")
    assert told.count("\n") == 1


def test_what_was_taken_away_is_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    gone = Retirement(
        kind="removed", library="lib", old_version="1", new_version="2", old_name="lib.old", api_kind="function"
    )
    show(FOUND.model_copy(update={"retired": (gone,)}), True, None, as_json=False)
    told = capsys.readouterr().out
    assert "lib.old" in told
    assert "removed: 1, 0 with a replacement" in told
