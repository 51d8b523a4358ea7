import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.records.result import Outcome
from apigap.statistics import CellEstimate, count_by_task, estimate_cell

Row = tuple[str, Outcome]
outcome: st.SearchStrategy[Outcome] = st.sampled_from(["pass", "fail", "infra", "suspect", "cut"])
rows = st.lists(st.tuples(st.sampled_from(["a/1", "a/2", "b/1", "c/1"]), outcome), max_size=40)


def estimate(table: list[Row]) -> CellEstimate:
    tasks, outcomes = [task for task, _ in table], [found for _, found in table]
    return estimate_cell(count_by_task(tasks, [task[0] for task in tasks], outcomes))  # pyright: ignore[reportArgumentType]


def test_by_hand() -> None:
    found = estimate(
        [("a/1", "pass"), ("a/1", "fail"), ("a/2", "suspect"), ("a/2", "infra"), ("b/1", "infra"), ("c/1", "pass")]
    )
    assert (found.tasks, found.apis, found.samples) == (3, 2, 6)
    assert (found.passed, found.failed, found.suspect, found.infra) == (2, 1, 1, 2)
    assert found.interval.estimate == pytest.approx((0.5 + 0 + 1) / 3)  # b/1 has no verdict and does not count
    assert found.lowest == pytest.approx((0.5 + 0 + 0 + 1) / 4)
    assert found.highest == pytest.approx((0.5 + 1 + 1 + 1) / 4)


@given(rows)
def test_unsure_samples_only_widen(table: list[Row]) -> None:
    found = estimate(table)
    if found.interval.estimate is not None:
        assert found.lowest is not None and found.highest is not None
        assert found.lowest <= found.interval.estimate + 1e-12 and found.interval.estimate <= found.highest + 1e-12
        if not found.infra + found.suspect + found.cut:
            assert found.lowest == pytest.approx(found.highest)
        assert found.design_effect is not None and found.design_effect >= 1
    assert found.passed + found.failed + found.suspect + found.infra + found.cut == found.samples == len(table)


@given(rows, st.randoms())
def test_row_order_does_not_matter(table: list[Row], shuffle: random.Random) -> None:
    other = list(table)
    shuffle.shuffle(other)
    assert estimate(table) == estimate(other)


def test_infra_alone_is_no_fail() -> None:
    found = estimate([("a/1", "infra")])
    assert (found.interval.estimate, found.lowest, found.highest) == (None, 0.0, 1.0)
    assert found.design_effect is None
    nothing = estimate([])
    assert (nothing.lowest, nothing.highest, nothing.tasks) == (None, None, 0)


def test_a_cut_answer_is_no_fail_and_moves_the_bounds() -> None:
    found = estimate([("a/1", "pass"), ("a/2", "fail"), ("b/1", "cut"), ("c/1", "cut")])
    assert (found.tasks, found.failed, found.cut, found.interval.estimate) == (2, 1, 2, 0.5)
    assert (found.lowest, found.highest) == (0.25, 0.75)


def test_lengths_must_agree() -> None:
    with pytest.raises(UsageError, match="2 tasks, 1 APIs"):
        count_by_task(["a", "b"], ["a"], ["pass", "fail"])
