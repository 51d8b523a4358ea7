import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap

from apigap.records.errors import UsageError
from apigap.statistics import paired_difference

Row = tuple[float, float, str]
rate = st.sampled_from([0.0, 1.0, 0.2, 1 / 3])
rows = st.lists(st.tuples(rate, rate, st.sampled_from("abcdef")), min_size=1, max_size=40)


def compare(table: list[Row], **options: int):
    a, b, clusters = zip(*table, strict=True)
    return paired_difference(a, b, clusters, **{"draws": 500, **options})


@given(rows, st.randoms())
@settings(max_examples=50)
def test_row_order_does_not_matter(table: list[Row], shuffle: random.Random) -> None:
    other = list(table)
    shuffle.shuffle(other)
    assert compare(table, seed=7) == compare(other, seed=7)


@given(rows)
@settings(max_examples=50)
def test_swapping_the_runs_turns_the_sign(table: list[Row]) -> None:
    there, back = compare(table), compare([(b, a, c) for a, b, c in table])
    assert there.difference == pytest.approx(-back.difference)
    assert there.p_value == pytest.approx(back.p_value)
    assert -1 <= there.low <= there.difference + 1e-12 and there.difference - 1e-12 <= there.high <= 1
    assert 0 < there.p_value <= 1


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (5, 0), (7, 2), (3, 3), (0, 9)])
def test_single_task_clusters_give_the_exact_sign_test(wins: int, losses: int) -> None:
    table = [(0.0, 1.0, f"w{i}") for i in range(wins)] + [(1.0, 0.0, f"l{i}") for i in range(losses)]
    result = compare([*table, (1.0, 1.0, "tie")])
    assert result.exact and result.discordant == wins + losses
    assert result.p_value == pytest.approx(binomtest(wins, wins + losses).pvalue)


def test_many_tasks_of_one_api_are_one_piece_of_evidence() -> None:
    result = compare([(0.0, 1.0, "same")] * 30 + [(1.0, 1.0, f"tie{i}") for i in range(10)])
    assert result.difference == pytest.approx(0.75)
    assert result.p_value == 1.0  # one cluster flipped either way is as extreme


def test_drawn_flips_agree_with_another_sample_of_them() -> None:
    rng = np.random.default_rng(3)
    gains = rng.random((24, 2)).round(1)
    table = [(float(a), float(b), f"api{i}") for i, (a, b) in enumerate(gains)]
    drawn = compare(table, draws=40_000)
    assert not drawn.exact
    sums = np.array([b - a for a, b, _ in table])
    signs = np.random.default_rng(9).choice([-1, 1], size=(40_000, len(sums)))
    expected = np.mean(np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9)
    assert drawn.p_value == pytest.approx(expected, abs=0.01)


def test_interval_agrees_with_scipy_where_clusters_are_single_tasks() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, 120), rng.integers(0, 2, 120)
    ours = paired_difference(a, b, [f"api{i}" for i in range(120)], seed=1, draws=20_000)
    theirs = bootstrap((b - a,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2))
    low, high = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.01)


def test_no_visible_variance_is_not_certainty() -> None:
    result = compare([(0.0, 0.0, f"api{i}") for i in range(10)])
    assert result.low < -0.2 and result.high > 0.2 and result.p_value == 1.0
    gain = compare([(0.0, 1.0, f"api{i}") for i in range(10)])
    assert gain.low < 0.8 and gain.high == 1.0 and gain.p_value == pytest.approx(2 / 1024)


def test_the_seed_decides() -> None:
    rng = np.random.default_rng(0)
    table = [(float(rng.random() < 0.3), float(rng.random() < 0.6), f"api{i}") for i in range(60)]
    assert compare(table, seed=1) == compare(table, seed=1)
    assert compare(table, seed=1) != compare(table, seed=2)


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(UsageError, match="no task that both runs"):
        paired_difference([], [], [])
    with pytest.raises(UsageError):
        paired_difference([1], [1, 0], ["a"])
