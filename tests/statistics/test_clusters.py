import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.regression.linear_model import OLS

from apigap.statistics.clusters import Clusters, cluster_index
from apigap.statistics.paired import minimum_detectable

gains = st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0, 1 / 3]), st.sampled_from("abcdef")), min_size=1)


def test_the_standard_error_equals_statsmodels() -> None:
    rng = np.random.default_rng(2)
    groups = rng.integers(0, 30, 100)
    values = rng.integers(-1, 2, 100) + rng.normal(0, 0.5, 30)[groups]
    theirs = OLS(values, np.ones(100)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    ours = Clusters.of(values, cluster_index([f"{g:02}" for g in groups]))
    assert ours.mean == pytest.approx(theirs.params[0])
    assert ours.standard_error == pytest.approx(theirs.bse[0])


@given(gains)
def test_kinds_hold_every_cluster_once(rows: list[tuple[float, str]]) -> None:
    clusters = Clusters.of(np.array([gain for gain, _ in rows]), cluster_index([name for _, name in rows]))
    kinds = clusters.kinds
    assert kinds.counts.sum() == len(clusters) == len({name for _, name in rows})
    assert (kinds.counts * kinds.sums).sum() == pytest.approx(sum(gain for gain, _ in rows), abs=1e-9)
    assert (kinds.counts * kinds.sizes).sum() == len(rows)
    assert len(set(zip(kinds.sums.tolist(), kinds.sizes.tolist(), strict=True))) == len(kinds.counts)


@given(gains)
def test_smoothing_adds_spread_and_pulls_towards_no_difference(rows: list[tuple[float, str]]) -> None:
    clusters = Clusters.of(np.array([gain for gain, _ in rows]), cluster_index([name for _, name in rows]))
    smoothed = clusters.smoothed()
    assert smoothed.mean == pytest.approx(clusters.mean * len(clusters) / (len(clusters) + 2), abs=1e-9)
    assert 0 < smoothed.standard_error < float("inf")


def test_one_cluster_says_nothing_of_others() -> None:
    one = Clusters(np.array([2.0]), np.array([3.0]))
    assert one.standard_error == float("inf") and minimum_detectable(one) is None


def test_more_apis_find_smaller_differences() -> None:
    def detectable(count: int, alpha: float = 0.05) -> float:
        found = minimum_detectable(Clusters(np.tile([1.0, -1.0, 0.0, 0.0], count), np.ones(4 * count)), alpha)
        assert found is not None
        return found

    assert detectable(10) > detectable(40) > detectable(160)
    assert detectable(40, alpha=0.001) > detectable(40)
