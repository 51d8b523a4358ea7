"""The horizon: found where it is, refused where it cannot be, and how often its interval holds the truth."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from tools.statistics.simulated_dates import DatedDesign, draw_dates

from apigap.records.errors import UsageError
from apigap.statistics import DatedScores, Horizon, LevelScores, by_quarter, horizon

CLEAR = DatedDesign("clear", (12,) * 10, 0.95, 0.05, 0.2, 0.6)


def measured(design: DatedDesign, seed: int = 1, draws: int = 200) -> tuple[Horizon, date]:
    new, controls, invented, true = draw_dates(design, np.random.default_rng(seed))
    return horizon(new, controls, invented, draws=draws), true


def test_the_horizon_is_where_the_curve_falls_halfway() -> None:
    found, true = measured(CLEAR)
    assert found.estimate is not None and found.low is not None and found.high is not None
    assert found.low <= true <= found.high and abs((found.estimate - true).days) < 120
    assert found.ceiling is not None and found.floor is not None
    assert found.rate(found.estimate) == pytest.approx((found.ceiling + found.floor) / 2)
    assert found.rate(date(2000, 1, 1)) == pytest.approx(found.ceiling)
    assert found.rate(date(2050, 1, 1)) == pytest.approx(found.floor)


def test_the_order_of_rows_changes_nothing() -> None:
    new, controls, invented, _ = draw_dates(CLEAR, np.random.default_rng(2))
    turn: list[int] = np.random.default_rng(3).permutation(len(new.apis)).tolist()
    scores = np.asarray(new.scores)
    other = DatedScores(
        [new.libraries[row] for row in turn],
        [new.apis[row] for row in turn],
        [new.dates[row] for row in turn],
        scores[turn],
    )
    assert horizon(new, controls, invented, draws=100) == horizon(other, controls, invented, draws=100)


@pytest.mark.parametrize(
    ("design", "reason"),
    [
        (replace(CLEAR, apis=(12,) * 5), "5 libraries are too few"),
        (replace(CLEAR, apis=(4,) * 7), "28 dated APIs are too few"),
        (replace(CLEAR, width=1e6), "scores do not fall with the date"),
        (replace(CLEAR, at=3.0), "the horizon lies after"),
        (replace(CLEAR, at=-3.0), "the horizon lies before"),
        (replace(CLEAR, ceiling=0.1, floor=0.1), "too alike for a fall to be seen"),
    ],
)
def test_no_horizon_without_a_reason(design: DatedDesign, reason: str) -> None:
    found, _ = measured(design)
    assert (found.estimate, found.low, found.high, found.slope) == (None, None, None, None)
    assert found.reason is not None and reason in found.reason
    assert found.quarters and found.rate(date(2024, 1, 1)) is None


def test_levels_must_have_been_asked() -> None:
    new, controls, invented, _ = draw_dates(CLEAR, np.random.default_rng(2))
    empty = LevelScores([], [])
    assert "no control was asked" in (horizon(new, empty, invented).reason or "")
    assert "no invented name or twin was asked" in (horizon(new, controls, empty).reason or "")
    nothing = horizon(DatedScores([], [], [], []), controls, invented)
    assert (nothing.apis, nothing.quarters) == (0, ()) and "0 libraries" in (nothing.reason or "")


def test_quarters() -> None:
    days = [date(2026, 4, 1), date(2025, 12, 31), date(2026, 3, 31), date(2026, 1, 1)]
    found = by_quarter(DatedScores(["a", "a", "b", "b"], ["x", "y", "x", "x2"], days, [0, 1, 1, 0]))
    assert [(one.name, one.rate.estimate, one.apis, one.libraries) for one in found] == [
        ("2025Q4", 1, 1, 1),
        ("2026Q1", 0.5, 2, 1),
        ("2026Q2", 0, 1, 1),
    ]


def test_bad_rows() -> None:
    with pytest.raises(UsageError, match="one value of each"):
        DatedScores(["a"], ["x"], [], [1.0])
    twice = DatedScores(["a", "a"], ["x", "x"], [date(2026, 1, 1), date(2026, 1, 2)], [1.0, 1.0])
    with pytest.raises(UsageError, match="two dates"):
        horizon(twice, LevelScores(["a"], [1.0]), LevelScores(["a"], [0.0]))


@pytest.mark.parametrize("design", [CLEAR, DatedDesign("uneven", (3, 5, 8, 12, 4, 6, 9, 7), 0.9, 0.25, 0.25, 0.5)])
def test_the_interval_holds_the_truth(design: DatedDesign) -> None:
    held: list[bool] = []
    for seed in range(80):
        found, true = measured(design, seed)
        if found.estimate is not None:
            held.append((found.low is None or found.low <= true) and (found.high is None or true <= found.high))
    assert len(held) > 60 and np.mean(held) >= 0.87
