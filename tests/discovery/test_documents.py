"""Evidence from documentation, examples and tests of a source distribution."""

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.evidence.documents import names_used, read_documents, with_documents
from apigap.discovery.evidence.pages import described_on_page, has_members_by_default
from tests.discovery.packages import surface_of

MODULE = "def f(a): 'Do f.'\ndef g(a): 'Do g.'\nclass C:\n    'C.'\n    def m(self): 'M.'\n"


def evidence_of(tmp_path: Path, name: str, documents: dict[str, str | bytes]) -> set[tuple[str, str]]:
    surface = surface_of(tmp_path / "site", {"lib/__init__.py": "", "lib/a.py": MODULE})
    tree = tmp_path / "sdist"
    for path, text in documents.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = with_documents(surface, read_documents([tree], ["lib"]))
    entry = next(entry for entry in found.entries if entry.name == name)
    return {(evidence.kind, evidence.where) for evidence in entry.evidence}


@pytest.mark.parametrize(
    "text",
    [
        ".. autofunction:: lib.a.f",
        ".. module:: lib.a\n\n.. function:: f(a)",
        ".. currentmodule:: lib.a\n\n.. autosummary::\n   :toctree: x\n\n   f\n   g\n",
        ".. automodule:: lib.a\n   :no-index:\n   :members:",
        ".. automodapi:: lib.a",
        "Use :func:`~lib.a.f` for that.",
        "Use :py:func:`the f <lib.a.f>` for that.",
        "::: lib.a.f",
        "::: lib.a\n    options:\n",
        "---\ntitle: a\n---\n# `lib.a`\n## Functions\n### `f` <sup>source</sup>\n",
        "Call `lib.a.f()`.",
        "```python\nfrom lib.a import (\n    g,\n    f,\n)\n```",
        ">>> import lib.a as x\n>>> x.f(3)",
    ],
)
def test_ways_to_document_a_function(text: str, tmp_path: Path) -> None:
    assert evidence_of(tmp_path, "lib.a.f", {"docs/api.rst": text}) == {("documented", "docs/api.rst")}


@pytest.mark.parametrize(
    ("documents", "found"),
    [
        ({"docs/api.rst": "f is a letter, g too; lib.b.f is another function"}, set()),
        ({"src/lib/a.py": "from lib.a import f"}, set()),
        ({"README.md": "from lib.a import f"}, {("documented", "README.md")}),
        ({"README": "Call lib.a.f"}, {("documented", "README")}),
        ({"AUTHORS": "lib.a.f"}, set()),
        ({"src/lib/a.py": '"""Offers:\n\n.. autofunction:: f\n"""'}, {("documented", "src/lib/a.py")}),
        ({"lib/__init__.py": '"""\n.. autosummary::\n\n   a.f\n"""'}, {("documented", "lib/__init__.py")}),
        ({"lib/b.py": '"""\n.. autofunction:: f\n"""'}, set()),
        ({"lib/a.py": 'def g():\n    """\n    .. autofunction:: f\n    """'}, set()),
        ({"examples/one.py": "import lib.a\nlib.a.f(3)"}, {("used", "examples/one.py")}),
        ({"tests/test_f.py": "from lib.a import f"}, set()),
        (
            {"tests/test_f.py": "from lib.a import f", "tests/test_g.py": "from lib import a\na.f(1)"},
            {("used", "tests/test_f.py")},
        ),
        ({"docs/api.rst": ".. automodule:: lib.a"}, set()),
        ({"docs/contributing/tests.rst": ".. autofunction:: lib.a.f"}, set()),
        ({"docs/api.rst": "# `other.a`\n### `f`"}, set()),
        ({"docs_src/one/tutorial001.py": "from lib.a import f"}, {("used", "docs_src/one/tutorial001.py")}),
        ({"CHANGES.md": "lib.a.f", "docs/x.md": "lib.a.f"}, {("documented", "docs/x.md")}),
    ],
)
def test_where_a_name_counts(documents: dict[str, str | bytes], found: set[tuple[str, str]], tmp_path: Path) -> None:
    assert evidence_of(tmp_path, "lib.a.f", documents) == found


def test_a_method_inherits_the_evidence_of_its_class(tmp_path: Path) -> None:
    assert evidence_of(tmp_path, "lib.a.C.m", {"docs/a.md": "::: lib.a.C"}) == {("documented", "docs/a.md")}


def test_a_method_that_nothing_says_a_word_about_is_none_of_a_class_that_pages_alone_speak_of(tmp_path: Path) -> None:
    visitor = "class V:\n    'V.'\n    def visit_x(self): ...\n    def told(self): 'Told.'\n    def named(self): ...\n"
    page = ".. class:: lib.a.V\n\n   .. method:: named()\n"
    tree = tmp_path / "sdist" / "docs"
    tree.mkdir(parents=True)
    (tree / "a.rst").write_text(page)
    for marked, names in (("", {"told", "named"}), ("__all__ = ['V']\n", {"visit_x", "told", "named"})):
        surface = surface_of(tmp_path / f"site{len(names)}", {"lib/__init__.py": "", "lib/a.py": marked + visitor})
        found = with_documents(surface, read_documents([tmp_path / "sdist"], ["lib"]))
        assert {entry.leaf for entry in found.entries if entry.evidence and entry.owner} == names


def test_what_is_in_a_package_of_helpers_must_be_described(tmp_path: Path) -> None:
    files = {"lib/__init__.py": "", "lib/testing/__init__.py": "", "lib/testing/a.py": MODULE}
    surface = surface_of(tmp_path / "site", files)
    tree = tmp_path / "sdist"
    tree.mkdir()
    (tree / "README.md").write_text("from lib.testing.a import f, C\n\n.. autofunction:: lib.testing.a.g\n")
    found = with_documents(surface, read_documents([tree], ["lib"]))
    assert {entry.name for entry in found.entries if entry.evidence} == {"lib.testing.a.g"}


def test_that_tests_use_what_is_there_for_tests_says_nothing(tmp_path: Path) -> None:
    surface = surface_of(
        tmp_path / "site", {"lib/__init__.py": "", "lib/test/__init__.py": "", "lib/test/a.py": MODULE}
    )
    for name in ("test_1.py", "test_2.py"):
        (tmp_path / "sdist" / "tests").mkdir(parents=True, exist_ok=True)
        (tmp_path / "sdist" / "tests" / name).write_text("from lib.test.a import f\n")
    (tmp_path / "sdist" / "README.md").write_text("from lib.test.a import g\n")
    found = with_documents(surface, read_documents([tmp_path / "sdist"], ["lib"]))
    assert {entry.name for entry in found.entries if entry.evidence} == {"lib.test.a.g"}


@pytest.mark.parametrize(
    ("settings", "is_default"),
    [
        ("autodoc_default_options = {'members': True}", True),
        ('autodoc_default_flags = ["members"]', True),
        ('autodoc_default_options = {"show-inheritance": True,\n  "members": None}', True),
        ('autodoc_default_options = {"members": False}', False),
        ('autodoc_default_options = {"no-undoc-members": True, "exclude-members": "x"}', False),
        ("", False),
    ],
)
def test_settings_that_describe_all_members(settings: str, is_default: bool, tmp_path: Path) -> None:
    assert has_members_by_default(settings) == is_default
    found = evidence_of(tmp_path, "lib.a.f", {"docs/conf.py": settings, "docs/a.rst": ".. automodule:: lib.a"})
    assert bool(found) == is_default


def test_a_sphinx_inventory(tmp_path: Path) -> None:
    head = b"# Sphinx inventory version 2\n# Project: lib\n# Version: 1\n# zlib\n"
    rows = zlib.compress(b"lib.a.f py:function 1 api.html#$ -\nlib.a.g std:label 1 api.html#$ -\n")
    assert evidence_of(tmp_path / "1", "lib.a.f", {"objects.inv": head + rows}) == {("documented", "objects.inv")}
    assert evidence_of(tmp_path / "2", "lib.a.g", {"objects.inv": head + rows}) == set()
    assert evidence_of(tmp_path / "3", "lib.a.f", {"objects.inv": head + b"no zlib"}) == set()
    assert evidence_of(tmp_path / "4", "lib.a.f", {"objects.inv": b""}) == set()


def test_names_used_resolves_aliases() -> None:
    text = "import lib as l\nfrom lib.sub import x as y, z\nl.a.b()\ny.c\nother.d\n"
    assert names_used(text, ("lib",)) == {"lib.sub", "lib.sub.x", "lib.sub.z", "lib.a", "lib.a.b", "lib.sub.x.c"}


def test_what_is_described_below_a_class_is_its_own() -> None:
    page = """
.. module:: lib.a

.. class:: C(x)

    Makes.

    .. classmethod:: make(y)

    .. attribute:: y

.. function:: f()
"""
    names = described_on_page(page).names
    assert {name for name in names if name.startswith("lib.a")} == {
        "lib.a.C", "lib.a.make", "lib.a.C.make", "lib.a.y", "lib.a.C.y", "lib.a.f",
    }  # fmt: skip


@given(st.text() | st.text(alphabet="#`.: \nabc_") | st.text(alphabet=".:: \nmoduleclassfunction"))
def test_no_text_breaks_the_reader_of_pages(text: str) -> None:
    described_on_page(text, ("lib",), "lib.a", members_by_default=True)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert all(name.startswith("lib.") for name in names_used("import lib\n" + text, ("lib",)))
