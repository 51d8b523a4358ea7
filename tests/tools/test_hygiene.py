"""Programs that know nothing: their share of right choices."""

import pytest
from tools.ladder.hygiene import GUESSES, OF_EFFECTS, Frequencies, share, shorter_is_real

from tests.benchmarks.items.made import CHOICE, EFFECT, EXISTS, INVENTED, OPTIONS, item


@pytest.mark.parametrize(
    "options, right, name, expected",
    [
        (OPTIONS, 0, "the first", 1.0),
        (OPTIONS, 2, "the first", 0.0),
        (("(a)", "(bbb)", "(cc)", "(dd)"), 1, "the longest", 1.0),
        (("(a)", "(bbb)", "(cc)", "(dd)"), 0, "the shortest", 1.0),
        (("(aa)", "(bb)", "(cc)", "(dd)"), 0, "the shortest", 0.25),
        (("(pivot)", "(cells)", "(rows)", "(edges)"), 0, "the one most like the API's name", 1.0),
        (("(a, b)", "(a, c)", "(x, b)", "(x, y)"), 3, "the one most like the others", 0.0),
    ],
)
def test_what_a_program_gets_right(options: tuple[str, ...], right: int, name: str, expected: float) -> None:
    one = item(rung="signature", form="choice", question=CHOICE.question, options=options, right=right)
    assert share([one], GUESSES[name]).estimate == expected


@pytest.mark.parametrize(
    ("name", "expression", "options", "expected"),
    [
        ("of two calls, two values", "(y, y_2)", ("(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"), 0.5),
        ("of two calls, two values", "y", ("(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"), 0.25),
        ("the one with most of its words in the question", "y", ("[5]", "[2]", "[6]", "[7]"), 1.0),
        ("the one with least of its words there", "y", ("[5]", "[2]", "[6]", "[7]"), 0.0),
    ],
)
def test_what_the_code_of_an_effect_gives_away(
    name: str, expression: str, options: tuple[str, ...], expected: float
) -> None:
    one = item(
        rung="effect", form="choice", question=EFFECT.question, options=options, right=1, expression=expression,
        programs=EFFECT.programs,
    )  # fmt: skip
    assert share([one], OF_EFFECTS[name]).estimate == expected


def test_names_that_others_have() -> None:
    options = ("(rows, axis)", "(rows, once)", "(cells, axis)", "(cells, once)")
    own = item(rung="signature", form="choice", question=CHOICE.question, options=options, right=0)
    truths = {"lib.pivot": ("rows", "axis"), "lib.b": ("axis", "cells"), "lib.c": ("axis", "rows"), "lib.d": ("rows",)}
    written = [
        item(rung="signature", form="parameters", truth=names, begin="def", question="Write", api_name=name)
        for name, names in truths.items()
    ]
    assert share([own], Frequencies([own, *written]).of).estimate == 1.0
    assert share([own], Frequencies([own, written[0], written[1]]).of).estimate == 0.0


def test_shorter_names() -> None:
    assert shorter_is_real([EXISTS, INVENTED]).estimate == 1.0
