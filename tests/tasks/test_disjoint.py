"""A task repeats no call that an exemplar shows, however the exemplar writes it."""

import pytest

from apigap.tasks.disjoint import calls_of, repeats
from tests.tasks.test_cut import draft

SAME = [
    (
        "variables do not matter",
        "import lib\nx = 'A b'\ny = lib.slugify(x)",
        "import lib\nassert lib.slugify('A b') == 1",
    ),
    ("nor do ways of importing", "import lib\ny = lib.slugify(1)", "from lib import slugify\nz = slugify(1)"),
    (
        "nor names of objects",
        "a = T(int)\na.put([3])\na.slugify()",
        "b = T(int)\nv = [3]\nb.put(v)\nprint(b.slugify())",
    ),
]
OTHER = [
    ("other data", "import lib\nx = 'A c'\ny = lib.slugify(x)", "import lib\nassert lib.slugify('A b') == 1"),
    ("another argument", "import lib\ny = lib.slugify(1, sep='-')", "import lib\ny = lib.slugify(1)"),
    ("an object in another state", "a = T(int)\na.put([4])\na.slugify()", "b = T(int)\nb.put([3])\nb.slugify()"),
    ("another definition", "class A:\n    x = slugify('a')", "class A:\n    x = slugify('b')"),
]


@pytest.mark.parametrize(("one", "other"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_the_same_call(one: str, other: str) -> None:
    assert calls_of(one, "slugify") == calls_of(other, "slugify") != frozenset()


@pytest.mark.parametrize(("one", "other"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_another_call(one: str, other: str) -> None:
    assert not calls_of(one, "slugify") & calls_of(other, "slugify")


def test_a_draft_repeats_an_exemplar() -> None:
    made = draft("import lib\nassert lib.slugify('A b') == 'a-b'")
    assert repeats(made.context, made.completion, ["import lib\nprint(lib.slugify('A b'))"], "slugify")
    assert not repeats(
        made.context, made.completion, ["import lib\nprint(lib.slugify('x'))", "lib.other('A b')"], "slugify"
    )


LINES = [
    ("the line on other data", "import lib\ns = 'x'\nanother = lib.slugify( s )", True),
    ("inside of a function", "def f(s):\n    return lib.slugify(s)\n\n\nx = lib.slugify(s)", True),
    ("another argument", "import lib\nanother = lib.slugify('x')", False),
    ("an import of it", "from lib import slugify", False),
]


@pytest.mark.parametrize(("exemplar", "expected"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_a_line_of_the_answer_in_an_exemplar_gives_it_away(exemplar: str, expected: bool) -> None:
    made = draft("import lib\ns = 'A b'\nassert lib.slugify(s) == 'a-b'")
    assert "lib.slugify(s)" in made.completion
    assert repeats(made.context, made.completion, [exemplar], "slugify") is expected
