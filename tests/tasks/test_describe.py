"""Which observations a task shows and judges first."""

from typing import Any

import pytest

from apigap.tasks.describe import is_telling

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
