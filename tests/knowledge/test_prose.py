"""M_prose: three routes, and what a release writes of its own version only."""

import ast
from pathlib import Path

import pytest

from apigap.knowledge.components.notes import items_of, notes_of
from apigap.knowledge.components.prose import mechanism
from apigap.knowledge.components.references import references
from apigap.knowledge.components.sources import Located, Module
from apigap.knowledge.components.structure import structure
from apigap.records.candidate import Mention
from tests.tasks.test_cut import candidate

STRUCTURES = [
    ("def f(a):\n    if a is None:\n        raise ValueError('x')\n    return norm(a)",
     "Calls `norm`. Raises `ValueError` if `a is None`. Returns `norm(a)`."),
    ("def f(a):\n    for x in g(a):\n        yield x\n", "Calls `g`. A generator of `x`."),
    ("@cache\ndef f(a):\n    return 1 if len(a) else other.make(a)", "Decorated with `cache`. Calls `other.make`. "
     "Returns `1 if len(a) else other.make(a)`."),
    ("class C(Base[int]):\n    def __init__(self, a):\n        self.a = a\n    @property\n    def b(self): ...\n"
     "    def go(self): ...\n    def _in(self): ...",
     "A subclass of `Base[int]`. Its constructor sets `self.a`. Properties of its own: `b`. Methods of its own: `go`."),
    ("f = functools.partial(g, 1)", "It is made by `functools.partial(g, 1)`."),
    ("def f(): pass", ""),
    ("def f():\n    try:\n        g()\n    except OSError as error:\n        raise error", "Calls `g`."),
    (f"def f(a):\n    return make(a, '{'x' * 80}')", "Calls `make`. Returns `make(...)`."),
    ("def f():\n    def inner():\n        raise KeyError\n    return inner", "Returns `inner`."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), STRUCTURES)
def test_what_an_implementation_does(text: str, expected: str) -> None:
    tree = ast.parse(text)
    node = tree.body[0]
    assert isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign))
    assert structure(Located(Module("lib", Path("lib.py"), text, tree), (node,))) == expected


REFERENCES = [
    ("References\n----------\n.. [1] Cooley, James W., 1965, \"An algorithm\", *Math. Comput.* 19.",
     [('Cooley, James W., 1965, "An algorithm", Math. Comput. 19', None)]),
    (".. [2] A. Author (2020). :doi:`10.1000/182`", [("A. Author (2020)", "doi:10.1000/182")]),
    ("As in https://arxiv.org/abs/1706.03762.", [("", "arXiv:1706.03762")]),
    ("See https://doi.org/10.1137/0907058.", [("", "doi:10.1137/0907058")]),
    ("References\n----------\nSmith et al. (2001), Proc. of X.\n\nSee Also\n--------\ny",
     [("Smith et al. (2001), Proc. of X", None)]),
    (".. [1] Wikipedia, \"Sorting\", https://en.wikipedia.org/wiki/Sorting", []),
    ("No paper at all, version 10.2/3.", []),
]  # fmt: skip


@pytest.mark.parametrize(("docstring", "expected"), REFERENCES)
def test_published_work_that_a_docstring_names(docstring: str, expected: list[tuple[str, str | None]]) -> None:
    assert [tuple(one) for one in references(f"Do it.\n\n{docstring}\n")] == expected


CHANGELOG = """# Changes
## v2.1 (2026)
* Later: slugify again
## v2.0 (2025)
* Add `slugify`, which makes
  slugs, by @me in [#12](https://x)
* Fix other
## v1.0 (2024)
* Drop slugify
"""


def test_items_of_a_changelog_have_their_version_and_all_their_lines() -> None:
    assert [(item.version, item.line) for item in items_of(CHANGELOG)] == [
        ("2.1", 3),
        ("2.0", 5),
        ("2.0", 7),
        ("1.0", 9),
    ]
    assert "slugs" in next(item.text for item in items_of(CHANGELOG) if item.line == 5)


def test_news_are_of_the_new_version_only(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    api = candidate(old_version="1.0", new_version="2.0")
    assert notes_of(api, tmp_path) == [("Changelog of 2.0: Add `slugify`, which makes slugs", "CHANGELOG.md:5")]
    assert notes_of(candidate(old_version="2.1", new_version="3.0"), tmp_path) == []


MENTIONS = [
    ("a change in words", {"kind": "versionchanged", "text": "Takes :attr:`sep`."}, ["Changed in 2.0: Takes `sep`."]),
    ("a parameter without words", {"kind": "versionadded", "parameter": "sep"}, ["New in 2.0: the parameter `sep`"]),
    ("words on a parameter", {"kind": "deprecated", "parameter": "sep", "text": "It will go."},
     ["Deprecated in 2.0 (`sep`): It will go."]),
    ("that it is new", {"kind": "versionadded"}, []),
    ("of another version", {"kind": "versionchanged", "text": "Old.", "version": "0.9", "in_series": False}, []),
    ("the title of a patch", {"kind": "changelog", "text": "* #12: FIX slugify"}, []),
    ("a heading", {"kind": "changelog", "where": "docs/whole.rst:1", "text": "`slugify` counts"},
     ["Changelog of 2.0: It also counts."]),
    ("a line of the changelog",
     {"kind": "changelog", "where": "docs/news.md:5", "text": "* Add `slugify`, which makes"},
     ["Changelog of 2.0: Add `slugify`, which makes slugs"]),
]  # fmt: skip


@pytest.mark.parametrize(("told", "expected"), [row[1:] for row in MENTIONS], ids=[row[0] for row in MENTIONS])
def test_what_a_release_says_of_its_versions(told: dict[str, object], expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/news.md").write_text(CHANGELOG)
    (tmp_path / "docs/whole.rst").write_text("`slugify` counts\n----------------\n\nIt also counts.\n\nMore.\n")
    mention = Mention.model_validate({"version": "2.0", "where": "docstring", "in_series": True, **told})
    api = candidate(change="modified", old_version="1.0", new_version="2.0", mentions=(mention,))
    assert [text for text, _ in notes_of(api, tmp_path)] == expected


LONG = "It turns any text into lower case words with a separator between them. " * 3
ROUTES = [
    ("enough in the docstring", LONG, "docstring", ("docstring",)),
    ("a thin docstring", "Make a slug.", "source", ("docstring", "source: lib.py")),
    ("none", None, "source", ("source: lib.py",)),
    ("a paper", f"{LONG}\n\n.. [1] A. Author, 1999. doi:10.1000/182", "paper", ("docstring", "paper: doi:10.1000/182")),
]


@pytest.mark.parametrize(("docstring", "tier", "whence"), [row[1:] for row in ROUTES], ids=[row[0] for row in ROUTES])
def test_the_routes_of_prose(docstring: str | None, tier: str, whence: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "lib.py").write_text("def slugify(text):\n    return text.lower()\n")
    found = mechanism(candidate(docstring=docstring, defined_in="lib"), tmp_path, None, 400)
    assert found is not None
    assert (found.tier, found.provenance) == (tier, whence)
    assert len(found.text) <= 400
    assert ("`text.lower()`" in found.text) == (tier == "source")


def test_what_is_neither_described_nor_written_has_no_prose(tmp_path: Path) -> None:
    assert mechanism(candidate(docstring=None), tmp_path, None, 400) is None
