"""The Rasch scale: against a direct likelihood, at its edges, and how often its intervals hold the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import quad
from tools.statistics.simulated_scale import draw_scale

from apigap.records.errors import UsageError
from apigap.statistics import RaschScale, rasch
from apigap.statistics.rasch_likelihood import maximise

ABILITIES = np.array([-2.0, -0.7, 0.0, 0.8, 2.2])


def names(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


def fit(table: NDArray[np.float64]) -> RaschScale:
    return rasch(table, names("model", table.shape[0]), names("item", table.shape[1]))


def log_likelihood(table: NDArray[np.float64], abilities: NDArray[np.float64], spread: float) -> float:
    """The marginal likelihood by adaptive integration, item by item."""
    total = 0.0
    for column in table.T:
        asked = ~np.isnan(column)

        def joint(
            z: float, answers: NDArray[np.float64] = column[asked], able: NDArray[np.float64] = abilities[asked]
        ) -> float:
            chance = 1 / (1 + np.exp(spread * z - able))
            return float(np.prod(np.where(answers == 1, chance, 1 - chance)) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi))

        total += np.log(quad(joint, -8, 8)[0])
    return total


def test_the_fit_is_the_maximum_of_the_likelihood_integrated_another_way() -> None:
    table, _ = draw_scale(ABILITIES, 40, 1.2, 0.1, np.random.default_rng(1))
    found = maximise(table)
    best = log_likelihood(table, found.abilities, found.spread)
    for number in range(len(ABILITIES)):
        for step in (-0.05, 0.05):
            moved = found.abilities.copy()
            moved[number] += step
            assert log_likelihood(table, moved, found.spread) < best
    for factor in (0.95, 1.05):
        assert log_likelihood(table, found.abilities, factor * found.spread) < best


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.4))
@settings(max_examples=15, deadline=None)
def test_order_of_items_and_of_persons_changes_nothing(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    table, _ = draw_scale(ABILITIES, 60, 1.0, missing, rng)
    one = fit(table)
    assert one.reason is None
    turn = rng.permutation(60)
    other = rasch(table[::-1, turn], names("model", 5)[::-1], [f"item{number}" for number in turn])
    there = {ability.person: ability.estimate for ability in other.abilities}
    assert {ability.person: ability.estimate for ability in one.abilities} == pytest.approx(there, abs=1e-3)


def test_more_right_answers_mean_more_ability_and_fewer_mean_a_harder_item() -> None:
    table, _ = draw_scale(ABILITIES, 80, 1.0, 0.0, np.random.default_rng(2))
    found = fit(table)
    assert np.all(np.diff([ability.estimate for ability in sorted(found.abilities, key=lambda one: one.score)]) > 0)
    right = table.sum(axis=0)
    means = np.array([one.estimate for one in found.difficulties])
    assert all(
        means[right == few].min() > means[right == few + 1].max()
        for few in range(5)
        if (right == few).any() and (right == few + 1).any()
    )
    assert np.isfinite(means).all()  # items that all or none pass too
    assert abs(means.mean()) < 0.01


def test_perfect_and_zero_scores_have_one_bound() -> None:
    table, difficulties = draw_scale(ABILITIES, 50, 1.0, 0.1, np.random.default_rng(3))
    table = np.vstack([np.zeros(50), table, np.ones(50), np.full(50, np.nan)])
    found = fit(table)
    zero, perfect = found.abilities[0], found.abilities[-1]
    assert len(found.abilities) == 7  # nothing is said of the model that was asked nothing
    assert (zero.extreme, zero.low, zero.error) == (True, None, None)
    assert (perfect.extreme, perfect.high, perfect.error) == (True, None, None)
    assert zero.high is not None and zero.estimate < zero.high < found.abilities[1].estimate
    assert perfect.low is not None and found.abilities[-2].estimate < perfect.low < perfect.estimate
    # At its bound the model would fail everything 25 times in 1000, if the items were exactly as hard as they are.
    assert np.prod(1 / (1 + np.exp(zero.high - difficulties))) == pytest.approx(0.025, abs=0.015)
    assert found.abilities[1].estimate == pytest.approx(fit(table[1:6]).abilities[0].estimate, abs=1e-6)


def test_an_item_that_able_models_fail_is_listed() -> None:
    abilities = np.linspace(-2.5, 2.5, 12)
    table, _ = draw_scale(abilities, 100, 1.0, 0.0, np.random.default_rng(4))
    table[:, 7] = abilities < 0  # the weak pass, the able fail: a wrong key
    found = fit(table)
    assert found.misfits[0].item == "item7"
    assert len(found.misfits) < 12


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (np.vstack([np.zeros((2, 30)), np.eye(3, 30)]), "3 of 5 models (or conditions) pass some items"),
        (np.tile([[0.0, 1.0] * 5], (5, 1)), "10 items are too few for a common scale; it needs 20"),
        (np.full((5, 30), np.nan), "0 of 5 models"),
        (np.zeros((0, 0)), "0 of 0 models"),
    ],
)
def test_no_scale_without_a_reason(table: NDArray[np.float64], reason: str) -> None:
    found = fit(table)
    assert found.reason is not None and reason in found.reason
    assert (found.abilities, found.difficulties, found.spread) == ((), (), None)


def test_bad_tables() -> None:
    with pytest.raises(UsageError, match="shape"):
        rasch([[0, 1]], ["a"], ["x"])
    with pytest.raises(UsageError, match="x is there twice"):
        rasch([[0, 1]], ["a"], ["x", "x"])
    with pytest.raises(UsageError, match="not a score"):
        rasch([[0, 2]], ["a"], ["x", "y"])


def test_intervals_hold_the_truth() -> None:
    rng = np.random.default_rng(5)
    held: list[bool] = []
    for _ in range(60):
        table, difficulties = draw_scale(ABILITIES, 80, 1.2, 0.05, rng)
        true = ABILITIES - difficulties.mean()
        for ability, value in zip(fit(table).abilities, true.tolist(), strict=True):
            held.append(
                (ability.low is None or ability.low <= value) and (ability.high is None or value <= ability.high)
            )
    assert 0.91 <= np.mean(held) <= 0.99
