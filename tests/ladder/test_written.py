"""The value that is asked for in writing: which ones fit, and which comes first."""

import pytest

from apigap.ladder.executed.options import Executed
from apigap.ladder.executed.written import Looked, to_write
from apigap.ladder.executed.wrong import WrongProgram


def looked(expression: str, right: str, *others: str, change: bool = False, data: bool = False) -> Looked:
    made = [(WrongProgram("", "f()", change=change, data=data), other) for other in others]
    return Looked(expression, Executed(right, "code"), made)


UNFAIR = ["None", "True", "5", "0", "''", "'a'", "[]", "[1]", "(True,)", repr("a" * 60)]


@pytest.mark.parametrize("right", [*UNFAIR, "1.5"])
def test_what_is_guessed_or_nobody_writes_is_not_asked(right: str) -> None:
    fits = right == "1.5"
    assert bool(to_write([looked("y", right, "[7, 8]")], show_change=False)) is fits


def test_the_value_hangs_on_the_call() -> None:
    assert to_write([looked("y", "[1, 2]")], show_change=False) is None
    assert to_write([looked("y", "[1, 2]", "[1, 2]")], show_change=False) is None
    assert to_write([looked("y", "[1, 2]", "[2, 3]", data=True)], show_change=False) is None
    assert to_write([looked("y", "[1, 2]", "[2, 3]")], show_change=True) is None
    assert to_write([looked("y", "[1, 2]", "[2, 3]", change=True)], show_change=True) is not None


@pytest.mark.parametrize(
    "expression", ["str(y)[:60]", "y.__doc__", "y.splitlines()", "y.split()", "str(inspect.signature(y))"]
)
def test_pieces_of_texts_are_not_asked_for(expression: str) -> None:
    assert to_write([looked(expression, "['ab', 'c']", "['d']")], show_change=False) is None


def test_the_length_of_a_text_is_not_asked_for() -> None:
    long = looked("len(y)", "137", "138")
    assert to_write([long], show_change=False) is long
    assert to_write([looked("y[:60]", "'ab'", "'c'"), long], show_change=False) is None


def test_what_a_thing_is_comes_before_how_it_is_shown() -> None:
    shown = looked("str(y)", "'<3 rows>'", "'<4 rows>'", "'<5 rows>'")
    rows = looked("len(y.rows)", "31", "41")
    assert to_write([shown, rows], show_change=False) is rows
    assert to_write([shown], show_change=False) is shown


def test_short_values_without_long_numbers_come_first_then_those_that_differ_most() -> None:
    rows = [
        looked("numbers", "[0.1234, 7]", "[1, 2]", "[1, 3]", "[1, 4]"),
        looked("long", repr(["a" * 30, "b" * 30]), "'b'", "'c'"),
        looked("few", "[4, 5]", "[1, 2]"),
        looked("many", "[6, 7]", "[1, 2]", "[1, 3]"),
    ]
    names = []
    while found := to_write(rows, show_change=False):
        names.append(found.expression)
        rows.remove(found)
    assert names == ["many", "few", "long", "numbers"]
