"""Pairs on a rung that not every API can be asked on."""

import pytest

from apigap.ladder.controls import Pair
from apigap.ladder.make import subjects_of
from apigap.ladder.rung_pairs import paired_on_rung
from tests.ladder.made import api, parameter

NEW = [api(f"lib.new_{letter}", *(parameter(f"p{n}") for n in range(number))) for number, letter in enumerate("abc")]
OLD = [api(f"lib.old_{letter}", *(parameter(f"p{n}") for n in range(number))) for number, letter in enumerate("abc")]
LATE = api("lib.new_d", parameter("p0"))
PAIRS = [Pair(new, old) for new, old in zip(NEW, OLD, strict=True)]


@pytest.mark.parametrize(("asked", "expected"), [
    ("new_a new_b new_c old_a old_b old_c", "a b c"),
    ("new_a old_b", "a a c"),
    ("new_a new_b old_b old_c", "a b a"),
    ("new_c old_a old_b", "a c c"),  # the nearer one, by parameters
    ("new_d old_a old_b", "a d c"),  # without a control of its own
    ("old_a old_b", "a b c"),
    ("", "a b c"),
])  # fmt: skip
def test_only_those_without_their_partner_are_paired_again(asked: str, expected: str) -> None:
    there = {f"lib.{name}" for name in asked.split()}
    subjects = subjects_of(PAIRS, [LATE])
    again = paired_on_rung(subjects, there)
    assert [one.api for one in again] == [one.api for one in subjects]
    assert [one.pair.api_name[-1] for one in again if one.group == "control"] == expected.split()
    assert all(one.pair is one.api for one in again if one.group == "new")
