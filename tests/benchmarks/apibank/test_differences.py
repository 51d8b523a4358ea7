"""The counted differences between the modes."""

from pathlib import Path

import pytest
from tools.apibank.differences import ANEW, NAMES, READING, RULES, STATE, TYPES, Need, needs
from tools.apibank.differences_page import CORRECTED, differences_page
from tools.apibank.oracle import reading

from apigap.benchmarks.apibank.scoring.corrected import read_calls
from apigap.benchmarks.apibank.scoring.released import find_call


def test_what_the_refused_gold_calls_of_our_own_set_need() -> None:
    found = needs(Path("own"))
    assert sum(need.samples for need in found if need.level == "level-1") == 8
    assert {(need.corrections, need.api) for need in found if need.level == "level-3"} == {
        ((READING, TYPES), "MovieRecommendations")
    }
    assert {need.api: need.corrections for need in found}["ForgotPassword"] == (STATE,)


def test_what_the_published_gold_calls_need(published: Path) -> None:
    """The causes and counts that were found by running the released evaluator."""
    found = needs(published)
    by_level = {level: sum(n.samples for n in found if n.level == level) for level in ("level-1", "level-2", "level-3")}
    assert by_level == {"level-1": 52, "level-2": 10, "level-3": 10}
    assert Need((STATE,), "level-1", "ForgotPassword", 4) in found
    assert Need((READING, TYPES), "level-1", "RecordHealthData", 19) in found
    assert Need((READING, TYPES, RULES), "level-2", "DeleteMeeting", 2) in found
    assert Need((ANEW,), "level-1", "QueryScene", 5) in found
    assert Need((NAMES, ANEW), "level-1", "TimedSwitch", 3) in found
    assert {name for need in found for name in need.corrections} == set(CORRECTED)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("[A(x='1', y='two')]", None),
        ("no call", None),
        ("[A(x=['a', 'b'])]", None),
        ("[A(x='O'Brien')]", "a value ends at another quote"),
        ("[A(x=40.7)]", "a number is cut or lost"),
        ("[A(x=-4, y='1')]", "other arguments"),
        ("[A(x='1'), B(y='2')]", "several calls"),
        ("[A (x='1')]", "only one mode finds a call"),
        ("A(x='1')", "only one mode finds a call"),
    ],
)
def test_how_an_answer_is_read_otherwise(answer: str, kind: str | None) -> None:
    assert reading(find_call(answer), read_calls(answer)) == kind


def test_the_page_of_a_set_without_oracle() -> None:
    page = differences_page(Path("own"), ["recorded", "lexical"])
    for released, corrected in CORRECTED.values():
        assert f"| {released} | {corrected} |" in page
    assert "| all | 8 at level-1, 0 at level-2, 1 at level-3 |  | 9 |" in page
    assert "| `recorded` | 5 of 5 | 12 of 12 | 5 of 5 | 12 of 12 |" in page
