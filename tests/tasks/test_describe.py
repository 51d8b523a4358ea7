"""Which observations a task shows and judges first."""

from typing import Any

import pytest

from apigap.tasks.describe import describe, is_telling
from tests.tasks.test_cut import candidate, draft

VALUES: list[tuple[Any, bool]] = [
    (1, True),
    ("text", True),
    ({"raises": "ValueError"}, True),
    ({"dict": [["a", 1], ["b", [1, 2]]]}, True),
    ({"type": "__main__.Model", "fields": [["x", 1]]}, True),
    ({"type": "decimal.Decimal", "text": "1.0"}, True),
    ({"type": "lib.Client", "fields": [["x", 1]]}, False),
    ([1, {"type": "lib.Client", "fields": []}], False),
    ({"type": "__main__.Model", "fields": [["x", {"type": "lib.Client", "fields": []}]]}, False),
    ({"dict": [["a", {"unstable": True}]]}, False),
]


@pytest.mark.parametrize(("value", "expected"), VALUES)
def test_is_telling(value: Any, expected: bool) -> None:
    assert is_telling(value) is expected


def test_an_output_that_has_the_name_in_it_is_left_out() -> None:
    made = draft("from lib import slugify\ny = slugify('A b')\nz = y.n\nassert y == 1")
    text = describe(made, candidate(), {"y": {"type": "__main__.slugify", "fields": []}, "y.n": 3})
    assert text is not None
    assert "slugify" not in text
    assert "- `y.n` gives `3`" in text
