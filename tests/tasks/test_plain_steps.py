"""Usages in plain steps: what a loop walks over is asked for whole, letters become words, lists stand for iterators."""

import pytest

from apigap.tasks.inputs.letters import with_items
from apigap.tasks.plain_steps import as_lists, in_plain_steps
from tests.tasks.test_cut import candidate
from tests.tasks.test_sources import usage

PLAIN = [
    ("a loop that prints", "for x in lib.slugify('ab c'):\n    print(x)", "print(list(lib.slugify('ab c')))"),
    ("a comprehension", "assert [''.join(x) for x in lib.slugify('ab')] == 1", "print(list(lib.slugify('ab')))"),
    ("a second name", "slugify = lib.slugify\nassert slugify('ab') == 1", "assert lib.slugify('ab') == 1"),
    ("a loop with the API inside", "for x in [1]:\n    lib.slugify(x)", None),
    ("a comprehension that picks", "assert [x for x in lib.slugify('ab') if x] == 1", None),
    ("a loop that ends early", "for x in lib.slugify('ab'):\n    if x > 3:\n        break", None),
    ("a loop with an else", "for x in lib.slugify('ab'):\n    print(x)\nelse:\n    print(1)", None),
    ("a loop that fills a list", "out = []\nfor x in lib.slugify('ab'):\n    out.append(x)\nassert out == [1]", None),
    (
        "a loop that fills what nobody reads",
        "out = []\nfor x in lib.slugify('ab'):\n    out.append(x)",
        "out = []\nprint(list(lib.slugify('ab')))",
    ),
    ("a plain call", "y = lib.slugify('ab')", None),
]
LETTERS = [
    ("given to a call", "y = lib.slugify('AABB')", "y = lib.slugify(['fig', 'fig', 'lime', 'lime'])"),
    ("with a name", "x = 'abc'\ny = lib.slugify(x)", "x = ['fig', 'lime', 'pear']\ny = lib.slugify(x)"),
    ("by keyword", "y = lib.slugify(mode='abc')", None),
    ("a real word", "y = lib.slugify('summary')", None),
    ("one letter", "y = lib.slugify('a')", None),
    ("a text's own method", "y = 'ab'.join(lib.slugify(1))", None),
]


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in PLAIN], ids=[row[0] for row in PLAIN])
def test_steps_are_plain(code: str, expected: str | None) -> None:
    before = usage(f"import lib\n{code}")
    after = in_plain_steps(before, "slugify")
    assert (None if after is before else after.body) == expected


@pytest.mark.parametrize(("code", "expected"), [row[1:] for row in LETTERS], ids=[row[0] for row in LETTERS])
def test_letters_become_words(code: str, expected: str | None) -> None:
    after = with_items(usage(f"import lib\n{code}"))
    assert (after and after.code.removeprefix("import lib\n")) == expected


def test_lists_are_made_where_the_documentation_makes_them() -> None:
    one = usage("import lib\ny = lib.slugify('ab')\nassert lib.slugify('c') == 1")
    listed = as_lists(one, candidate(docstring="Give parts.\n\n>>> list(lib.slugify('a'))"))
    assert listed is not None
    assert listed.body == "y = list(lib.slugify('ab'))\nprint(list(lib.slugify('c')))"
    assert as_lists(one, candidate(docstring="Give parts.")) is None
