"""The pages of the starter study: from the records of C2 and the tables of an analysis."""

from pathlib import Path

from tools.starter.study import study_page, tables_page

from apigap.gates.novelty import Boundary, novelty_record
from apigap.records.manifest import Stage
from apigap.records.store import write_records
from tests.gates.test_file_gates import TASKS, result


def test_the_page_counts_what_is_known_and_shows_the_rates(tmp_path: Path) -> None:
    member, opened = Boundary(status="member", reason=""), Boundary(status="open", reason="before")
    new, known, old = TASKS
    records = [
        novelty_record(new, [result(new, "fail")] * 8, member, True),
        novelty_record(known, [result(known, "fail"), result(known, "pass")], member, True),
        novelty_record(old, [], opened, True),
    ]
    write_records(tmp_path / "m.gates.jsonl", records)
    Stage(tmp_path / "m.manifest.json", "x", {}).finish({"known_controls": {"passed": 6, "asked": 7}})
    cells = ["ex,name,4,0.25,0.05,0.7", "ex,example,4,0.5,0.1,0.9", "other,name,2,0.0,0.0,0.5"]
    (tmp_path / "cells.csv").write_text("\n".join(["experiment,title,tasks,pass_at_1,low,high", *cells]) + "\n")
    page = study_page(tmp_path / "analysis.md", tmp_path)
    chance = (8.5 / 9 + 1.5 / 3) / 2
    assert f"| m | 3 | 2 | 2 | 1 | 1 | {chance:.2f} | 6 of 7 |" in page
    assert "| shown | ex | other |\n" in page
    assert "| name | 25 % of 4 (5 to 70) | 0 % of 2 (0 to 50) |\n| example | 50 % of 4 (10 to 90) |  |\n" in page
    assert "## What" not in study_page(tmp_path / "none" / "none.md", tmp_path / "none")


def test_the_tables_page_has_one_title_and_the_whole_analysis(tmp_path: Path) -> None:
    (tmp_path / "analysis.md").write_text("# Analysis of x\n\n## Cells\n\n| a |\n")
    page = tables_page(tmp_path / "analysis.md")
    assert page.endswith("\n## Analysis of x\n\n## Cells\n\n| a |\n")
    assert [line for line in page.splitlines() if line.startswith("# ")] == [page.partition("\n")[0]]
