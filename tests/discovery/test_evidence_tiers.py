"""The weaker tier of evidence, and the names that users write."""

from pathlib import Path

import pytest

from apigap.discovery.diff import classify
from apigap.discovery.discover import with_evidence
from apigap.discovery.evidence.docstrings import FEW_PAGES, are_missing, with_docstrings
from apigap.discovery.evidence.documents import Documents, with_documents
from apigap.discovery.evidence.written_names import with_written_names
from apigap.discovery.library import LibraryConfig
from apigap.discovery.surface import Surface
from tests.discovery.packages import surface_of

FILES = {
    "lib/__init__.py": "from lib.panel import Panel\n__all__ = ['Panel']\n",
    "lib/panel.py": "class Panel:\n    'A panel.'\n",
    "lib/table.py": (
        "import dataclasses\nfrom lib._own import helper\n"
        "class Table:\n    'A table.'\n    def add(self): 'Add.'\n    def raw(self): ...\n    def _own(self): 'No.'\n"
        "@dataclasses.dataclass\nclass Row:\n    'A row.'\n    cell: int\n"
        "@dataclasses.dataclass\nclass Bare:\n    cell: int\n"
        "def show(): 'Show.'\ndef bare(): ...\n"
    ),
    "lib/_own.py": "def helper(): 'Help.'\n",
    "lib/text_utils.py": "def trim(): 'Trim.'\n",
    "lib/core/__init__.py": "",
    "lib/core/own.py": "def own(): 'Own.'\n",
    "lib/cli.py": "def main(): 'Run.'\n",
}
WEAK = {"lib.table.Table", "lib.table.Table.add", "lib.table.Row", "lib.table.Row.cell", "lib.table.show"}


@pytest.fixture(scope="module")
def surface(tmp_path_factory: pytest.TempPathFactory) -> Surface:
    return surface_of(tmp_path_factory.mktemp("tier"), FILES)


def documents(**files: int) -> Documents:
    found = Documents()
    found.files.update(files)
    return found


@pytest.mark.parametrize(
    ("files", "missing"),
    [
        ({}, True),
        ({"documentation": 1, "examples": 300, "tests": 300, "history": 3}, True),
        ({"documentation": FEW_PAGES}, False),
        ({"documentation": 1, "docstrings": FEW_PAGES - 1}, False),
        ({"inventory": 1}, False),
    ],
)
def test_pages_are_missing_where_there_are_few(files: dict[str, int], missing: bool, surface: Surface) -> None:
    assert are_missing(surface, documents(**files)) is missing


def test_they_are_not_missing_where_the_library_s_own_marks_reach_most(tmp_path: Path) -> None:
    marked = {**FILES, "lib/table.py": f"__all__ = ['Table', 'Row']\n{FILES['lib/table.py']}"}
    assert not are_missing(surface_of(tmp_path, marked), documents())


def test_what_is_documented_counts_and_is_marked(surface: Surface) -> None:
    found = with_docstrings(surface)
    assert {e.name for e in found.entries if [x.kind for x in e.evidence] == ["docstring"]} == WEAK
    assert {e.name for e in found.entries if [x.kind for x in e.evidence] == ["__all__"]} == {"lib.Panel"}
    assert not any(e.evidence for e in found.entries if e.name not in {*WEAK, "lib.Panel"})


OLD_AND_NEW_PACKAGE = {
    "lib/__init__.py": "from lib._make import Thing, old, define\n__all__ = ['Thing', 'old', 'define']\n",
    "lib/_make.py": "class Thing:\n    'A thing.'\n    def evolve(self): 'Go on.'\n"
    "class More(Thing):\n    'More.'\ndef old(): 'Old.'\ndef define(): 'Define.'\n",
    "lib/more.py": "from lib._make import More\n__all__ = ['More']\n",
    "libs/__init__.py": "from lib._make import Thing, define\n__all__ = ['Thing', 'define']\n",
}


def shown_as(tmp_path: Path, distribution: str, described: set[str]) -> set[str]:
    # the helper walks `lib` alone, so the second package stands below it here
    files = {f"lib/{name}": text.replace("from lib.", "from lib.lib.") for name, text in OLD_AND_NEW_PACKAGE.items()}
    surface = surface_of(tmp_path, {"lib/__init__.py": "", **files})
    flat = Surface.model_validate_json(surface.to_line().replace("lib.libs", "libs").replace("lib.lib", "lib"))
    found = with_written_names(flat, described, distribution)
    assert [finding.verdict for finding in classify(found, found) if finding.entry.evidence] == ["unchanged"] * 5
    assert {path for e in flat.entries for path in e.paths} <= {path for e in found.entries for path in e.paths}
    bases = {base for entry in found.entries for base in entry.bases}
    assert bases <= {entry.name for entry in found.entries}
    return {entry.name for entry in found.entries if entry.evidence}


SHORT = {"lib.Thing", "lib.Thing.evolve", "lib.define", "lib.old", "lib.more.More"}
LONG = {"libs.Thing", "libs.Thing.evolve", "libs.define", "lib.old", "lib.more.More"}


@pytest.mark.parametrize(
    ("distribution", "described", "names"),
    [
        ("lib", set(), SHORT),
        ("Libs", set(), LONG),
        ("other", set(), SHORT),
        ("libs", {"lib.define", "libs.define", "lib.Thing", "lib.old"}, {"lib.Thing", "lib.Thing.evolve", "libs.define",
                                                                        "lib.old", "lib.more.More"}),
        ("lib", {"libs.Thing", "libs.define"}, LONG),
    ],
)  # fmt: skip
def test_the_name_is_the_one_that_users_write(
    distribution: str, described: set[str], names: set[str], tmp_path: Path
) -> None:
    assert shown_as(tmp_path, distribution, described) == names


def test_evidence_of_pages_goes_before(surface: Surface) -> None:
    pages = documents(documentation=1)
    pages.described["lib.table.show"] = "README.md"
    found = with_docstrings(with_documents(surface, pages))
    kinds = {entry.name: [evidence.kind for evidence in entry.evidence] for entry in found.entries}
    assert kinds["lib.table.show"] == ["documented"]
    assert kinds["lib.table.Row"] == ["docstring"]


@pytest.mark.parametrize(("described", "gone"), [({"lib.table.show": "page.rst"}, ["lib.table.show"]), ({}, [])])
def test_what_the_old_release_s_own_pages_describe_is_missed(
    described: dict[str, str], gone: list[str], tmp_path: Path
) -> None:
    later = {**FILES, "lib/table.py": FILES["lib/table.py"].replace("def show(): 'Show.'\n", "")}
    old, new = surface_of(tmp_path / "old", FILES), surface_of(tmp_path / "new", later)
    of_old, of_new = documents(documentation=FEW_PAGES), documents(documentation=FEW_PAGES)
    of_old.described.update(described)
    before, after, notes = with_evidence(LibraryConfig(name="lib", distribution="lib"), old, new, (of_old, of_new))
    assert notes == []
    assert [one.entry.name for one in classify(before, after) if one.verdict == "removed"] == gone
