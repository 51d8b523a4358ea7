"""Tables of docstrings and changelogs: every row is a line, in words that a reader can take in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.knowledge.components.narrative import narrative
from apigap.knowledge.components.tables import row_at, with_readable_tables

SIMPLE = """\
Choose by the ``method`` parameter:

=============== ============= =======
``method``      number        ``m``
=============== ============= =======
``hazen``       5             ``1/2``
``linear``      7             ``1 - q``
  (default)     of them
=============== ============= =======

After."""
WITHOUT_HEAD = """\
The options are

===========  =============
 diagonal    'diagonal'
 symmetric   'symmetric'
             (or 'sym')
===========  =============

After."""
GRID = """\
Some:

+-----------+------+
| method    | None |
+===========+======+
| Newton    | x    |
|           | LO   |
+-----------+------+
| dogleg    |      |
+-----------+------+

After."""
MARKDOWN = "Some:\n\n| name | what |\n|------|:----:|\n| `a`  | one  |\n\nAfter."
SUPPORT = """\
Do it.

Notes
-----
**Array API Standard Support**

`f` has experimental support for Python Array API Standard compatible backends.

====================  ====================  ====================
Library               CPU                   GPU
====================  ====================  ====================
NumPy                 ✅                     n/a
====================  ====================  ====================

`mode='auto'` is for NumPy. See :ref:`dev-arrayapi` for more information."""
TABLES = [
    (
        SIMPLE,
        "Choose by the `method` parameter:\n| `method` | number | `m` |\n| --- | --- | --- |\n"
        "| `hazen` | 5 | `1/2` |\n| `linear` | 7 | `1 - q` |\n| (default) | of them | |\nAfter.",
    ),
    (WITHOUT_HEAD, "The options are\n| diagonal | 'diagonal' |\n| symmetric | 'symmetric' (or 'sym') |\nAfter."),
    (GRID, "Some:\n| method | None |\n| --- | --- |\n| Newton | x LO |\n| dogleg | |\nAfter."),
    (MARKDOWN, "Some:\n| name | what |\n| --- | --- |\n| `a` | one |\nAfter."),
    (SUPPORT, "Do it.\n`mode='auto'` is for NumPy."),
    ("One.\n\nArgs:\n    x: y\n\n    === ===\n    a   b\n    === ===\n\n    c", "One."),
    ("It is |x| or |y|\n\n=====\n\nwide.", "It is |x| or |y|"),
]


@pytest.mark.parametrize(("docstring", "expected"), TABLES)
def test_a_row_is_a_line(docstring: str, expected: str) -> None:
    assert narrative(docstring) == expected


CHANGELOG = """\
Gone:

================= =======================================
member            guideline
================= =======================================
in1d              Use `np.isin` instead.
row_stack         Use `np.vstack` instead (`row_stack`
                  was an alias).
================= =======================================

* After"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (5, "in1d: Use `np.isin` instead."),
        (6, "row_stack: Use `np.vstack` instead (`row_stack` was an alias)."),
        (7, "row_stack: Use `np.vstack` instead (`row_stack` was an alias)."),
        (0, None),
        (2, None),
        (4, None),
        (9, None),
        (10, None),
    ],
)
def test_the_row_that_is_quoted(line: int, expected: str | None) -> None:
    assert row_at(CHANGELOG.splitlines(), line) == expected


LINES = st.lists(st.text("=-+| a`:", max_size=12), max_size=8)


@given(LINES, st.integers(0, 7))
def test_no_text_is_too_odd_and_words_stay(lines: list[str], number: int) -> None:
    text = "\n".join(lines)
    assert with_readable_tables(text).count("a") == text.count("a")
    if number < len(lines):
        row_at(lines, number)


@given(st.text("=-ab.\n", max_size=60))
def test_text_without_a_table_stays_as_it_is(text: str) -> None:
    assert with_readable_tables(text) == text
