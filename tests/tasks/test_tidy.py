"""Drafts without left-over lines of the tests that they come from."""

from apigap.tasks.tidy import tidy, tidy_code, unread, without_idle
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


def test_a_context_has_nothing_that_is_not_read() -> None:
    code = "import lib, os\na = lib.box(1)\nb = lib.union(a)\na = lib.box(2)\nc = lib.box(3)"
    again = "import lib, os\na = lib.box(1)\na = lib.box(2)\nc = lib.box(3)"
    assert tidy_code(again, ["y = f(a)"]) == "import lib\na = lib.box(2)"
    assert tidy_code(code, ["y = f(b)"]) == "import lib\na = lib.box(1)\nb = lib.union(a)"
    taken = "import lib\na = lib.box(2)\nb = lib.union(a)\nc = lib.random(3)\nd = 4"
    assert tidy_code(taken, ["y = f(a)"]) == taken.removesuffix("\nd = 4")
    assert unread(taken, ["y = f(a)"]) == ["d", "c", "b"]
    assert unread(code, ["y = f(b, c)"]) == ["a"]


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
