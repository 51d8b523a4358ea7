import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from apigap.records.errors import UsageError
from apigap.statistics import clustered_wilson, wilson

rows = st.lists(st.tuples(st.booleans(), st.sampled_from("abcdef")), min_size=1, max_size=60)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.8, 0.95]))
def test_wilson_equals_scipy(case: tuple[int, int], level: float) -> None:
    successes, n = case
    ours = wilson(successes, n, level)
    theirs = binomtest(successes, n).proportion_ci(confidence_level=level, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert ours.estimate == successes / n


def test_nothing_measured_says_nothing() -> None:
    interval = wilson(0, 0)
    assert (interval.estimate, interval.low, interval.high) == (None, 0.0, 1.0)
    assert clustered_wilson([], []) == interval


@given(rows)
def test_interval_holds_the_rate_and_stays_in_bounds(table: list[tuple[bool, str]]) -> None:
    passed, clusters = [p for p, _ in table], [c for _, c in table]
    interval = clustered_wilson(passed, clusters)
    assert interval.estimate == pytest.approx(np.mean(passed))
    assert 0 <= interval.low <= interval.estimate <= interval.high <= 1  # pyright: ignore[reportOperatorIssue, reportOptionalOperand]
    assert 1 <= interval.effective_n <= len(table)


@given(rows, st.randoms())
def test_row_order_and_cluster_names_do_not_matter(table: list[tuple[bool, str]], shuffle: random.Random) -> None:
    other = [(p, {"a": "z"}.get(c, c)) for p, c in table]
    shuffle.shuffle(other)
    one = clustered_wilson([p for p, _ in table], [c for _, c in table])
    two = clustered_wilson([p for p, _ in other], [c for _, c in other])
    assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-12)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_one_task_per_cluster_is_plain_wilson(passed: list[bool]) -> None:
    names = [f"api{number}" for number in range(len(passed))]
    ours, plain = clustered_wilson(passed, names), wilson(sum(passed), len(passed))
    assert (ours.low, ours.high) == pytest.approx((plain.low, plain.high))


def test_tasks_that_always_agree_count_as_one() -> None:
    passed = [True, True, False, False, True, True, False, False] * 5
    clusters = [f"api{row // 2}" for row in range(len(passed))]
    assert clustered_wilson(passed, clusters).effective_n == pytest.approx(len(passed) / 2, rel=0.06)


@pytest.mark.parametrize("verdict", [True, False])
def test_all_pass_and_all_fail_keep_a_width(verdict: bool) -> None:
    clusters = [f"api{row // 3}" for row in range(30)]
    interval = clustered_wilson([verdict] * 30, clusters)
    assert interval.effective_n == pytest.approx(20)
    assert interval.high - interval.low > wilson(30 * verdict, 30).high - wilson(30 * verdict, 30).low


@pytest.mark.parametrize("passed", [[True, False, True, True], [True] * 4])
def test_a_single_cluster_is_one_observation(passed: list[bool]) -> None:
    interval = clustered_wilson(passed, ["only"] * 4)
    assert interval.effective_n == 1
    assert interval.high - interval.low > 0.75


def test_coverage_where_the_binomial_interval_fails() -> None:
    rng = np.random.default_rng(20260912)
    covered, naive, repeats = 0, 0, 400
    for _ in range(repeats):
        sizes = rng.integers(1, 4, 40)
        owner = np.repeat(np.arange(40), sizes)
        passed = rng.random(len(owner)) < rng.beta(0.3, 0.7, 40)[owner]  # correlation 0.5 inside an API
        ours, plain = clustered_wilson(passed, owner.astype(str).tolist()), wilson(int(passed.sum()), len(passed))
        covered += ours.low <= 0.3 <= ours.high
        naive += plain.low <= 0.3 <= plain.high
    assert covered / repeats > 0.92 > naive / repeats


def test_wrong_input_is_refused() -> None:
    with pytest.raises(UsageError, match="3 values but 2 clusters"):
        clustered_wilson([1, 0, 1], ["a", "b"])
    with pytest.raises(UsageError, match="nan is not a rate"):
        clustered_wilson([float("nan")], ["a"])
    with pytest.raises(UsageError):
        wilson(3, 2)
    with pytest.raises(UsageError):
        wilson(1, 2, level=95)
