"""Containers that a task leaves open: what holds the same is equal, and nothing else is."""

import collections
import types
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from apigap.records.task import Containers
from apigap.sandbox.verdict.comparison import differences
from apigap.sandbox.verdict.containers import fully_opened
from apigap.sandbox.worker.values.fingerprint import fingerprint

from .strategies import forms
from .test_fuzz import MALFORMED


class ListThatLies(list[Any]):
    """A list of other values than it says."""

    def __iter__(self) -> Any:
        return iter([1, 2, 3])

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


class ArrayThatLies(np.ndarray[Any, Any]):
    """An array of other values than it says."""

    def tolist(self) -> Any:
        return [1, 2, 3]


class AllKeys(dict[Any, Any]):
    """A dictionary with every key."""

    def __missing__(self, key: object) -> int:
        return 1

    def items(self) -> Any:
        return {"a": 1}.items()


class EqualToAll:
    """An object that is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def _fake(name: str, module: str, values: list[Any]) -> Any:
    """An object of a class that calls itself a column of pandas."""
    cls = type(name, (), {"__module__": module, "__qualname__": name, "tolist": lambda self: values})
    return cls()


OBJECTS = np.array([EqualToAll(), EqualToAll(), EqualToAll()], dtype=object)
LIST, MATRIX = [1, 2, 3], [[1.5, 2.0], [3.0, 4.0]]

# (expected, actual), equal where any container may stand for another
EQUAL: list[tuple[Any, Any]] = [
    (LIST, (1, 2, 3)),
    (LIST, np.array(LIST)),
    (LIST, np.array(LIST, dtype="int16")),
    (LIST, np.array(LIST, dtype=object)),
    (LIST, range(1, 4)),
    (LIST, {1: 0, 2: 0, 3: 0}.keys()),
    (LIST, [np.int64(1), np.uint8(2), 3]),
    (np.array(LIST), LIST),
    (np.array([0.1], dtype="float32"), [0.1]),
    (np.array(MATRIX), [tuple(row) for row in MATRIX]),
    (MATRIX, np.array(MATRIX)),
    (MATRIX, [np.array(row) for row in MATRIX]),
    (["a", "b"], np.array(["a", "b"])),
    ([], np.array([])),
    ([[], []], np.zeros((2, 0))),
    ([np.nan, 1.0], np.array([np.nan, 1.0])),
    ({"a": [1]}, {"a": (1,)}),
    ({"a": 1, "b": 2}, collections.OrderedDict(b=2, a=1)),
    ({"a": 1}, types.MappingProxyType({"a": 1})),
    ({"a": [1]}, collections.defaultdict(list, a=[1])),
    ({"a": 2}, collections.Counter("aa")),
    ({1: "a"}, {np.int64(1): "a"}),
    ({1, 2}, frozenset({1, 2})),
    ({1, 2}, {np.int64(1), np.int64(2)}),
    (3, np.int64(3)),
    (np.int64(3), 3),
    (np.float32(0.1), 0.1),
    (2.5, np.array(2.5)),
    (np.nan, np.float64(np.nan)),
    ("a", np.str_("a")),
    (np.bool_(True), True),
]  # fmt: skip

# (expected, actual), different whatever is left open
DIFFERENT: list[tuple[Any, Any]] = [
    (LIST, [1, 2]),
    (LIST, [3, 2, 1]),
    (LIST, {1, 2, 3}),
    (LIST, [1.0, 2.0, 3.0]),
    (LIST, np.array([1.0, 2.0, 3.0])),
    (LIST, ["1", "2", "3"]),
    (LIST, "123"),
    (LIST, (number for number in LIST)),
    ([1, 0], [True, False]),
    ([True], np.array([1])),
    ([1.5], np.array([1.5], dtype="complex128")),
    (1.0, 1),
    (1, True),
    (LIST, np.array([LIST])),
    (MATRIX, np.array(MATRIX).T),
    (MATRIX, np.array(MATRIX).ravel()),
    ([[]], np.zeros((0, 1))),
    ([0, 1], np.array([0, 1], dtype="datetime64[ns]")),
    ([np.nan], [None]),
    (LIST, np.ma.masked_array(LIST, [False, True, False])),
    ({"a": 1}, [("a", 1)]),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": 1}, {}.keys()),
    ({1, 2}, [1, 2]),
    (LIST, ListThatLies([7, 8, 9])),
    (LIST, ListThatLies(LIST)),
    (LIST, np.array([7, 8, 9]).view(ArrayThatLies)),
    (LIST, np.array(LIST).view(ArrayThatLies)),
    (LIST, OBJECTS),
    (LIST, [EqualToAll()] * 3),
    (LIST, EqualToAll()),
    ({"a": 1}, AllKeys()),
    ({"a": 1}, AllKeys(a=1)),
    ({"a": 1}, collections.defaultdict(lambda: 1)),
    (1, EqualToAll()),
    (LIST, _fake("Series", "pandas", LIST)),
    (LIST, _fake("Index", "pandas.core.indexes.base", LIST)),
    (LIST, _fake("ndarray", "numpy", LIST)),
]  # fmt: skip


@pytest.mark.parametrize(("expected", "actual"), EQUAL, ids=map(str, range(len(EQUAL))))
def test_containers_that_hold_the_same_are_equal_where_they_are_open(expected: Any, actual: Any) -> None:
    assert differences(fingerprint(expected), fingerprint(actual), "any") == []
    assert differences([fingerprint(expected)], [fingerprint(actual)], "any inside") == []
    assert differences([fingerprint(expected)], (fingerprint([actual])), "any inside") == []


@pytest.mark.parametrize(("expected", "actual"), DIFFERENT, ids=map(str, range(len(DIFFERENT))))
def test_everything_else_is_different(expected: Any, actual: Any) -> None:
    for free in (None, "any", "any inside"):
        assert differences(fingerprint(expected), fingerprint(actual), free)
        assert differences({"dict": [["key", fingerprint(expected)]]}, fingerprint({"key": actual}), free)


@pytest.mark.parametrize(
    ("expected", "actual", "equal"),
    [
        ([(1, 2)], [[1, 2]], True),
        ([(1, 2)], ([1, 2],), False),
        ({"a": (1, 2)}, {"a": np.array([1, 2])}, True),
        ({"a": (1, 2)}, collections.OrderedDict(a=(1, 2)), False),
        ((1, {"a": [2]}), (1, {"a": (2,)}), True),
        (LIST, np.array(LIST), False),
    ],
)
def test_what_is_asked_for_outside_stays_while_what_is_inside_is_open(expected: Any, actual: Any, equal: bool) -> None:
    assert (differences(fingerprint(expected), fingerprint(actual), "any inside") == []) is equal


def test_an_object_keeps_its_own_containers() -> None:
    one, other = types.SimpleNamespace(codes=[1]), types.SimpleNamespace(codes=(1,))
    assert differences(fingerprint(one), fingerprint(other), "any")
    assert differences(fingerprint([ValueError([1])]), fingerprint([ValueError((1,))]), "any")


def test_a_large_array_is_known_by_samples_and_stays_an_array() -> None:
    large = np.arange(5_000)
    assert differences(fingerprint(large), fingerprint(large), "any") == []
    assert differences(fingerprint(large), fingerprint(large.tolist()), "any")


def _column(values: list[Any], labels: list[Any] | None = None, kind: str = "pandas.Series") -> Any:
    """The form of a column, as `describe_array` writes it."""
    index = {"names": [None], "dtype": "int64", "values": [*range(len(values))] if labels is None else labels}
    return {"type": kind, "frame": {"name": "x", "dtype": "int64", "index": index, "values": values}}


def test_a_column_stands_for_its_values_and_labels_are_kept_where_they_are_expected() -> None:
    assert differences([1, 2], _column([1, 2]), "any") == []
    assert differences([1, 2], _column([1, 2], [7, 9]), "any") == []
    assert differences(_column([1, 2]), [1, 2], "any") == []
    assert differences(_column([1, 2]), _column([1, 2], kind="pandas.core.series.Series"), "any") == []
    assert differences(_column([1, 2], [7, 9]), [1, 2], "any")
    assert differences(_column([1, 2], [7, 9]), _column([1, 2]), "any")
    assert differences([1, 2], _column([1, 2], kind="geopandas.Series"), "any")


@given(forms, forms)
@settings(max_examples=200, deadline=None)
def test_any_two_forms_can_be_compared_and_what_is_equal_stays_equal(one: Any, other: Any) -> None:
    free: Containers
    for free in ("any", "any inside"):
        assert differences(one, one, free) == []
        if not differences(one, other):
            assert differences(one, other, free) == []
    fully_opened(one)


@pytest.mark.parametrize("form", MALFORMED, ids=map(str, range(len(MALFORMED))))
def test_a_form_that_no_worker_writes_differs_from_a_right_one(form: Any) -> None:
    for right in ({"tuple": [1]}, {"dict": [["a", 1]]}, [1], 1, None):
        assert differences(right, form, "any")
        assert differences(form, right, "any")


@pytest.mark.parametrize(
    "form",
    [
        {"array": {"dtype": "int64", "shape": [10**12, 0], "values": []}},
        {"array": {"dtype": "int64", "shape": [-1], "values": []}},
        {"range": [0, 10**15, 1]},
        {"range": [0, 5, 0]},
        {"numpy": "int64", "value": [1]},
    ],
)
def test_a_form_that_would_be_huge_or_none_when_opened_is_not_opened(form: Any) -> None:
    assert fully_opened(form) == form


@pytest.mark.parametrize("containers", ["any", "any inside", None])
def test_a_forged_report_of_any_depth_is_another_value(containers: Containers | None) -> None:
    deep: Any = 1
    for _ in range(900):  # as deep as JSON is read
        deep = {"tuple": [deep]}
    axes = {"array": {"dtype": "int64", "shape": [1] * 5_000, "values": [1]}}
    for forged in (deep, {"dict": [[deep, 2]]}, {"set": [deep]}, axes):
        for expected in ([1], {"dict": [[1, 2]]}, {"set": [1]}):
            assert differences(expected, forged, containers)
