"""`versionadded` and its like, in the manners of the libraries that write them, and what each is about."""

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.evidence.directives import directives_in, is_new

NUMPYDOC = """\
    Do it.

    Parameters
    ----------
    a : int
        The first.
    b, c : {'x', 'y'}, optional
        Which.

        * 'x': the one

          .. versionadded:: 1.5

        .. versionadded:: 1.2
    **kwargs
        .. versionchanged:: 1.3

    Attributes
    ----------
    shape : tuple
        .. versionadded:: 1.4

    Notes
    -----
    .. versionadded:: 1.1.0
    """
GOOGLE = """\
    Do it.

    Args:
        a (int): The first.

            .. versionadded:: 2.1
        b: The second.

    .. versionadded:: 2.0
    """
SPHINX = """\
    Do it.

    :param a: The first.

      .. versionadded:: 3.1  More words
        on the next line.

    :param str b: The second.
      .. versionchanged:: 3.2

    .. versionchanged:: 3.3
        Added the ``c`` and ``d`` arguments.

    .. versionchanged:: 3.4
        The keyword argument ``e=None`` came. It is no parameter.

    .. versionchanged:: 3.5
        It is faster.

    .. deprecated:: 3.6
    """


def told(text: str) -> list[tuple[str, str, str, tuple[str, ...]]]:
    return [(d.kind, d.version, d.part, d.parameters) for d in directives_in(dedent(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            NUMPYDOC,
            [
                ("versionadded", "1.5", "other", ()),
                ("versionadded", "1.2", "parameter", ("b", "c")),
                ("versionchanged", "1.3", "parameter", ("kwargs",)),
                ("versionadded", "1.4", "attribute", ("shape",)),
                ("versionadded", "1.1.0", "object", ()),
            ],
        ),
        (GOOGLE, [("versionadded", "2.1", "parameter", ("a",)), ("versionadded", "2.0", "object", ())]),
        (
            SPHINX,
            [
                ("versionadded", "3.1", "parameter", ("a",)),
                ("versionchanged", "3.2", "parameter", ("b",)),
                ("versionchanged", "3.3", "parameter", ("c", "d")),
                ("versionchanged", "3.4", "parameter", ("e",)),
                ("versionchanged", "3.5", "object", ()),
                ("deprecated", "3.6", "object", ()),
            ],
        ),
        (
            ":param out: where\n  .. versionadded:: 2.3\n     Support for ``out=...``",
            [("versionadded", "2.3", "other", ())],
        ),
        (".. versionadded:: v4.0", [("versionadded", "4.0", "object", ())]),
        (".. versionadded:: NEXT", []),
        (".. note::\n\n   .. versionadded:: 4.1", [("versionadded", "4.1", "object", ())]),
        ("Words\n   that enclose.\n\n     .. versionadded:: 4.2", [("versionadded", "4.2", "other", ())]),
        ("Write ``.. versionadded:: 4.3`` here.", []),
    ],
)
def test_what_a_directive_speaks_of(text: str, found: list[tuple[str, str, str, tuple[str, ...]]]) -> None:
    assert told(text) == found


PAGE = """\
.. currentmodule:: lib.db

.. versionadded:: 1.0

``Model``
=========

.. class:: Model(*args, **kwargs)

   Words.

   .. attribute:: objects

      .. versionadded:: 1.1

   .. method:: Model.save(force=False, using=None)
   .. method:: Model.asave(force=False)

      .. versionadded:: 1.2

   .. attribute:: pk

   .. versionadded:: 1.5
   .. versionchanged:: 1.6

   The number of the row.

   .. versionchanged:: 1.3

      The ``pk`` argument was added.

.. py:function:: async connect(url)

   .. versionadded:: 1.4
"""


def test_a_page_gives_the_object_around_the_directive() -> None:
    found = [(d.version, d.module, d.target, d.part, d.parameters, d.is_data) for d in directives_in(PAGE)]
    assert found == [
        ("1.0", "lib.db", "", "object", (), False),
        ("1.1", "lib.db", "Model.objects", "object", (), True),
        ("1.2", "lib.db", "Model.asave", "object", (), False),
        ("1.5", "lib.db", "Model.pk", "object", (), True),
        ("1.6", "lib.db", "Model.pk", "object", (), True),
        ("1.3", "lib.db", "Model", "parameter", ("pk",), False),
        ("1.4", "lib.db", "connect", "object", (), False),
    ]


def test_words_and_line() -> None:
    directive = directives_in(dedent(SPHINX))[0]
    assert (directive.text, directive.line) == ("More words on the next line.", 5)


@pytest.mark.parametrize(
    ("version", "old", "new", "inside"),
    [
        ("2.0", "1.26.2", "2.4.4", True),
        ("2.4", "1.26.2", "2.4.4", True),
        ("2.4.4", "1.26.2", "2.4.4", True),
        ("2.5", "1.26.2", "2.4.4", False),
        ("1.26", "1.26.2", "2.4.4", False),
        ("1.26.3", "1.26.2", "2.4.4", True),
        ("6.0", "6.0.0", "7.2.0", False),
        ("0.1", None, "1.0", True),
        ("1.1", None, "1.0", False),
        ("2.0.23", "2.0.23", "2.0.49", False),
        ("2024.1", "2023.11.12", "2026.3.23", True),
    ],
)
def test_which_versions_are_of_the_new_series(version: str, old: str | None, new: str, inside: bool) -> None:
    assert is_new(version, old, new) is inside


@given(st.text(alphabet=" \n:.-`aAb1*(),", max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    page = f"{text}\n.. versionadded:: 1.0\n{text}"
    assert [d.line for d in directives_in(page)] == sorted(d.line for d in directives_in(page))
