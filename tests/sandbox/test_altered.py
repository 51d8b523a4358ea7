"""Results of a target while they are altered: another value of the same type, or the value itself."""

import copy
import datetime
import enum
import functools
from collections import namedtuple
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.sandbox.worker.watch.altered import ONLY_DATA, altered, altered_one
from apigap.sandbox.worker.watch.altering import step_of

Point = namedtuple("Point", "x y")
Colour = enum.Enum("Colour", "RED BLUE")


@dataclass
class Reading:
    name: str
    value: float


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, False), (1, 2), (1.5, 2.5), (float("inf"), 0.0), (1e300, 0.0), ("a1b", "a2b"), ("z", "a"), ("", "~"),
        (b'{"a": "/one"}', b'{"a": "/onf"}'), ([1, "a"], [2, "b"]), ([], [1]), ((1,), (2,)), ({"a": 1}, {"a": 2}),
        ({}, {"altered": 1}), (Point(1, 2), Point(2, 3)), (Colour.RED, Colour.BLUE),
        (datetime.date(2024, 1, 31), datetime.date(2024, 2, 1)), (PurePosixPath("a"), PurePosixPath("a/altered1")),
        (Reading("a", 1.0), Reading("b", 2.0)), (None, None),
    ],
)  # fmt: skip
def test_another_value_of_the_same_type(value: Any, expected: Any) -> None:
    found = altered(value, 1)
    assert (type(found), found) == (type(expected), expected)


def test_the_original_stays_as_it_is() -> None:
    reading, rows = Reading("a", 1.0), [{"a": [1]}]
    altered(reading, 1)
    altered(rows, 1)
    assert (reading, rows) == (Reading("a", 1.0), [{"a": [1]}])


_plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates()


@given(st.recursive(_plain, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20))
def test_it_has_the_same_type_and_never_raises(value: Any) -> None:
    assert type(altered(value, 1)) is type(value)


@given(st.booleans() | st.integers() | st.floats() | st.text() | st.binary())
def test_what_is_plain_always_changes(value: Any) -> None:
    assert altered(value, 1) != value or value != value  # nan becomes 0.0


def test_arrays_change_everywhere() -> None:
    np = pytest.importorskip("numpy")
    for array in (np.array([1, 2]), np.array([True]), np.array([1.5], dtype="float32"), np.array(["a", "b1"])):
        found = altered(array, 1)
        assert found.dtype.kind == array.dtype.kind
        assert (found != array).all()


def test_functions_do_the_same_and_give_another_result() -> None:
    def double(number: int) -> int:
        return 2 * number

    other, part = altered(double, 1), altered(functools.partial(double, 4), 1)
    assert (other.__name__, other(4), part(), type(part)) == ("double", 9, 9, functools.partial)
    assert altered({"f": double}, 1)["f"] is double


def test_only_data_leaves_objects_in_objects_as_they_are() -> None:
    inner = Reading("a", 1.0)
    outer: Any = Reading("b", 2.0)
    outer.inner, outer.rows = inner, [1]
    other = altered(outer, 1, ONLY_DATA)
    assert (other.name, other.value, other.inner is inner, inner.value) == ("c", 3.0, True, 1.0)
    assert altered(outer, 1).inner is not inner


PLAIN = st.recursive(
    st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for held in value.values() for leaf in leaves(held)]
    if isinstance(value, list):
        return [leaf for held in value for leaf in leaves(held)]
    return [value]


@given(st.lists(PLAIN, min_size=1, max_size=4), st.integers(1, 89))
def test_one_piece_of_plain_data_is_another(value: list[object], step: int) -> None:
    before = copy.deepcopy(value)
    other = altered_one(value, step)
    assert value == before
    if leaves(value):
        pairs = list(zip(leaves(value), leaves(other), strict=True))
        assert sum(one != two for one, two in pairs) == 1
    assert altered_one(value, step) == other


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=8), st.integers(1, 89))
def test_one_number_of_an_array_becomes_another_of_it(numbers: list[int], step: int) -> None:
    np = pytest.importorskip("numpy")
    array = np.array(numbers)
    labels, other = altered_one((["a"], array), step)
    assert array.tolist() == numbers
    assert (labels != ["a"]) + int((other != array).sum()) == 1
    if len(set(numbers)) > 1:
        assert set(other.tolist()) <= set(numbers)


class Lazy:
    """Has whatever is asked for, as an expression over columns has."""

    def __getattr__(self, name: str) -> "Lazy":
        return self

    def __call__(self, *args: Any) -> "Lazy":
        return self

    def __getitem__(self, key: Any) -> "Lazy":
        return self

    def __iter__(self) -> Any:
        raise TypeError("not iterable")


def test_steps_depend_on_data_and_not_on_addresses() -> None:
    for one, other in [
        ("shop.Money:94812343112048", "shop.Money:140212343112048"),
        ("<T at 0x7f0a12345678>", "<T at 0x7f0b87654321>"),
    ]:
        assert step_of(5, ({"ref": one},), {}) == step_of(5, ({"ref": other},), {})
    assert len({step_of(5, (f"room {number}",), {}) for number in range(9)}) > 1
    assert len({step_of(5, (f"2026-11-{number} 10:00",), {}) for number in range(10, 19)}) > 1
    assert 1 <= step_of(5, (Lazy(), [Lazy()]), {}) <= 89


def test_tables_of_polars_are_altered_alike_lazy_or_not() -> None:
    table = polars.DataFrame({"name": ["a", "b", "c"], "price": [1.5, 2.5, 3.5]})
    other = altered(table, 7)
    assert other.rows() == [("b", 2.5), ("c", 3.5)]
    assert altered(table.lazy(), 7).collect().equals(other)
    assert altered(table["price"], 7).to_list() == [8.5, 9.5, 10.5]
    assert altered(table["name"], 7).to_list() == ["b", "c"]


@pytest.mark.parametrize(
    ("values", "others"),
    [([1, 2], [3, 4]), ([1.5, 2.5], [3.5, 4.5]), (["a", "b"], ["b", "a"]), ([True, False], [False, True])],
)
def test_an_expression_of_polars_gives_other_values_as_many_as_before(values: list[Any], others: list[Any]) -> None:
    table = polars.DataFrame({"x": values})
    found = table.select(altered(polars.col("x"), 2))
    assert (found["x"].to_list(), found.schema) == (others, table.schema)
