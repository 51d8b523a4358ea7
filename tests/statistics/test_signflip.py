"""The chances of coins behind the exact sign-flip test."""

from fractions import Fraction
from math import comb

import pytest

from apigap.statistics import signflip


@pytest.mark.parametrize("count", [0, 1, 2, 7, 64, 1100])
def test_chances_of_heads_are_the_floats_next_to_the_true_ones(count: int) -> None:
    wanted = [float(Fraction(comb(count, heads), 2**count)) for heads in range(count + 1)]
    assert signflip._binomial(count).tolist() == wanted  # pyright: ignore[reportPrivateUsage]
