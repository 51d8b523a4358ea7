import random
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, bootstrap, ks_2samp
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from apigap.records.errors import UsageError
from apigap.statistics import PairedDifference, mcnemar, paired_difference
from apigap.statistics.clusters import Clusters

Row = tuple[float, float, str]
rate = st.sampled_from([0.0, 1.0, 0.2, 1 / 3])
rows = st.lists(st.tuples(rate, rate, st.sampled_from("abcdef")), min_size=1, max_size=40)


def compare(table: list[Row], **options: int):
    a, b, clusters = zip(*table, strict=True)
    return paired_difference(a, b, clusters, **{"draws": 500, **options})  # pyright: ignore[reportArgumentType]


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
    table = [(float(a), float(b), f"api{i}") for i, (a, b) in enumerate(rng.random((24, 2)))]
    drawn = compare(table, draws=40_000)
    assert not drawn.exact  # no two totals of 2^24 are the same
    sums = np.array([b - a for a, b, _ in table])
    signs = np.random.default_rng(9).choice([-1, 1], size=(40_000, len(sums)))
    expected = np.mean(np.abs(signs @ sums) >= abs(sums.sum()) - 1e-9)
    assert drawn.p_value == pytest.approx(expected, abs=0.01)


THIRDS: list[Row] = [
    (0.0, 1.0, "a"), (0.0, 1.0, "d"), (0.2, 0.0, "a"), (1 / 3, 0.0, "a"), (1 / 3, 0.0, "b"), (1 / 3, 0.2, "c"),
]  # fmt: skip
"""Two totals that are the same but for rounding, once three were added up."""


@given(rows)
@example(THIRDS)
@settings(max_examples=40)
def test_counted_flips_are_all_flips(table: list[Row]) -> None:
    result = compare(table)
    sums = [sum(b - a for a, b, c in table if c == name) for name in sorted({c for _, _, c in table})]
    totals = [
        sum(sign * s for sign, s in zip(signs, sums, strict=True)) for signs in product((1, -1), repeat=len(sums))
    ]
    assert result.exact
    assert result.p_value == pytest.approx(np.mean(np.abs(totals) >= abs(sum(sums)) - 1e-9))


def test_flips_of_many_clusters_are_counted_too() -> None:
    table = [(0.0, 1.0, f"w{i}") for i in range(230)] + [(1.0, 0.0, f"l{i}") for i in range(170)]
    result = compare(table)
    assert result.exact and result.p_value == pytest.approx(binomtest(230, 400).pvalue)


def test_interval_agrees_with_scipy_where_clusters_are_single_tasks() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.integers(0, 2, 120), rng.integers(0, 2, 120)
    ours = paired_difference(a, b, [f"api{i}" for i in range(120)], seed=1, draws=20_000)
    smoothed = np.append(b - a, [1, -1])  # the two clusters that are added
    theirs = bootstrap((smoothed,), np.mean, method="percentile", n_resamples=20_000, rng=np.random.default_rng(2))
    low, high = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=0.01)


def test_scores_that_are_no_verdicts_have_their_own_spread() -> None:
    rng = np.random.default_rng(5)
    before = rng.uniform(0.1, 0.3, 40)
    after = before + rng.normal(0.05, 0.06, 40)
    clusters = [f"api{number}" for number in range(40)]
    found = paired_difference(before, after, clusters, smoothed=False)
    other = bootstrap((after - before,), np.mean, n_resamples=20_000, method="percentile", rng=1).confidence_interval
    assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=2e-3)
    assert found.low > 0 and found.p_value < 0.01
    assert found.detectable is not None and found.detectable < 0.03
    held = paired_difference(before, after, clusters)
    assert held.low < 0 and held.p_value < 0.01


def test_clusters_drawn_by_kind_are_clusters_drawn_one_by_one() -> None:
    rng = np.random.default_rng(8)
    sizes = rng.integers(1, 4, 200).astype(float)
    clusters = Clusters(rng.integers(-1, 2, 200) * sizes, sizes)  # pyright: ignore[reportArgumentType]
    kinds = clusters.kinds
    assert len(kinds.counts) == 9
    by_kind = kinds.bootstrap(np.random.default_rng(1), 20_000)
    drawn = np.random.default_rng(2).integers(0, 200, (20_000, 200))
    one_by_one = clusters.sums[drawn].sum(1) / sizes[drawn].sum(1)
    assert ks_2samp(by_kind, one_by_one).pvalue > 0.01  # pyright: ignore[reportAttributeAccessIssue]
    odd = Clusters(clusters.sums + rng.random(200) / 1e6, sizes).kinds  # each a kind of its own, nearly the same
    assert len(odd.counts) == 200
    assert ks_2samp(by_kind, odd.bootstrap(np.random.default_rng(3), 20_000)).pvalue > 0.01  # pyright: ignore[reportAttributeAccessIssue]


def test_no_visible_variance_is_not_certainty() -> None:
    result = compare([(0.0, 0.0, f"api{i}") for i in range(10)], draws=5_000)
    assert result.low < -0.15 and result.high > 0.15 and result.p_value == 1.0
    gain = compare([(0.0, 1.0, f"api{i}") for i in range(10)], draws=5_000)
    assert gain.low < 0.8 and gain.high == 1.0 and gain.p_value == pytest.approx(2 / 1024)


def test_the_interval_covers_where_few_clusters_differ() -> None:
    rng = np.random.default_rng(11)
    covered, plain, repeats = 0, 0, 400
    for _ in range(repeats):
        gains = rng.random(40) < 0.05
        names = [f"api{i}" for i in range(40)]
        ours = paired_difference(np.zeros(40), gains, names, draws=400)
        resampled = gains[rng.integers(0, 40, (400, 40))].mean(1)
        low, high = np.quantile(resampled, [0.025, 0.975])
        covered += ours.low <= 0.05 <= ours.high
        plain += low <= 0.05 <= high
    assert covered / repeats > 0.94 > 0.90 > plain / repeats


def test_too_few_clusters_can_show_nothing() -> None:
    five = compare([(0.0, 1.0, f"api{i}") for i in range(5)])
    assert five.detectable is None and five.p_value > 0.05
    six = compare([(0.0, 1.0, f"api{i}") for i in range(6)])
    assert six.detectable == 1.0 and six.p_value < 0.05


def test_the_detectable_difference_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(4)
    names = [f"api{i}" for i in range(150)]

    def run(gain: float) -> PairedDifference:
        return paired_difference(rng.random(150) < 0.5, rng.random(150) < 0.5 + gain, names, draws=10)

    gain = np.mean([run(0.0).detectable for _ in range(20)])  # as a pilot run would tell it  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert np.mean([run(gain).p_value < 0.05 for _ in range(400)]) == pytest.approx(0.8, abs=0.06)


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_equals_the_binomial_test(only_a: int, only_b: int) -> None:
    expected = binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0
    assert mcnemar(only_a, only_b) == pytest.approx(expected)


def test_mcnemar_equals_statsmodels_and_stays_exact_for_many_pairs() -> None:
    for only_a, only_b in [(3, 9), (60, 40), (900, 1000), (12_000, 11_800)]:
        table = [[5, only_a], [only_b, 7]]
        assert mcnemar(only_a, only_b) == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue)  # pyright: ignore[reportAttributeAccessIssue]


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
