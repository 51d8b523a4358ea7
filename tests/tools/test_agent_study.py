"""The tables of docs/agent-study.md are those of the kept study."""

from pathlib import Path

from tools.agents import make_local, make_study

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agent-study.md"


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [table for table in (*make_study.tables(), *make_local.tables()) if table.strip() not in page] == []
