from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.statistics import pass_at_k


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


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_impossible_counts_are_refused(n: int, c: int, k: int) -> None:
    with pytest.raises(UsageError):
        pass_at_k(n, c, k)
