"""The mock layer: what stands in for something real."""

import pytest

from apigap.tasks.stand_ins import has_stand_in

CODES = [
    ("from unittest.mock import patch", True),
    ("import unittest.mock\nunittest.mock.patch('a.b')", True),
    ("import httpx\nclient = httpx.Client(transport=httpx.MockTransport(answer))", True),
    ("class FakeClock:\n    def now(self):\n        return 3", True),
    ("def fake_answer(request):\n    return 200", True),
    ("import time\ntime.time = lambda: 0.0", True),
    ("import numpy as np\nx = np.zeros(3)\nx.shape = (3, 1)", False),
    ("class Faker:\n    pass", False),
    ("class Model:\n    pass\nModel.price = 3", False),
]


@pytest.mark.parametrize(("code", "expected"), CODES)
def test_has_stand_in(code: str, expected: bool) -> None:
    assert has_stand_in(code) is expected
