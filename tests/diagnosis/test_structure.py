"""Results of another structure, and results that only hold other values."""

from typing import Any

import pytest

from apigap.diagnosis.structure import is_empty, record_keys, result_difference

ROW = frozenset({"'name'", "'grams'"})


def row(name: Any, grams: Any) -> dict[str, Any]:
    return {"dict": [["name", name], ["grams", grams]]}


def labels(*values: Any) -> dict[str, Any]:
    return {"dict": [[f"parcel {number}", value] for number, value in enumerate(values)]}


@pytest.mark.parametrize(
    ("expected", "observed", "found"),
    [
        (["letter", "parcel"], ["letter", 7300], None),
        (["letter", "parcel"], [35, 7300], "int, not str"),
        (["letter"], [35], "int, not str"),
        (labels("letter", "parcel", "freight"), labels("letter", "parcel", 20000), None),
        (labels("letter", "parcel"), labels(1, 2), "int, not str"),
        ([row("a", 1), row("b", 2)], [row("a", "1"), row("b", "2")], "str, not int"),
        ([row("a", 1), row("b", 2)], [row("a", 1), row("b", "2")], None),
        (row("a", 1), row("a", "1"), "str, not int"),
        ({"tuple": ["a", 1]}, {"tuple": ["a", "1"]}, "str, not int"),
        (["letter", 1], ["letter", "1"], "str, not int"),
    ],
)
def test_an_item_of_another_type_beside_right_ones_is_a_value(expected: Any, observed: Any, found: str | None) -> None:
    assert result_difference(expected, observed, frozenset({ROW})) == found


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, True),
        ([], True),
        ({"tuple": []}, True),
        ({"dict": []}, True),
        ({"set": []}, True),
        ([None], False),
        (0, False),
        ("", False),
        ({"tuple": [[]]}, False),
        ({"array": {"shape": [0], "dtype": "i", "values": []}}, False),
    ],
)
def test_what_holds_nothing_has_no_structure_to_get_wrong(form: Any, expected: bool) -> None:
    assert is_empty(form) is expected


def test_names_of_fields_come_again_or_are_told() -> None:
    assert record_keys([[row("a", 1), row("b", 2)]], "") == {ROW}
    assert record_keys([row("a", 1)], "") == set()
    assert record_keys([row("a", 1)], "with name and grams of each") == {ROW}
    assert record_keys([labels("letter", "parcel")], "each parcel by its number") == set()
