"""Differences of fingerprints, and their text for a person."""

import math
from typing import Any

import numpy as np
import pytest

from apigap.records.base import canonical_json
from apigap.sandbox.verdict.comparison import UNSTABLE, differences, merge_stable
from apigap.sandbox.verdict.summary import summary
from apigap.sandbox.worker.values.fingerprint import fingerprint

from .test_fingerprint import Box, Colour, Model, Point

NAN = math.nan

# (expected, actual, the paths and kinds that differ)
ROWS: list[tuple[Any, Any, list[tuple[str, str]]]] = [
    (1, 1, []),
    (1, 2, [("", "value")]),
    (1, True, [("", "type")]),
    (1, 1.0, [("", "type")]),
    (1.0, 1.0 + 1e-12, []),
    (1.0, 1.0 + 1e-6, [("", "value")]),
    (0.0, -0.0, []),
    (NAN, NAN, []),
    (NAN, 1.0, [("", "type")]),
    ("a", "b", [("", "value")]),
    ([1, 2, 3], [1, 5, 3], [("[1]", "value")]),
    ([1, 2], [1, 2, 3], [("", "shape")]),
    ([1], (1,), [("", "type")]),
    ({"a": 1}, {"a": 2}, [("['a']", "value")]),
    ({"a": 1}, {"b": 1}, [("", "shape")]),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
    ({"a": {"b": [1]}}, {"a": {"b": [2]}}, [("['a']['b'][0]", "value")]),
    ({1, 2}, {1, 3}, [("[1]", "value")]),
    (Box(1), Box(2), [(".width", "value")]),
    (Box(1), Point(1, 2), [("", "type")]),
    (Model(a=1), Model(a=2), [(".a", "value")]),
    (Colour.RED, 1, [("", "type")]),
    (ValueError("a"), ValueError("b"), [(".args[0]", "value")]),
    (ValueError("a"), TypeError("a"), [("", "type")]),
    (np.array([1, 2]), np.array([1, 3]), [("[1]", "value")]),
    (np.array([1, 2]), np.array([1.0, 2.0]), [(".dtype", "shape"), ("[0]", "type"), ("[1]", "type")]),
    (np.zeros((2, 1)), np.zeros((1, 2)), [(".shape", "shape")]),
    (np.array([1, 2]), [1, 2], [("", "type")]),
    (np.float32(0.1), np.float32(0.1) + np.float32(1e-8), []),
    (np.array([0.1], dtype="float32"), np.array([0.1 + 3e-8], dtype="float32"), []),
    (len, max, [(".function", "value")]),
]


@pytest.mark.parametrize(("expected", "actual", "found"), ROWS, ids=[str(n) for n in range(len(ROWS))])
def test_differences(expected: Any, actual: Any, found: list[tuple[str, str]]) -> None:
    result = differences(fingerprint(expected), fingerprint(actual))
    assert [(one.path, one.kind) for one in result] == found


def test_what_varies_between_reference_runs_is_not_compared() -> None:
    merged = merge_stable([fingerprint({"id": 1, "x": [1, 2]}), fingerprint({"id": 2, "x": [1, 2]})])
    assert canonical_json(UNSTABLE) in canonical_json(merged)
    assert differences(merged, fingerprint({"id": 77, "x": [1, 2]})) == []
    assert [d.path for d in differences(merged, fingerprint({"id": 77, "x": [1, 3]}))] == ["['x'][1]"]


def test_another_type_between_reference_runs_is_wholly_unstable() -> None:
    assert merge_stable([1, "a"]) == {"unstable": True}
    assert merge_stable([[1, 2], [1]]) == {"unstable": True}


def test_nothing_to_merge_is_an_error() -> None:
    with pytest.raises(ValueError, match="no fingerprint"):
        merge_stable([])


SUMMARIES: list[tuple[Any, str]] = [
    (None, "None"),
    ([1, 2], "[1, 2]"),
    ((1,), "(1,)"),
    ({"a": (1, 2.5)}, "{'a': (1, 2.5)}"),
    (set(), "set()"),
    (b"ab", "b'ab'"),
    (Model(a=1), "Model(a=1, url=None)"),
    (Box(1, "x"), "Box(label='x', width=1)"),
    (Colour.RED, "Colour.RED"),
    (ValueError("no"), "ValueError('no')"),
    (NAN, "nan"),
    (int, "<class int>"),
    (np.array([[1, 2]]), "array(1x2 int64: 1, 2)"),
]


@pytest.mark.parametrize(("value", "text"), SUMMARIES, ids=[row[1] for row in SUMMARIES])
def test_summary(value: Any, text: str) -> None:
    assert summary(fingerprint(value)) == text
