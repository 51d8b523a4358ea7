"""What the author observes of a reference's outcome."""

import pytest

from apigap.records.run import RunRecord
from apigap.tasks.synthesise import observable

VAST = {"type": "lib.Thing", "fields": [["rows", list(range(9_000))]]}
ROWS = [
    ("plain data", {"x": 1, "str(x)": "1"}, ["x"]),
    ("a library's object that can be compared", {"x": {"type": "lib.T", "fields": [["a", 1]]}}, ["x"]),
    ("a vast object with a text of its own", {"x": VAST, "str(x)": "ALTER TABLE t"}, ["str(x)"]),
    ("a vast object with the default text", {"x": VAST, "str(x)": "<lib.Thing object at 0x7f0011>"}, []),
    ("a vast object with a vast text", {"x": VAST, "str(x)": "a" * 30_000}, []),
    ("what was not observed stays, for a later rule to judge", {}, ["x"]),
]


@pytest.mark.parametrize(("observed", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_text_stands_in_for_inner_state_that_is_too_large(observed: dict[str, object], expected: list[str]) -> None:
    assert list(observable(["x"], RunRecord(status="completed", phase="report", observations=observed))) == expected
