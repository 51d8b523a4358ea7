"""Choice and order of the observations of a task."""

from typing import Any

import pytest

from apigap.tasks.describe import Shown, describe, left_open_by
from apigap.tasks.outcome import is_telling, outcome
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
    text = describe(made, candidate(), Shown({"y": {"type": "__main__.slugify", "fields": []}, "y.n": 3}))
    assert text is not None
    assert "slugify" not in text
    assert "- `y.n` is `3`" in text


OUTCOMES: list[tuple[Any, str]] = [
    (3, "is `3`"),
    ("abc", "is a text: `'abc'`"),
    ([1, 2], "is a list of 2: `[1, 2]`"),
    ({"raises": "ValueError"}, "raises `ValueError`"),
    ({"dict": [["a", 1]]}, "is a dictionary of 1: `{'a': 1}`"),
    (
        {"array": {"dtype": "int64", "shape": [2], "values": [1, 2]}},
        "is an array of shape (2,) and type int64: `array(2 int64: 1, 2)`",
    ),
    ({"type": "lib.Client", "fields": [["x", 1]]}, "is of type `Client`"),
    ({"type": "lib.Slugify", "args": ["a"]}, "is of type `Slugify`: `Slugify('a')`"),
    ({"type": "lib.slugify", "fields": []}, "is an object of the class that is asked for"),
]


@pytest.mark.parametrize(("value", "expected"), OUTCOMES)
def test_an_outcome_is_told_by_type_shape_and_value(value: Any, expected: str) -> None:
    assert outcome(value, "slugify") == expected


def test_a_description_tells_subject_work_outcome_and_examples() -> None:
    made = draft("from lib import slugify\ny = slugify('A b', sep='_')\nassert y == 'a_b'")
    shown = Shown({"y": "a_b"}, ["- after `text = 'C d'`: `y` is a text: `'c_d'`"])
    text = describe(made, candidate(docstring="Slugify the title of a web page, as addresses have it."), shown)
    assert text == (
        "lib 2 has a function that does what is wanted here; it is about title, web page and addresses.\n"
        "Write the code that comes next, with what is missing in place of every `...`. "
        "It works on `text` and `value`.\n"
        "    y = ...\n"
        "Required:\n"
        "- Sep: `value`\n"
        "Afterwards:\n"
        "- `y` is a text: `'a_b'`\n"
        "Worked examples, the same lines with other inputs:\n"
        "- after `text = 'C d'`: `y` is a text: `'c_d'`\n"
        "The same lines are also checked with other inputs."
    )


def test_the_value_of_what_changed_is_told_and_not_its_name() -> None:
    made = draft("from lib import slugify\ny = slugify('A b', sep='_')\nassert y == 'a_b'")
    changed = candidate(change="modified", changes=({"what": "parameter added", "parameter": "sep"},))
    text = describe(made, changed, Shown({"y": "a_b"}, decides="Without it, `y` would be `'a-b'`."))
    assert text is not None
    assert "- What can be chosen since a change after 1: `value`\nWithout it, `y` would be `'a-b'`." in text
    assert "sep" not in text.lower()


def test_a_text_of_several_lines_is_shown_as_it_is() -> None:
    assert outcome("a | b\n--|--\n1 | 2", "slugify") == "is this text:\n    a | b\n    --|--\n    1 | 2"


def test_what_the_description_does_not_tell_of_an_output_is_left_open() -> None:
    pairs, named = [{"tuple": [1, 2]}], [{"tuple": ["slugify", 2]}]
    assert left_open_by({"whole": pairs, "number": 3, "text": "a"}, "slugify") == {}
    assert left_open_by({"kind alone": named}, "slugify") == {"kind alone": "any inside"}
    assert left_open_by({"slugify.it": pairs}, "slugify") == {"slugify.it": "any"}
    many = {f"y{number}": [number] for number in range(7)}
    assert left_open_by(many, "slugify") == {"y5": "any", "y6": "any"}
