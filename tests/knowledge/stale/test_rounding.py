"""Which fractions of two releases count as the same."""

import pytest

from apigap.knowledge.stale.rounding import differ_by_rounding
from apigap.records.base import Json


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (1.0, 1.0000001, True),
        (1.0, 1.01, False),
        (0.0, -3.1e-17, True),
        (8.1e16, 3.4e16, True),  # the condition of a singular matrix
        (8.1e16, -3.4e16, False),
        (8.1e16, 3.4, False),
        (-1.1e-161, 5.0e262, True),  # of `numpy.empty`
        (0.0, 1.0, False),
        ({"array": [1.0, 2.0]}, {"array": [1.0000001, 2.0]}, True),
        ({"array": [1.0, 2.0]}, {"array": [1.0]}, False),
        ({"dtype": "int32", "value": 1.0}, {"dtype": "int64", "value": 1.0}, False),
        ({"array": ["a"], "dtype": "<U22"}, {"array": ["a"], "dtype": "<U88"}, True),
        ({"array": ["a"], "dtype": "<U22"}, {"array": ["b"], "dtype": "<U88"}, False),
        ({"array": ["a"], "dtype": "<U22"}, {"array": ["a"], "dtype": "object"}, False),
        (1, 2, False),
        (1, 1.0, False),
        ("a", "b", False),
    ],
)
def test_fractions_that_rounding_brings_apart(old: Json, new: Json, same: bool) -> None:
    assert differ_by_rounding(old, new) == same
