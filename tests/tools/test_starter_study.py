"""The page of the starter study: from the records of C2 and the tables of an analysis."""

from pathlib import Path

from tools.starter.study import study_page

from apigap.gates.novelty import Boundary, novelty_record
from apigap.records.manifest import Stage
from apigap.records.store import write_records
from tests.gates.test_file_gates import TASKS, result


def test_the_page_counts_what_is_known_and_nests_the_analysis(tmp_path: Path) -> None:
    member, opened = Boundary(status="member", reason=""), Boundary(status="open", reason="before")
    new, known, old = TASKS
    records = [
        novelty_record(new, [result(new, "fail")] * 8, member, True),
        novelty_record(known, [result(known, "fail"), result(known, "pass")], member, True),
        novelty_record(old, [], opened, True),
    ]
    write_records(tmp_path / "m.gates.jsonl", records)
    Stage(tmp_path / "m.manifest.json", "x", {}).finish({"known_controls": {"passed": 6, "asked": 7}})
    (tmp_path / "analysis.md").write_text("# Analysis of x\n\n## Cells\n\n| a |\n")
    page = study_page(tmp_path / "analysis.md", tmp_path)
    chance = (8.5 / 9 + 1.5 / 3) / 2
    assert f"| m | 3 | 2 | 2 | 1 | 1 | {chance:.2f} | 6 of 7 |" in page
    assert "\n## Analysis of x\n\n### Cells\n\n| a |" in page
    assert "What the models know" not in study_page(tmp_path / "none.md", tmp_path / "none")
