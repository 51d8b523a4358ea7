"""Drafts without left-over lines of the tests that they come from."""

from apigap.tasks.tidy import tidy, without_idle
from tests.tasks.test_cut import draft

CODE = """
from numpy.testing import assert_
import os, lib
from lib import slugify
title = 'Two parcels'
expected = 'two-parcels'
length = len(title)
y = slugify(title)
assert y == expected
assert isinstance(y, str)
assert length == 11
"""


def test_what_nobody_reads_goes() -> None:
    made = tidy(draft(CODE))
    assert made.context == "title = 'Two parcels'"
    assert made.observes == ("y",)
    assert made.completion == "from lib import slugify\ny = slugify(title)"


def test_what_is_overwritten_at_once_goes() -> None:
    assert without_idle(("I = eye(4)", "I[-1] = 0.0", "I[-1] = 1.0"), ("f(I)",)) == ("I = eye(4)", "I[-1] = 1.0")


def test_what_gets_another_value_before_it_is_read_goes() -> None:
    given = ("a = box(1)", "b = box(2)", "a = box(3)", "c = a + b", "c = c + 1", "d = [a for a in c]")
    assert without_idle(given, ("f(a, d)",)) == given[1:]


def test_a_check_of_every_item_is_a_check() -> None:
    call = "from lib import slugify\ny = slugify('A b')"
    made = draft(f"{call}\nassert [isinstance(p, str) for p in y] == [True]\nassert y.n == 3")
    assert "[isinstance(p, str) for p in y]" in made.observes
    assert tidy(made).observes == ("y.n", "y")


def test_a_yes_or_no_stays_where_there_is_nothing_else() -> None:
    made = draft("import lib\nx = [2, 3]\nlib.slugify(x)\nassert isinstance(x, list)")
    assert "isinstance(x, list)" in made.observes
    assert (
        tidy(made).observes == tuple(text for text in made.observes if text != "isinstance(x, list)") or made.observes
    )
