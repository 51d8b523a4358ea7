"""Ranks are intervals; a sample says how much may still be wrong."""

import random
import re
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigap.verification.checks import Check, worst
from apigap.verification.ranking import ranks
from apigap.verification.rejudging import at_most

APIS = {f"t{number}": f"api{number}" for number in range(40)}
RATES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=40, max_size=40).map(
    lambda row: dict(zip(APIS, row, strict=True))
)


def _solved(count: int) -> dict[str, float]:
    return {task: float(number < count) for number, task in enumerate(APIS)}


@pytest.mark.parametrize(
    ("solved", "told"),
    [
        ((40, 0), ["1 of 2", "2 of 2"]),
        ((20, 20), ["1 to 2 of 2", "1 to 2 of 2"]),
        ((21, 20), ["1 to 2 of 2", "1 to 2 of 2"]),
        ((40, 39, 0), ["1 to 2 of 3", "1 to 2 of 3", "3 of 3"]),
        ((0, 20, 40), ["3 of 3", "2 of 3", "1 of 3"]),
    ],
)
def test_what_no_test_tells_apart_shares_its_place(solved: tuple[int, ...], told: list[str]) -> None:
    assert [str(rank) for rank in ranks([_solved(count) for count in solved], APIS)] == told


@settings(max_examples=15)
@given(st.lists(RATES, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_a_rank_is_within_bounds_and_the_order_of_runs_decides_nothing(
    rates: list[dict[str, float]], chance: random.Random
) -> None:
    found = ranks(rates, APIS)
    assert all(1 <= rank.best <= rank.worst <= rank.of == len(rates) for rank in found)
    order = list(range(len(rates)))
    chance.shuffle(order)
    assert ranks([rates[place] for place in order], APIS) == [found[place] for place in order]


@given(st.integers(2, 400).flatmap(lambda of: st.tuples(st.integers(1, of), st.just(of))))
def test_the_share_that_a_sample_would_miss_is_that_of_drawing_without_replacement(drawn: tuple[int, int]) -> None:
    count, of = drawn
    missed = [wrong for wrong in range(of + 1) if 20 * comb(of - wrong, count) >= comb(of, count)]
    assert at_most(count, of) == max(missed) / of


@pytest.mark.parametrize(
    ("states", "found"),
    [(("sound", "sound"), "sound"), (("sound", "unchecked"), "unchecked"), (("unchecked", "wrong"), "wrong")],
)
def test_the_worst_check_decides(states: tuple[str, ...], found: str) -> None:
    checks = [Check.model_validate({"name": "x", "state": state, "told": ""}) for state in states]
    assert worst(checks) == found


def test_the_figure_of_the_page_is_that_of_the_code() -> None:
    page = (Path(__file__).parents[2] / "docs" / "leaderboard.md").read_text()
    told = re.search(r"when (\d+) of (\d+) verdicts agree, at most ([\d.]+) % of all", " ".join(page.split()))
    assert told
    assert f"{100 * at_most(int(told[1]), int(told[2])):.1f}" == told[3]
