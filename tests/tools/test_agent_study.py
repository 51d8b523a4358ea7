"""The tables of docs/agent-study.md are those of the kept study."""

from pathlib import Path

from tools.agents.make_study import tables

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agent-study.md"


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [table for table in tables() if table.strip() not in page] == []
