"""Contexts that draw without a seed are refused, those with one are not."""

import pytest

from apigap.tasks.chance import draws_by_chance

ROWS = [
    ("import numpy as np\nx = np.random.rand(3)", "np.random.rand(3)"),
    ("import numpy as np\nnp.random.seed(1)\nx = np.random.rand(3)", None),
    ("import numpy as np\nrng = np.random.default_rng()", "np.random.default_rng()"),
    ("import numpy as np\nrng = np.random.default_rng(12)\nx = rng.normal(size=3)", None),
    ("from numpy.random import RandomState\nr = RandomState()", "RandomState()"),
    ("from numpy.random import RandomState\nr = RandomState(7)", None),
    ("from random import shuffle\nshuffle([1, 2])", "shuffle([1, 2])"),
    ("import random\nrandom.seed(4)\nrandom.random()", None),
    ("import uuid\nx = uuid.uuid4()", "uuid.uuid4()"),
    ("x = rng.random(3)", None),
    ("x = sorted([3, 1])", None),
]


@pytest.mark.parametrize(("code", "expected"), ROWS)
def test_what_draws_by_chance(code: str, expected: str | None) -> None:
    assert draws_by_chance(code) == expected
