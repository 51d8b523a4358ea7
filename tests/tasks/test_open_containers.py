"""Which containers a description leaves open: words near a result decide."""

from typing import Any

import pytest

from apigap.tasks.open_containers import contradiction, left_open

LIST, ARRAY = [1, 2], {"array": {"dtype": "int64", "shape": [2], "values": [1, 2]}}
PAIRS = [{"tuple": [1, 2]}]
TABLE = {"dict": [["a", [1]]]}

# (description, expression, expected form, what is left open)
ROWS: list[tuple[str, str, Any, str | None]] = [
    ("Make `codes` the list of the codes.", "codes", LIST, None),
    ("Make `codes` the codes, in order.", "codes", LIST, "any"),
    ("Make `codes` the codes, in order.", "codes", ARRAY, "any"),
    ("Make `codes` the array of the codes.", "codes", ARRAY, None),
    ("Make `codes` the codes and `names` the list of the names.", "codes", LIST, "any"),
    ("Make `codes` the codes and `names` the list of the names.", "names", LIST, None),
    ("Make `codes` the list of the codes and `names` the names.", "names", LIST, "any"),
    ("Make `low` and `high` the lists of the ends.", "low", LIST, None),
    ("Make `low`, `mid` and `high` arrays of the ends, and `n` their number.", "low", ARRAY, None),
    ("Make `low` and `high` that value, as lists.", "high", LIST, None),
    ("Make `low` the lowest. Make `high` the highest. Both are arrays.", "low", ARRAY, None),
    ("`pick(rows)` gives the list of what fits. `codes` is what it gives.", "codes", LIST, "any"),
    ("The dict `sizes` maps names to numbers.", "sizes", {"dict": [["a", 1]]}, None),
    ("It returns two dicts: `told`, from name to answer, and `failed`.", "told", {"dict": []}, None),
    ("It returns two dicts: `told`, from name to answer, and `failed`.", "failed", {"dict": []}, None),
    ("Make `pairs` the list of (name, size).", "pairs", PAIRS, "any inside"),
    ("Make `pairs` the list of tuples of name and size.", "pairs", PAIRS, None),
    ("Make `pairs` the (name, size) of all.", "pairs", PAIRS, "any"),
    ("Make `rows` the list of the lists of numbers.", "rows", [[1]], None),
    ("Make `rows` the list of the numbers per day.", "rows", [[1]], "any inside"),
    ("Make `table` the dictionary from name to sizes.", "table", TABLE, "any inside"),
    ("Make `table` the dictionary from name to the list of sizes.", "table", TABLE, None),
    ("Make `kinds` the set of the kinds.", "kinds", {"set": ["a"]}, None),
    ("Make `kinds` the different kinds.", "kinds", {"set": ["a"]}, "any"),
    ("Make `total` the sum.", "total", 3, None),
    ("Make `total` the sum.", "total", {"numpy": "int64", "value": 3}, "any"),
    ("Make `text` the text.", "text", "a", None),
    ("Make `frame` the table.", "frame", {"type": "pandas.DataFrame", "frame": {"columns": {}}}, None),
    ("Make `line` the values.", "line", {"type": "pandas.Series", "frame": {"values": [1]}}, "any"),
    ("Make `line` the series of the values.", "line", {"type": "pandas.Series", "frame": {"values": [1]}}, None),
    ("Make `codes` the codes.", "codes.tolist()", LIST, None),
    ("Append the codes to `log`.", "log", LIST, None),
]


@pytest.mark.parametrize(("description", "expression", "form", "found"), ROWS, ids=[f"{r[0]} {r[1]}" for r in ROWS])
def test_what_is_left_open(description: str, expression: str, form: Any, found: str | None) -> None:
    context = "log = []\nrows = [1]\n" if expression == "log" else "given = [1]\n"
    assert left_open(description, context, expression, [form]) == found
    assert contradiction(description, context, expression, [form], found) is None
    assert contradiction(description, context, expression, [form], "as given") is None


def test_every_scenario_has_a_say() -> None:
    description = "Make `found` the list of (name, size), or None."
    assert left_open(description, "", "found", [None, PAIRS]) == "any inside"
    assert left_open(description, "", "found", [None, []]) is None


@pytest.mark.parametrize(
    ("description", "containers", "says"),
    [
        ("Make `codes` the list of the codes.", "any", "the description says them"),
        ("Make `codes` the codes.", None, "does not say its containers"),
        ("Make `codes` the codes.", "any inside", "leaves any of them open"),
    ],
)
def test_a_decision_that_the_description_contradicts(description: str, containers: str | None, says: str) -> None:
    found = contradiction(description, "", "codes", [LIST], containers)
    assert found is not None
    assert says in found
