"""Ranking metrics: closed forms, and laws over any ranking."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.retrieval.metrics import hit_at, ndcg_at, reciprocal_rank, target_rank

LETTERS = [*"abcdefgh"]
RANKED = st.permutations(LETTERS)
RELEVANT = st.sets(st.sampled_from([*LETTERS, "absent"]), max_size=4)
K = st.integers(1, 9)


@pytest.mark.parametrize(
    ("ranked", "relevant", "rank", "reciprocal", "hit_at_3", "ndcg_at_3"),
    [
        ("abcd", "a", 1, 1, 1, 1),
        ("abcd", "b", 2, 1 / 2, 1, 1 / math.log2(3)),
        ("abcd", "c", 3, 1 / 3, 1, 1 / 2),
        ("abcd", "d", 4, 1 / 4, 0, 0),
        ("abcd", "x", None, 0, 0, 0),
        ("abcd", "", None, 0, 0, 0),
        ("", "a", None, 0, 0, 0),
        ("abcd", "ab", 1, 1, 1, 1),
        ("abcd", "ac", 1, 1, 1, (1 + 1 / 2) / (1 + 1 / math.log2(3))),
        ("abcd", "abcd", 1, 1, 1, 1),
        ("bba", "a", 3, 1 / 3, 1, 1 / math.log2(3)),  # an id counts once in NDCG
    ],
)
def test_closed_forms(
    ranked: str, relevant: str, rank: int | None, reciprocal: float, hit_at_3: float, ndcg_at_3: float
) -> None:
    found, wanted = [*ranked], {*relevant}
    assert target_rank(found, wanted) == rank
    assert reciprocal_rank(found, wanted) == pytest.approx(reciprocal)
    assert hit_at(found, wanted, 3) == hit_at_3
    assert ndcg_at(found, wanted, 3) == pytest.approx(ndcg_at_3)


@given(RANKED, RELEVANT, K)
def test_all_are_between_0_and_1_and_agree(ranked: list[str], relevant: set[str], k: int) -> None:
    values = [hit_at(ranked, relevant, k), reciprocal_rank(ranked, relevant), ndcg_at(ranked, relevant, k)]
    assert all(0 <= value <= 1 + 1e-12 for value in values)
    rank = target_rank(ranked, relevant)
    assert (values[0] == 1) == (values[2] > 0) == (rank is not None and rank <= k)


@given(RANKED, RELEVANT, K)
def test_more_places_never_hit_less(ranked: list[str], relevant: set[str], k: int) -> None:
    assert hit_at(ranked, relevant, k) <= hit_at(ranked, relevant, k + 1)


@pytest.mark.parametrize("metric", [hit_at, ndcg_at, lambda r, t, k: reciprocal_rank(r, t)])
@given(ranked=RANKED, relevant=RELEVANT, k=K, place=st.integers(0, 6))
def test_moving_a_relevant_id_up_never_lowers_it(
    metric: Callable[[list[str], set[str], int], float], ranked: list[str], relevant: set[str], k: int, place: int
) -> None:
    moved = [*ranked]
    if moved[place + 1] in relevant and moved[place] not in relevant:
        moved[place], moved[place + 1] = moved[place + 1], moved[place]
    assert metric(moved, relevant, k) >= metric(ranked, relevant, k)


@given(RANKED, st.sampled_from(LETTERS), K)
def test_with_one_target_ndcg_is_the_discount_of_its_place(ranked: list[str], target: str, k: int) -> None:
    place = ranked.index(target) + 1
    expected = 1 / math.log2(place + 1) if place <= k else 0
    assert ndcg_at(ranked, {target}, k) == pytest.approx(expected)
