"""Prose, parameter descriptions and source: what a release says of an API, and no more."""

from pathlib import Path

import pytest

from apigap.knowledge.prose import changelog_lines, first_sentence, narrative
from apigap.knowledge.source import implementation
from apigap.knowledge.surface import parameter_descriptions, shorten
from tests.tasks.test_cut import candidate

NARRATIVES = [
    ("One line.", "One line."),
    ("One.\n\nTwo\nlines.\n\nArgs:\n    x: y", "One.\nTwo lines."),
    ("One.\n\nParameters\n----------\nx : int", "One."),
    ("One.\n\n```python\nx = 1\n```\n\nAfter.", "One.\nAfter."),
    ('!!! abstract "Usage Documentation"\n    [Models](../models.md)\n\nA base class.', "A base class."),
    (".. versionadded:: 2.0\n\n   Text.\n\nReal.", "Real."),
    ("Call it.\n\n>>> f(1)\n2\n\nDone.", "Call it.\nDone."),
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


CHANGELOG = """# Changes
## v2.1 (2026)
* Later: slugify again
## v2.0 (2025)
* Add `slugify` by @me in [#12](https://x)
* Fix other
## v1.0 (2024)
* Drop slugify
"""


def test_changelog_lines_are_of_the_new_version_only(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    api = candidate(old_version="1.0", new_version="2.0")
    assert changelog_lines(api, tmp_path) == (["Add `slugify`"], ["CHANGELOG.md"])


MODULE = '''
def _helper(x):
    """Help."""
    return x

def unrelated():
    return 0

def slugify(text, sep="-"):
    """Make a slug."""
    return _helper(text)

class Box:
    """A box."""
    def slugify(self):
        """Own."""
        return 1
'''


def test_code_has_helpers_and_no_docstrings(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text(MODULE)
    code = implementation(candidate(defined_in="lib"), tmp_path, 500)
    assert code is not None
    assert code.text == "def _helper(x):\n    return x\n\ndef slugify(text, sep='-'):\n    return _helper(text)"
    assert not code.truncated
    method = candidate(api_name="lib.Box.slugify", kind="method", defined_in="lib")
    found = implementation(method, tmp_path, 500)
    assert found is not None
    assert found.text == "def slugify(self):\n    return 1"
    field = implementation(candidate(api_name="lib.Box.slugify", kind="field", defined_in="lib"), tmp_path, 500)
    assert field is not None
    assert field.text.startswith("class Box")


def test_code_that_does_not_fit_says_so(tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("def slugify(text):\n" + "    text = text + 1\n" * 50 + "    return text\n")
    code = implementation(candidate(defined_in="lib"), tmp_path, 200)
    assert code is not None
    assert code.truncated
    assert code.text.endswith("# ... shortened")
    assert implementation(candidate(defined_in="nowhere"), tmp_path, 200) is None
