"""Faults of sets of APIs, and the counts of faults and confusions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.benchmarks.call_faults import CALL_FAULTS, faults_of_sets
from apigap.benchmarks.call_figures import MOST_PAIRS, call_figures
from apigap.records.result import Result

SETS = [
    ("ab", "ab", "", ()),
    ("ab", "a", "", ("missed call",)),
    ("a", "ab", "", ("superfluous call",)),
    ("ab", "ac", "", ("wrong API",)),
    ("ab", "acd", "", ("wrong API", "superfluous call")),
    ("abc", "ad", "", ("wrong API", "missed call")),
    ("ab", "ax", "x", ("hallucinated API",)),
    ("a", "ax", "x", ("hallucinated API",)),
    ("ab", "", "", ("missed call",)),
]


@pytest.mark.parametrize(("expected", "chosen", "invented", "faults"), SETS)
def test_faults_of_a_choice(expected: str, chosen: str, invented: str, faults: tuple[str, ...]) -> None:
    assert faults_of_sets(expected, chosen, invented=invented) == faults


@given(st.sets(st.sampled_from("abcdef"), min_size=1), st.sets(st.sampled_from("abcdefxy")))
def test_only_the_exact_set_has_no_fault(expected: set[str], chosen: set[str]) -> None:
    found = faults_of_sets(expected, chosen, invented=chosen & set("xy"))
    assert (found == ()) == (chosen == expected)
    assert list(found) == sorted(set(found), key=CALL_FAULTS.index)


def result(number: int, *faults: str, confused: tuple[tuple[str, str], ...] = ()) -> Result:
    detail: dict[str, Any] = {"faults": list(faults), "confused": list(confused)}
    return Result(
        task_id=str(number), sample=0, outcome="fail" if faults else "pass", passed=not faults, score=0.0, label=None,
        detail=detail, evaluator="e", seconds=0.0,
    )  # fmt: skip


def test_answers_are_counted_by_the_gravest_and_by_every_fault() -> None:
    rows = [result(0), result(1, "wrong API", "wrong value", confused=(("a", "b"),)), result(2, "wrong value")]
    found = call_figures([*rows, result(3, "wrong API", confused=(("a", "b"),))])
    assert (found.wrong, found.first, found.any_of) == (
        3, {"wrong API": 2, "wrong value": 1}, {"wrong API": 2, "wrong value": 2},
    )  # fmt: skip
    assert [(one.expected, one.called, one.answers) for one in found.confusions] == [("a", "b", 2)]
    faults, pairs = found.tables()
    assert faults.rows[0] == ("wrong API", "2", "2", "WrongAPISelection") and pairs.rows == (("a", "b", "2"),)
    assert call_figures(rows[:1]).tables() == []


def test_pairs_are_bounded_and_the_rest_is_counted() -> None:
    rows = [result(n, "wrong API", confused=((f"a{n:02}", "b"),)) for n in range(MOST_PAIRS + 5)]
    found = call_figures([*rows, rows[-1]])
    assert len(found.confusions) == MOST_PAIRS and found.other_pairs == 5
    assert found.confusions[0].expected == f"a{MOST_PAIRS + 4:02}"
