"""Figures of the documentation: all are in the catalogue, and a page that its data do not give is found."""

import re
from pathlib import Path

import pytest
from tools.figures import checks
from tools.figures.catalogue import MEASURED, REMADE, STATED, Remade, Stated
from tools.figures.checks import ROOT, claims, prepare, remade_problems, stated_problems

MADE = {file for entry in REMADE for file in entry.files}
BY_HAND = {file for entry in MEASURED for file in entry.files}
FORMS = "tools.models.forms"


def test_every_picture_and_made_page_is_in_the_catalogue() -> None:
    pictures = {f"docs/images/{path.name}" for path in (ROOT / "docs" / "images").iterdir()}
    pages = [path for path in (ROOT / "docs").glob("*.md") if "\nMade by `" in path.read_text(encoding="utf-8")]
    assert pages
    assert pictures | {f"docs/{path.name}" for path in pages} <= MADE | BY_HAND
    assert not MADE & BY_HAND


def test_what_the_catalogue_names_is_there() -> None:
    files = [*MADE, *BY_HAND, *(entry.page for entry in STATED)]
    assert [file for file in files if not (ROOT / file).is_file()] == []
    for entry in (*REMADE, *STATED):
        assert (ROOT / f"{entry.command.split()[0].replace('.', '/')}.py").is_file()


def test_a_page_whose_figures_are_measured_names_the_command() -> None:
    pages = [(entry.command, file) for entry in MEASURED for file in entry.files if file.endswith(".md")]
    assert [file for command, file in pages if command not in (ROOT / file).read_text(encoding="utf-8")] == []


def test_every_study_is_read_by_a_command_that_a_page_names() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md"))
    studies = [path.name for path in (ROOT / "studies").iterdir()]
    assert [name for name in studies if not re.search(rf"studies/{name}\b", pages)] == []


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("| a | b |\n| --- | ---: |\n| 1 | 2 |\n| 3 |  |\n", ["| 1 | 2 |", "| 3 | |"]),
        ("told\n> 40 of  75\n\n| a |\n| --- |\n", ["40 of 75"]),
        ("AUC 0.9\n", []),
    ],
)
def test_claims_are_rows_and_sentences(text: str, rows: list[str]) -> None:
    assert list(claims(text)) == rows


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    prepare(tmp_path / "figures")
    return tmp_path / "figures"


def test_a_table_that_stands_in_no_page_is_found(scratch: Path) -> None:
    assert stated_problems(Stated(FORMS, "docs/models.md"), scratch) == []
    lacking = stated_problems(Stated(FORMS, "docs/trust.md"), scratch)
    assert lacking[0].startswith("docs/trust.md lacks: | qwen2.5-coder-0.5b | instructed | no | 35 of 104")


def test_a_page_that_its_data_do_not_give_is_found(
    scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = next(one for one in REMADE if one.files == ("docs/doors.md",))
    assert remade_problems(entry, scratch) == []
    text = (ROOT / "docs" / "doors.md").read_text(encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "doors.md").write_text(text.replace("3 answers", "4 answers"))
    made = scratch / "docs" / "doors.md"
    monkeypatch.setattr(checks, "printed", lambda command, folder: made.write_text(text))
    monkeypatch.setattr(checks, "ROOT", tmp_path)
    (problem,) = remade_problems(entry, scratch)
    assert "docs/doors.md line" in problem and "4 answers" in problem and "3 answers" in problem


def test_a_command_that_fails_is_told(scratch: Path) -> None:
    with pytest.raises(RuntimeError, match=r"No module named tools\.nothing"):
        remade_problems(Remade("tools.nothing", ()), scratch)
