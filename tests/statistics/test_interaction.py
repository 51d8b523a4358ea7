import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.records.errors import UsageError
from apigap.statistics import Interaction, interaction

Row = tuple[float, float, str]
rate = st.sampled_from([0.0, 1.0, 0.2, 1 / 3])
rows = st.lists(st.tuples(rate, rate, st.sampled_from("abcdefgh")), min_size=1, max_size=40)


def interact(table: list[Row], **options: int) -> Interaction | None:
    a, b, clusters = zip(*table, strict=True)
    return interaction(a, b, clusters, [c < "e" for c in clusters], **{"draws": 300, **options})


@given(rows, st.randoms())
@settings(max_examples=40)
def test_row_order_does_not_matter(table: list[Row], shuffle: random.Random) -> None:
    other = list(table)
    shuffle.shuffle(other)
    assert interact(table, seed=3) == interact(other, seed=3)


@given(rows)
@settings(max_examples=40)
def test_the_interval_holds_the_difference(table: list[Row]) -> None:
    found = interact(table)
    if found is not None:
        gains = {kind: [b - a for a, b, c in table if (c < "e") == kind] for kind in (True, False)}
        assert found.difference == pytest.approx(np.mean(gains[True]) - np.mean(gains[False]))
        assert -2 <= found.low <= found.difference <= found.high <= 2
        assert 0 < found.p_value <= 1


def simulated(gain: float, rng: np.random.Generator, clusters: int = 120) -> Interaction:
    names = [f"api{i // 2}" for i in range(clusters)]
    one = [i // 2 < clusters // 6 for i in range(clusters)]  # kinds of different numbers
    b = rng.random(clusters) < np.where(one, 0.2 + gain, 0.2)
    found = interaction(np.zeros(clusters), b, names, one, draws=400)
    assert found is not None
    return found


def test_a_difference_between_kinds_is_found_and_none_is_not() -> None:
    rng = np.random.default_rng(6)
    assert simulated(0.6, rng).p_value < 0.01
    false_alarms = [simulated(0.0, rng).p_value <= 0.05 for _ in range(300)]
    assert 0.02 <= np.mean(false_alarms) <= 0.08


def test_the_p_value_equals_dealing_every_label_by_hand() -> None:
    gains = np.array([1.0, 1, 0, 1, 0, 0, 0, 0, 1, 0])
    one = np.array([True] * 4 + [False] * 6)
    found = interaction(np.zeros(10), gains, [f"api{i}" for i in range(10)], one.tolist(), draws=20_000)
    rng = np.random.default_rng(1)

    def studentised(labels: np.ndarray) -> float:
        x, y = gains[labels], gains[~labels]
        error = np.sqrt(x.var(ddof=1) / len(x) + y.var(ddof=1) / len(y))
        return abs(x.mean() - y.mean()) / error if error else np.inf * (x.mean() != y.mean())

    dealt = [studentised(rng.permutation(one)) for _ in range(5_000)]
    assert found is not None
    assert found.p_value == pytest.approx(np.mean(np.array(dealt) >= studentised(one) - 1e-9), abs=0.03)


def test_what_cannot_be_asked() -> None:
    assert interaction([], [], [], []) is None
    assert interaction([0, 0, 0], [1, 1, 1], ["a", "b", "c"], [True, False, False]) is None
    with pytest.raises(UsageError, match="a has tasks of both kinds"):
        interaction([0, 0], [1, 1], ["a", "a"], [True, False])
    with pytest.raises(UsageError, match="2 tasks but 1 kinds"):
        interaction([0, 0], [1, 1], ["a", "b"], [True])
