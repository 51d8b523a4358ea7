"""Gap, cure and knowledge: what they are by hand, laws, and how often their intervals hold the truth."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.statistics.simulated_answers import Design, Side, Truth, draw

from apigap.records.errors import UsageError
from apigap.statistics import Answers, Difference, cure, gap, holm, knowledge, paired_mean, rung_level
from apigap.statistics.differences import Group

Row = tuple[str, str, str, Group, str, float]


def answers(*rows: Row) -> Answers:
    libraries, apis, matches, groups, conditions, scores = zip(*rows, strict=True)
    return Answers(libraries, apis, matches, groups, conditions, scores)


def pairs(count: int, control: float, new: float, condition: str = "none", library: str = "lib") -> list[Row]:
    rows: list[Row] = []
    for number in range(count):
        rows.append((library, f"old{number}", f"m{number}", "control", condition, control))
        rows.append((library, f"new{number}", f"m{number}", "new", condition, new))
    return rows


score = st.sampled_from([0.0, 1.0, 0.5, 1 / 3])
drawn = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9), score, score), min_size=1, max_size=30)


@given(drawn, st.randoms())
@settings(max_examples=60)
def test_laws_of_the_gap(table: list[tuple[str, int, float, float]], shuffle: random.Random) -> None:
    rows: list[Row] = []
    for library, match, old, new in table:
        rows.append((library, f"old{match}", f"m{match}", "control", "none", old))
        rows.append((library, f"new{match}", f"m{match}", "new", "none", new))
    twins: list[Row] = []
    for library, api, match, group, condition, value in rows:
        side: Group = "twin" if group == "control" else "new"
        twins.append((library, api, match, side, condition, value))
    found = knowledge(answers(*twins), "none")
    shuffled = list(rows)
    shuffle.shuffle(shuffled)
    there, again = gap(answers(*rows), "none", 0.0), gap(answers(*shuffled), "none", 0.0)
    assert there == again
    if there.estimate is not None:
        assert found.estimate == pytest.approx(-there.estimate)
    if there.low is not None and there.high is not None and there.p_value is not None and there.estimate is not None:
        assert -1 <= there.low <= there.estimate <= there.high <= 1
        assert (there.p_value < 0.05) == (there.low > 0 or there.high < 0)
        assert found.p_value == pytest.approx(there.p_value)


def test_each_pair_counts_once_however_many_items_it_has() -> None:
    rows = pairs(6, control=1.0, new=0.0)
    many: list[Row] = [("lib", "old0", "m0", "control", "none", 0.0)] * 3  # m0: controls 1, 0, 0, 0
    assert gap(answers(*rows), "none", 0.25).estimate == 1
    assert gap(answers(*rows, *many), "none", 0.1).estimate == pytest.approx((5 + 0.25) / 6)


@given(drawn, st.integers(2, 4))
@settings(max_examples=40)
def test_news_that_more_apis_tell_is_no_more_news(table: list[tuple[str, int, float, float]], told: int) -> None:
    families = [f"m{match}" for _, match, _, _ in table for _ in range(2)]
    once: list[Row] = []
    for library, match, old, new in table:
        once.append((library, f"old{match}", f"m{match}", "control", "none", old))
        once.append((library, f"new{match}", f"m{match}", "new", "none", new))
    often: list[Row] = [
        (library, api, f"{match}.{copy}", group, condition, value)
        for copy in range(told)
        for library, api, match, group, condition, value in once
    ]
    there = gap(answers(*once), "none", 0.0)
    again = gap(replace(answers(*often), families=families * told), "none", 0.0)
    if there.estimate is not None and again.estimate is not None:  # controls are more there, so the rung may be reached
        assert again.families == there.families == there.pairs == again.pairs // told
        assert (again.estimate, again.low, again.high) == pytest.approx((there.estimate, there.low, there.high))


def test_pairs_of_few_news_are_too_few() -> None:
    rows = pairs(6, control=1.0, new=0.0)
    found = gap(replace(answers(*rows), families=["one"] * 8 + ["two"] * 4), "none", 0.0)
    assert found.low is None and found.reason and "6 pairs that are 2 pieces of news are too few" in found.reason


NEWS = Design("news", (30,) * 4, most_members=10)


def test_news_counted_once_is_as_uncertain_as_it_says() -> None:
    """Members of one piece of news are answered alike: taken for pairs of their own they give false alarms."""
    rng = np.random.default_rng(5)
    rates: dict[Side, float] = {("new", "none"): 0.5, ("control", "none"): 0.5}
    drawn_sets = [draw(NEWS, Truth(rates, apart=0.0), rng)[0] for _ in range(200)]
    called, alone = (
        sum((gap(one, "none", 0.0).p_value or 1) < 0.05 for one in sets)
        for sets in (drawn_sets, [replace(one, families=None) for one in drawn_sets])
    )
    assert called <= 18 < alone  # of 200, 5 % are 10, and 18 a chance of one in a hundred


def test_the_cure_is_what_new_apis_gain_beyond_controls() -> None:
    rows = pairs(8, 0.5, 0.0) + pairs(8, 0.75, 1.0, "signature")
    found = cure(answers(*rows), "none", "signature")
    assert found.estimate == pytest.approx(1.0 - 0.25)
    assert found.p_value is not None and found.p_value < 0.01
    assert cure(answers(*rows), "signature", "none").estimate == pytest.approx(-0.75)


def test_the_interval_is_that_of_adding_two_pairs_by_hand() -> None:
    values = np.array([1.0, 0.0, 0.5, 1.0, 0.0, 0.0, 1.0])
    low, high, p_value = paired_mean(values, ["lib"] * 7)
    # The variance of the seven pairs is the unbiased one; both added pairs and the pull to 0 come on top.
    centre = values.sum() / 9
    squares = 7 * values.var(ddof=1) + 2 * 0.25 + 2 * 7 / 9 * values.mean() ** 2
    assert (low + high) / 2 == pytest.approx(centre)
    assert (high - low) / 2 == pytest.approx(2.306004 * np.sqrt(squares) / 9, rel=1e-5)  # t of 8 degrees
    assert 0.05 < p_value < 0.5


def test_libraries_that_differ_do_not_widen_the_interval() -> None:
    values = [0.0, 0.1] * 5 + [0.9, 1.0] * 5
    one, two = paired_mean(values, ["a"] * 20), paired_mean(values, ["a"] * 10 + ["b"] * 10)
    assert two[1] - two[0] < 0.7 * (one[1] - one[0])


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (gap(answers(*pairs(4, 1.0, 0.0)), "none", 0.25), "4 pairs are too few for an interval; it needs 5"),
        (gap(answers(*pairs(8, 0.0, 0.0)), "none", 0.25), "below the rung"),
        (gap(answers(*pairs(8, 0.25, 0.0)), "none", 0.25), "controls are not above chance (0.25 against 0.25)"),
        (gap(answers(*pairs(1, 1.0, 0.0)), "none", 0.5), "1 pair is too few for an interval; it needs 5"),
        (
            gap(answers(*pairs(8, 1.0, 0.0)), "signature", 0.25),
            "nothing was asked of new APIs in signature, old APIs in sig",
        ),
        (knowledge(answers(*pairs(8, 1.0, 0.0)), "none"), "nothing was asked of twins of new APIs in none"),
        (
            gap(answers(("lib", "o", "m1", "control", "none", 1), ("lib", "n", "m2", "new", "none", 1)), "none", 0.0),
            "no pair was asked on both sides",
        ),
    ],
)
def test_no_interval_without_a_reason(found: Difference, reason: str) -> None:
    assert found.low is None and found.high is None and found.p_value is None
    assert found.reason is not None and reason in found.reason


def test_a_pair_with_one_side_is_counted() -> None:
    rows = pairs(8, 1.0, 0.0)
    found = gap(answers(*rows, ("lib", "old9", "m9", "control", "none", 0.0)), "none", 0.25)
    assert (found.pairs, found.left_out, found.estimate) == (8, 1, 1)
    other = gap(answers(*rows, *pairs(8, 1.0, 1.0, library="other")), "none", 0.25)
    assert (other.pairs, other.libraries, other.estimate) == (16, 2, 0.5)


def test_bad_rows() -> None:
    good = answers(*pairs(2, 1.0, 0.0))
    with pytest.raises(UsageError, match="give one value of each"):
        replace(good, scores=[1.0])
    with pytest.raises(UsageError, match="not a rate"):
        replace(good, scores=[1.0, 0.0, 2.0, 0.0])
    with pytest.raises(UsageError, match="chance level of 1"):
        rung_level(good, "none", 1.0)
    with pytest.raises(UsageError, match="one library per pair"):
        paired_mean([1.0, 0.0], ["a"])


SMALL = (Design("one library", (8,)), Design("libraries", (3, 5, 8, 4)))


@pytest.mark.parametrize("design", SMALL, ids=lambda design: design.name)
@pytest.mark.parametrize("rates", [(0.02, 0.3), (0.05, 0.95), (0.3, 0.6), (0.9, 0.97)])
def test_the_interval_of_a_gap_holds_the_truth(design: Design, rates: tuple[float, float]) -> None:
    rng = np.random.default_rng(28)
    sides: dict[Side, float] = {("new", "none"): rates[0], ("control", "none"): rates[1]}
    held: list[bool] = []
    for _ in range(200):
        rows, means = draw(design, Truth(sides), rng)
        found = gap(rows, "none", 0.0)
        if found.low is not None and found.high is not None:
            held.append(found.low <= means["control", "none"] - means["new", "none"] <= found.high)
    assert np.mean(held) >= 0.91  # 95 less two and a half standard errors of the simulation


def test_no_gap_and_no_cure_are_seldom_called_one() -> None:
    rng = np.random.default_rng(28)
    sides: dict[Side, float] = {(group, condition): 0.5 for group in ("new", "control") for condition in ("no", "sig")}
    gaps: list[float] = []
    cures: list[float] = []
    for _ in range(300):
        rows, _ = draw(SMALL[1], Truth(sides, apart=0.0), rng)
        found, cured = gap(rows, "no", 0.0), cure(rows, "no", "sig")
        assert found.p_value is not None and cured.p_value is not None
        gaps.append(found.p_value)
        cures.append(cured.p_value)
    assert np.mean(np.array(gaps) < 0.05) <= 0.07
    assert np.mean(np.array(cures) < 0.05) <= 0.07
    assert np.mean(np.array(gaps) < 0.3) >= 0.15  # and not because nothing is ever called one
    assert min(holm(gaps[:5])) >= min(gaps[:5])
