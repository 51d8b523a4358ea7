"""Telling two groups of controls apart, and what follows for others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.statistics.separation import auc_interval, posterior, posterior_intervals

VALUES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [([1, 2], [0], 1.0), ([0], [1, 2], 0.0), ([1, 1], [1], 0.5), ([1, 3], [2], 0.5), ([2, 3, 4], [1, 2], 5.5 / 6)],
)
def test_auc_counts_pairs(positive: list[float], negative: list[float], expected: float) -> None:
    assert auc_interval(positive, negative).estimate == pytest.approx(expected)


@given(VALUES, VALUES)
def test_the_interval_holds_the_estimate_and_mirrors(positive: list[float], negative: list[float]) -> None:
    one, other = auc_interval(positive, negative), auc_interval(negative, positive)
    assert one.estimate is not None and other.estimate is not None
    assert 0 <= one.low <= one.estimate <= one.high <= 1
    assert one.low == pytest.approx(1 - other.high, abs=1e-6)


def test_complete_separation_keeps_a_width_that_shrinks_with_more_controls() -> None:
    few, many = (auc_interval(np.ones(n), np.zeros(n)) for n in (5, 50))
    assert few.estimate == many.estimate == few.high == 1
    assert few.low < many.low < 1


def test_the_interval_covers_what_it_says() -> None:
    rng = np.random.default_rng(5)
    true = 0.7602  # of normals one standard deviation apart: the normal distribution at 1 / sqrt(2)
    found = [auc_interval(rng.normal(1, 1, 20), rng.normal(0, 1, 20)) for _ in range(400)]
    assert sum(f.low <= true <= f.high for f in found) / 400 >= 0.92


@given(VALUES, VALUES, VALUES)
def test_the_probability_never_rises_with_knowledge(known: list[float], unknown: list[float], xs: list[float]) -> None:
    found = posterior(known, unknown, sorted(xs))
    assert ((found > 0) & (found < 1)).all()
    assert (np.diff(found) <= 1e-12).all()


def test_the_probability_is_calibrated_on_what_it_never_saw() -> None:
    rng = np.random.default_rng(3)
    known, unknown = rng.normal(1, 1, 300), rng.normal(-1, 1, 300)
    for value, expected in [(0.0, 0.5), (1.0, 1 / (1 + np.exp(2))), (-1.0, 1 / (1 + np.exp(-2)))]:
        assert posterior(known, unknown, [value])[0] == pytest.approx(expected, abs=0.06)


def test_controls_that_lie_the_wrong_way_give_one_half() -> None:
    assert posterior([-1, -2], [1, 2], [0.0, 5.0]).tolist() == [0.5, 0.5]


def test_without_controls_there_is_no_probability() -> None:
    with pytest.raises(UsageError, match="a group of controls is empty"):
        posterior([], [1.0], [0.0])


def test_the_interval_depends_on_the_seed_alone_and_narrows_with_more_controls() -> None:
    rng = np.random.default_rng(1)
    known, unknown = rng.normal(1, 1, 100), rng.normal(-1, 1, 100)
    low, high = posterior_intervals(known, unknown, [0.5], seed=4, draws=200)
    again = posterior_intervals(known[::-1], unknown[::-1], [0.5], seed=4, draws=200)
    assert (low == again[0]).all() and (high == again[1]).all()
    few = posterior_intervals(known[:10], unknown[:10], [0.5], seed=4, draws=200)
    assert few[1][0] - few[0][0] > high[0] - low[0]
