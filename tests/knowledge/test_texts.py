"""The narrative of docstrings and what they say of parameters."""

import pytest

from apigap.knowledge.components.docstrings import parameter_descriptions, shorten
from apigap.knowledge.components.narrative import first_sentence, narrative, plain, whole_sentences

NARRATIVES = [
    ("One line.", "One line."),
    ("One.\n\nTwo\nlines.\n\nArgs:\n    x: y", "One.\nTwo lines."),
    ("One.\n\nParameters\n----------\nx : int", "One."),
    ("One.\n\n```python\nx = 1\n```\n\nAfter.", "One.\nAfter."),
    ('!!! abstract "Usage Documentation"\n    [Models](../models.md)\n\nA base class.', "A base class."),
    (".. versionadded:: 2.0\n\n   Text.\n\nReal.", "Real."),
    ("Call it.\n\n>>> f(1)\n2\n\nDone.", "Call it.\nDone."),
    ("Do.\n\n:param x: The x.\n    More of it.\n:returns: y\n\nAfter.", "Do.\nAfter."),
    (
        "Sum.\n\nParameters\n----------\nx : int\n\nNotes\n-----\nIt is stable.\n\nExamples\n--------\nNo.",
        "Sum.\nIt is stable.",
    ),
    ("Do. For example, it can be opened with:\n\n.. code-block:: python\n\n    f()\n", "Do."),
    ("Do it. It holds the factor\n\n.. math::\n\n    a + b\n", "Do it."),
    ("Elements satisfy::\n\n    a < b\n\nMore.", "Elements satisfy: `a < b`\nMore."),
    ("Sizes.\n\n**Array API Standard Support**\n\n`f` has support for Python Array API Standard.", "Sizes."),
    ("GetIt( (Mol)mol) -> int :\n    Gives it.\n\n    C++ signature :\n        int GetIt(mol)", "Gives it."),
    ("Open it. If it is next to ``app.py``, open it with:\n\n.. code-block:: python\n\n    f()\n", "Open it."),
    ("Do.\n\n.. _link: https://x\n", "Do."),
    ("", ""),
]


@pytest.mark.parametrize(("docstring", "expected"), NARRATIVES)
def test_narrative(docstring: str, expected: str) -> None:
    assert narrative(docstring) == expected


def test_first_sentence_ends_at_its_end() -> None:
    assert first_sentence("Make it, e.g.fast! And more.\n\nLater.") == "Make it, e.g.fast!"


DESCRIPTIONS = [
    ("Args:\n    x: The first.\n    y (int): The second\n        one.", {"x": "The first.", "y": "The second\none."}),
    ("Parameters\n----------\nx : int\n    The first.\n", {"x": "The first."}),
    (":param x: The first.\n:param int y: The second.", {"x": "The first.", "y": "The second."}),
    ("**Parameters:**\n\n* **proxy** - *(optional)* A proxy URL.", {"proxy": "A proxy URL."}),
    (
        "* **auth** - *(optional)* A class to use when\nsending.\n* **cert** - A file.",
        {"auth": "A class to use when\nsending.", "cert": "A file."},
    ),
    ("No parameters here.", {}),
]


@pytest.mark.parametrize(("docstring", "expected"), DESCRIPTIONS)
def test_parameter_descriptions_of_every_style(docstring: str, expected: dict[str, str]) -> None:
    assert parameter_descriptions(f"Do it.\n\n{docstring}") == expected


def test_shortened_text_has_no_reference_markup() -> None:
    assert (
        shorten("See [`x`][lib.x] and :func:`~lib.y`. More.")
        == "See `x` and `lib.y`."[:-1].replace("`lib.y`", "`lib.y`") + "."
    )


PLAIN = [
    (":attr:`root_path` of :class:`~lib.Flask`", "`root_path` of `lib.Flask`"),
    (":func:`the text <lib.f>` and `a page <https://x>`_", "`the text` and a page"),
    ("``None`` as in [1]_", "`None` as in"),
    ("[`x`][lib.x] and [a](b.md)", "`x` and a"),
]


@pytest.mark.parametrize(("text", "expected"), PLAIN)
def test_text_without_the_markup_of_references(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [("One. Two.", 20, "One. Two."), ("One. Two.", 7, "One."), ("One\nTwo", 5, "One"), ("Words of it", 8, "Words o…")],
)
def test_a_text_is_cut_at_the_end_of_a_sentence(text: str, limit: int, expected: str) -> None:
    assert whole_sentences(text, limit) == expected
