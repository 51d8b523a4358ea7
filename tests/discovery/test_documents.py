"""Evidence from documentation, examples and tests of a source distribution."""

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.discovery.documents import names_used, read_documents, with_documents
from tests.discovery.packages import surface_of

MODULE = "def f(a): 'Do f.'\ndef g(a): 'Do g.'\nclass C:\n    'C.'\n    def m(self): 'M.'\n"


def evidence_of(tmp_path: Path, name: str, documents: dict[str, str | bytes]) -> set[tuple[str, str]]:
    surface = surface_of(tmp_path / "site", {"lib/__init__.py": "", "lib/a.py": MODULE})
    tree = tmp_path / "sdist"
    for path, text in documents.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = with_documents(surface, read_documents(tree, ["lib"]))
    entry = next(entry for entry in found.entries if entry.name == name)
    return {(evidence.kind, evidence.where) for evidence in entry.evidence}


@pytest.mark.parametrize(
    "text",
    [
        ".. autofunction:: lib.a.f",
        ".. module:: lib.a\n\n.. function:: f(a)",
        ".. currentmodule:: lib.a\n\n.. autosummary::\n   :toctree: x\n\n   f\n   g\n",
        ".. automodule:: lib.a\n   :members:",
        "Use :func:`~lib.a.f` for that.",
        "Use :py:func:`the f <lib.a.f>` for that.",
        "::: lib.a.f",
        "::: lib.a\n    options:\n",
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
        ({"CHANGES.md": "lib.a.f", "docs/x.md": "lib.a.f"}, {("documented", "docs/x.md")}),
    ],
)
def test_where_a_name_counts(documents: dict[str, str | bytes], found: set[tuple[str, str]], tmp_path: Path) -> None:
    assert evidence_of(tmp_path, "lib.a.f", documents) == found


def test_a_method_inherits_the_evidence_of_its_class(tmp_path: Path) -> None:
    assert evidence_of(tmp_path, "lib.a.C.m", {"docs/a.md": "::: lib.a.C"}) == {("documented", "docs/a.md")}


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


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    assert all(name.startswith("lib.") for name in names_used("import lib\n" + text, ("lib",)))
