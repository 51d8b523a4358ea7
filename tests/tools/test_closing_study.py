"""The tables of docs/closing.md on a strong solver are those of the kept study."""

from pathlib import Path

from tools.closing.make_study import tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "closing.md"


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [table for table in tables() if table.strip() not in page] == []
