from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.statistics import mean_over_tasks, pass_at_k, pass_hat_k


@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (1, 0, 1, 0.0),
        (1, 1, 1, 1.0),
        (10, 3, 1, 0.3),
        (5, 2, 2, 0.7),
        (20, 1, 10, 0.5),
        (200, 1, 100, 0.5),
        (4, 3, 2, 1.0),  # any 2 of 4 hold a pass when only one fails
        (4, 2, 5, None),  # fewer samples than k: undefined, never the pass rate
        (0, 0, 1, None),
    ],
)
def test_known_values(n: int, c: int, k: int, expected: float | None) -> None:
    assert pass_at_k(n, c, k) == (None if expected is None else pytest.approx(expected))


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_equals_the_share_of_all_draws_that_hold_a_pass(case: tuple[int, int, int]) -> None:
    n, c, k = case
    draws = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) == pytest.approx(sum(map(any, draws)) / len(draws))


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_hat_k_equals_the_share_of_all_draws_that_hold_no_fail(case: tuple[int, int, int]) -> None:
    n, c, k = case
    draws = list(combinations([True] * c + [False] * (n - c), k))
    found = pass_hat_k(n, c, k)
    assert found == pytest.approx(sum(map(all, draws)) / len(draws))
    assert found <= c / n <= pass_at_k(n, c, k) or k == 1  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]


def test_pass_hat_k_needs_k_samples() -> None:
    assert pass_hat_k(4, 4, 5) is None
    assert pass_hat_k(8, 7, 8) == 0.0


def test_the_mean_leaves_out_what_is_undefined_and_says_so() -> None:
    judged, passed = np.array([4, 4, 2, 0]), np.array([1, 4, 2, 0])
    found = mean_over_tasks(judged, passed, ["a", "b", "c", "d"], k=3)
    assert (found.tasks, found.undefined) == (2, 2)
    assert found.interval.estimate == pytest.approx((0.75 + 1) / 2)
    hat = mean_over_tasks(judged, passed, ["a", "b", "c", "d"], k=2, measure="pass^k")
    assert hat.interval.estimate == pytest.approx((0 + 1 + 1) / 3)
    assert mean_over_tasks(judged, passed, ["a", "b", "c", "d"], k=9).interval.estimate is None


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_the_mean_equals_the_single_values(counts: list[tuple[int, int]]) -> None:
    pairs = [(max(pair), min(pair)) for pair in counts]
    found = mean_over_tasks(*(np.array(column) for column in zip(*pairs, strict=True)), ["a"] * len(pairs), k=2)  # pyright: ignore[reportCallIssue]
    known = [value for n, c in pairs if (value := pass_at_k(n, c, 2)) is not None]
    assert found.interval.estimate == (pytest.approx(np.mean(known)) if known else None)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(UsageError):
        pass_at_k(n, c, k)
