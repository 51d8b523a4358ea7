"""Matched controls: each new API gets the one that is most like it, of its own shape, and balance is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.ladder.controls import Pair, balance_of, match
from apigap.records.candidate import Candidate
from tests.ladder.made import api, parameter

NAMES = [parameter(name) for name in "abcdefgh"]


def test_each_new_api_gets_the_most_alike_one() -> None:
    new = [api("lib.short", NAMES[0]), api("lib.long", *NAMES[:6], docstring="x" * 900)]
    pool = [
        api("lib.old_long", *NAMES[:6], docstring="y" * 880), api("lib.old_short", NAMES[1]),
        api("lib.between", *NAMES[:3], docstring="z" * 100),
    ]  # fmt: skip
    found = match(new, pool)
    assert [(p.new.api_name, p.control.api_name) for p in found.pairs] == [
        ("lib.short", "lib.old_short"), ("lib.long", "lib.old_long")
    ]  # fmt: skip
    assert not found.unmatched
    assert not any(one.is_large for one in found.balance)


def test_another_shape_is_no_control() -> None:
    found = match([api("lib.C", kind="class"), api("lib.f")], [api("lib.g"), api("lib.h")])
    assert [p.new.api_name for p in found.pairs] == ["lib.f"]
    assert [one.api_name for one in found.unmatched] == ["lib.C"]


@pytest.mark.parametrize("new, pool", [([], [api("lib.g")]), ([api("lib.f")], [])])
def test_without_apis_or_pool_there_are_no_pairs(new: list[Candidate], pool: list[Candidate]) -> None:
    found = match(new, pool)
    assert (found.pairs, found.balance) == ((), ())
    assert list(found.unmatched) == new


def test_a_difference_in_standard_deviations() -> None:
    pairs = [Pair(api("lib.f", *NAMES[:n]), api("lib.g", *NAMES[: n + 2])) for n in (0, 2, 4)]
    parameters = balance_of(pairs)[0]
    assert (parameters.covariate, parameters.new, parameters.control) == ("parameters", 2.0, 4.0)
    assert parameters.difference == pytest.approx(-2 / (8 / 3) ** 0.5, abs=1e-4)
    assert parameters.is_large


def test_groups_that_differ_throughout_are_not_called_alike() -> None:
    balance = balance_of([Pair(api(f"lib.f{n}", *NAMES[:1]), api(f"lib.sub.mod.g{n}", *NAMES[:2])) for n in range(3)])
    found = {one.covariate: (one.difference, one.is_large) for one in balance}
    assert found["parameters"] == found["depth"] == (None, True)
    assert found["docstring"] == (0.0, False)


@given(st.permutations(range(6)), st.integers(1, 6))
def test_the_order_of_the_pool_changes_nothing_and_nobody_is_taken_twice(order: list[int], count: int) -> None:
    pool = [api(f"lib.old{n}", *NAMES[:n], docstring="x" * n) for n in range(6)]
    new = [api(f"lib.new{n}", *NAMES[: (n * 2) % 7]) for n in range(count)]
    found = match(new, [pool[place] for place in order])
    assert found == match(new, pool)
    controls = [pair.control.api_name for pair in found.pairs]
    assert len(set(controls)) == len(controls) == count
