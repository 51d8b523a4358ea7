"""Fingerprints: exact types, no call of anything that the value overrides, and laws that hold for any value."""

import collections
import contextlib
import copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import ipaddress
import json
import math
import operator
import pathlib
import re
import sqlite3
import uuid
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import polars as pl
import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.records.base import canonical_json
from apigap.sandbox.verdict.comparison import differences, merge_stable
from apigap.sandbox.verdict.summary import summary
from apigap.sandbox.worker.protocol import dumps
from apigap.sandbox.worker.values.fingerprint import Bounds, fingerprint


class Colour(enum.Enum):
    RED = 1


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Box:
    width: int
    label: str = "b"


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self) -> None:
        self.a = 1


class Model(pydantic.BaseModel):
    a: int
    url: pydantic.AnyUrl | None = None


class Hostile(int):
    """Everything that could lie, lies or raises."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("called")

    def __int__(self) -> int:
        raise AssertionError("called")

    __hash__ = __index__ = __repr__ = __str__ = __bool__ = __lt__ = __int__  # pyright: ignore


class HostileList(list[int]):
    def __iter__(self) -> Any:
        raise AssertionError("called")

    __len__ = __eq__ = __getitem__ = __repr__ = __iter__  # pyright: ignore
    __class__ = dict  # pyright: ignore


HERE = __name__
MODEL = {
    "type": f"{HERE}.Model",
    "fields": [
        ["__pydantic_extra__", None],
        ["__pydantic_fields_set__", {"set": ["a"]}],
        ["__pydantic_private__", None],
        ["a", 1],
        ["url", None],
    ],
}

# (value, its form)
FORMS: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (1, 1),
    (1.0, 1.0),
    (2**70, {"int": "0x400000000000000000"}),
    (math.nan, {"float": "nan"}),
    (-math.inf, {"float": "-inf"}),
    (1 + 2j, {"complex": [1.0, 2.0]}),
    ("é\udc80", "é\udc80"),
    (b"ab", {"bytes": "6162"}),
    (bytearray(b"ab"), {"bytearray": {"bytes": "6162"}}),
    ([1, [2]], [1, [2]]),
    ((1,), {"tuple": [1]}),
    ({3, 1, 2}, {"set": [1, 2, 3]}),
    (frozenset("ba"), {"frozenset": ["a", "b"]}),
    ({"b": 1, "a": 2}, {"dict": [["b", 1], ["a", 2]]}),
    (range(1, 4), {"range": [1, 4, 1]}),
    (slice(1, None), {"slice": [1, None, None]}),
    (Colour.RED, {"type": f"{HERE}.Colour", "enum": "RED", "value": 1}),
    (Point(1, 2), {"type": f"{HERE}.Point", "base": {"tuple": [1, 2]}}),
    (Box(3), {"type": f"{HERE}.Box", "fields": [["label", "b"], ["width", 3]]}),
    (Slotted(), {"type": f"{HERE}.Slotted", "fields": [["a", 1]]}),
    (Model(a=1), MODEL),
    (ValueError("x"), {"type": "ValueError", "args": ["x"]}),
    (datetime.date(2020, 1, 2), {"type": "datetime.date", "text": "2020-01-02"}),
    (decimal.Decimal("1.50"), {"type": "decimal.Decimal", "text": "1.50"}),
    (fractions.Fraction(1, 3), {"type": "fractions.Fraction", "text": "1/3"}),
    (uuid.UUID(int=1), {"type": "uuid.UUID", "text": "00000000-0000-0000-0000-000000000001"}),
    (pathlib.PurePosixPath("a/b"), {"type": "pathlib.PurePosixPath", "text": "a/b"}),
    (ipaddress.ip_address("1.2.3.4"), {"type": "ipaddress.IPv4Address", "text": "1.2.3.4"}),
    (re.compile("a+", re.I), {"type": "re.Pattern", "text": "a+", "flags": 34}),
    (collections.Counter("aa"), {"type": "collections.Counter", "base": {"dict": [["a", 2]]}}),
    (collections.deque([1]), {"type": "collections.deque", "text": "deque([1])"}),
    (int, {"class": "int"}),
    (Box, {"class": f"{HERE}.Box"}),
    (len, {"function": "builtins.len"}),
    (json.dumps, {"function": "json.dumps"}),
    (json, {"module": "json"}),
    (list[int], {"type": "types.GenericAlias", "text": "list[int]"}),
    (np.float32(1.5), {"numpy": "float32", "value": 1.5}),
    (np.bool_(True), {"numpy": "bool", "value": True}),
    (np.array([[1, 2]]), {"array": {"dtype": "int64", "shape": [1, 2], "values": [1, 2]}}),
    (np.array(["a", None], dtype=object), {"array": {"dtype": "object", "shape": [2], "values": ["a", None]}}),
    (pydantic.AnyUrl("http://a.b"), {
        "type": "pydantic.networks.AnyUrl",
        "fields": [["_url", {"type": "pydantic_core._pydantic_core.Url", "text": "http://a.b/"}]],
    }),
    (Hostile(3), {"type": f"{HERE}.Hostile", "base": 3}),
    (HostileList([1, 2]), {"type": f"{HERE}.HostileList", "base": [1, 2]}),
]  # fmt: skip


@pytest.mark.parametrize(("value", "form"), FORMS, ids=[str(type(row[0]).__name__) for row in FORMS])
def test_the_form_of(value: Any, form: Any) -> None:
    assert fingerprint(value) == form
    assert canonical_json(json.loads(dumps(fingerprint(value)))) == canonical_json(form)


DIFFERENT = [1, True, 1.0, "1", b"1", [1], (1,), {1}, frozenset({1}), {1: None}, None, Hostile(1), np.int64(1), 1 + 0j]


def test_values_that_python_calls_equal_are_told_apart() -> None:
    forms = [canonical_json(fingerprint(value)) for value in DIFFERENT]
    assert len(set(forms)) == len(forms)


def _masked(mask: Any) -> Any:
    return np.ma.array([1, 2, 3], mask=mask)


class Metres(np.ndarray):
    """An array with something of its own, as those with units are."""

    unit: str

    def __array_finalize__(self, obj: Any) -> None:
        self.unit = getattr(obj, "unit", "")

    @classmethod
    def of(cls, unit: str) -> "Metres":
        made = np.array([1.0]).view(cls)
        made.unit = unit
        return made


def _row(value: int) -> Any:
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    row = connection.execute(f"select {value} as a").fetchone()
    connection.close()
    return row


class Part:
    """An object of a library with its own text."""

    __module__ = "library"

    def __init__(self, below: Any) -> None:
        self.below = below

    def __str__(self) -> str:
        return f"part of {self.below}"


_LONG = list(range(3_000))
_OTHER = [*_LONG[:7], 0, *_LONG[8:]]

# (one value, another of the same type): each pair once had one form
TOLD_APART: dict[str, tuple[Any, Any]] = {
    "masked": (_masked([0, 1, 0]), _masked([0, 0, 0])),
    "units": (Metres.of("m"), Metres.of("km")),
    "long arrays of objects": (np.array(_LONG, dtype=object), np.array(_OTHER, dtype=object)),
    "long arrays of mixed objects": (np.array([*_LONG, 0.5], dtype=object), np.array([*_LONG, 0.25], dtype=object)),
    "long columns": (pd.Series(_LONG), pd.Series(_OTHER)),
    "long columns of floats": (pd.Series(_LONG) / 7, pd.Series(_OTHER) / 7),
    "long columns of texts": (pd.Series(map(str, _LONG)), pd.Series(map(str, _OTHER))),
    "long columns of Int64": (pd.Series(_LONG, dtype="Int64"), pd.Series(_OTHER, dtype="Int64")),
    "long tables": (pd.DataFrame({"a": _LONG}), pd.DataFrame({"a": _OTHER})),
    "long indexes": (pd.Index(_LONG), pd.Index(_OTHER)),
    "categories": (pd.Series(["a"], dtype="category"), pd.Series(["a"], dtype=pd.CategoricalDtype(["a", "b"]))),
    "ordered": (pd.Series(["a"], dtype="category"), pd.Series(["a"], dtype=pd.CategoricalDtype(["a"], ordered=True))),
    "categories of an index": (pd.CategoricalIndex(["a"]), pd.CategoricalIndex(["a"], categories=["a", "b"])),
    "a queue of objects": (collections.deque([object(), 1]), collections.deque([object(), 2])),
    "long queues": (collections.deque(_LONG), collections.deque(_OTHER)),
    "bytes in memory": (memoryview(b"ab"), memoryview(b"ac")),
    "files in memory": (io.BytesIO(b"a"), io.BytesIO(b"b")),
    "texts in memory": (io.StringIO("a"), io.StringIO("b")),
    "elements": (ElementTree.fromstring("<a><b/></a>"), ElementTree.fromstring("<a><b x='1'/></a>")),
    "rows": (_row(1), _row(2)),
    "tables of polars": (pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [2]})),
    "dtypes of polars": (pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [1]}, schema={"a": pl.Int32})),
    "names of polars": (pl.Series("a", [1]), pl.Series("b", [1])),
    "long columns of polars": (pl.Series(_LONG), pl.Series(_OTHER)),
    "getters": (operator.itemgetter(1), operator.itemgetter(2)),
}


@pytest.mark.parametrize(("one", "other"), TOLD_APART.values(), ids=TOLD_APART)
def test_what_differs_has_another_form_and_its_copy_has_not(one: Any, other: Any) -> None:
    assert differences(fingerprint(one), fingerprint(other))
    with contextlib.suppress(TypeError):  # neither views of memory nor rows can be copied
        assert differences(fingerprint(one), fingerprint(copy.deepcopy(one))) == []


def test_an_object_whose_fields_do_not_fit_is_told_by_its_text_too() -> None:
    deep: Any = fractions.Fraction(1, 3)
    for _ in range(20):
        deep = Part(deep)
    form = fingerprint(deep, Bounds(depth=3))
    assert "text" in form
    assert "fields" in form


def test_a_cycle_ends() -> None:
    x: list[Any] = [1]
    x.append(x)
    assert fingerprint(x) == [1, {"cycle": 1}]


def test_depth_and_size_are_bounded() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    assert '{"cut":true}' in dumps(fingerprint(deep))
    wide = fingerprint(list(range(100_000)), Bounds(nodes=50))
    assert len(wide) == 50
    assert wide[-1] == {"cut": True}
    assert len(dumps(fingerprint("x" * 10**6))) < 5_000


def test_large_arrays_are_sampled_and_any_element_counts() -> None:
    one, other = np.zeros(5_000), np.zeros(5_000)
    other[4_321] = 1e-3
    assert differences(fingerprint(one), fingerprint(other))
    assert not differences(fingerprint(one), fingerprint(one + 0.0))
    ints = np.zeros(5_000, dtype=np.int32)
    assert len(dumps(fingerprint(ints))) < 2_000


floats = st.floats(-1e6, 1e6, width=32)


@given(st.integers(1_001, 3_000), st.data())
def test_a_large_array_is_its_copy_and_no_permutation_of_it(count: int, data: st.DataObject) -> None:
    here, there = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=2, unique=True))
    array = np.random.default_rng(count).normal(size=count)
    array[here] = data.draw(floats)
    form = fingerprint(array)
    assert differences(form, fingerprint(array.copy())) == []
    swapped = array.copy()
    swapped[[here, there]] = swapped[[there, here]]
    if abs(array[here] - array[there]) > 1e-3:
        assert differences(form, fingerprint(swapped))


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_hides_nothing(odd: float) -> None:
    array = np.random.default_rng(0).normal(size=2_000)
    array[77] = odd
    other, moved, finite = array.copy(), array.copy(), array.copy()
    other[1_234] += 0.5
    moved[[77, 78]] = moved[[78, 77]]
    finite[77] = 0.0
    assert differences(fingerprint(array), fingerprint(array.copy())) == []
    for changed in (other, moved, finite):
        assert differences(fingerprint(array), fingerprint(changed))


def test_no_address_enters() -> None:
    for value in (object(), iter([]), lambda: 1, re.finditer("a", "a"), Box(1).__init__):
        assert "0x" not in dumps(fingerprint(value))


def test_a_value_that_raises_everywhere_is_cut_and_not_raised() -> None:
    class Meta(type):
        def __getattribute__(cls, name: str) -> Any:
            raise RuntimeError(name)

    class Broken(metaclass=Meta):
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError(name)

    form = fingerprint(Broken())
    assert "Broken" in form["type"]


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
keys = st.none() | st.booleans() | st.integers() | st.text()
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(keys, inner, max_size=4)
        | st.sets(keys, max_size=4)
    ),
    max_leaves=20,
)


@given(values)
def test_it_survives_the_wire_and_equals_that_of_a_copy(value: Any) -> None:
    form = fingerprint(value)
    assert canonical_json(json.loads(dumps(form))) == canonical_json(form)
    assert canonical_json(fingerprint(copy.deepcopy(value))) == canonical_json(form)
    assert differences(form, json.loads(dumps(form))) == []


@given(values, values)
def test_equal_forms_mean_equal_values(one: Any, other: Any) -> None:
    if canonical_json(fingerprint(one)) == canonical_json(fingerprint(other)):
        assert repr(one) == repr(other) or isinstance(one, set | frozenset | dict | list | tuple)


@given(st.lists(st.integers() | st.text(), max_size=8))
def test_the_order_of_insertion_into_a_set_does_not_matter(items: list[Any]) -> None:
    forwards, backwards = set[Any](), set[Any]()
    for item in items:
        forwards.add(item)
    for item in reversed(items):
        backwards.add(item)
    assert fingerprint(forwards) == fingerprint(backwards)


@given(values, values)
def test_what_is_merged_accepts_all_that_it_was_merged_from(one: Any, other: Any) -> None:
    forms = [fingerprint(one), fingerprint(other)]
    merged = merge_stable(forms)
    assert all(differences(merged, form) == [] for form in forms)


@given(values)
def test_a_summary_is_one_short_text(value: Any) -> None:
    assert len(summary(fingerprint(value))) <= 120
