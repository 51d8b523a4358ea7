"""The study of the ladder: what is kept of runs, and what its page states."""

from pathlib import Path

from tools.ladder.study import collect, keep, kept, study_page

from apigap.benchmarks.items.readings import read
from apigap.benchmarks.items.verdict import verdict
from apigap.records.questions.ladder import Group, LadderItem
from apigap.records.result import Result
from apigap.records.store import write_records
from tests.benchmarks.items.made import OPTIONS, item

PAIRS = 12


def _choice(number: int, group: Group) -> LadderItem:
    name = f"lib.{group}{number}"
    own = {"api_name": name, "pair": f"lib.new{number}", "group": group, "subject": name}
    return item(
        rung="signature", form="choice", question=f"Which parameters has {name}?", options=OPTIONS, right=2, **own
    )


def _results(items: list[LadderItem], right: set[Group]) -> list[Result]:
    return [verdict(one, read("C" if one.group in right else "A", one)) for one in items]


def test_runs_become_a_page_with_gap_and_cure(tmp_path: Path) -> None:
    items = [_choice(number, group) for number in range(PAIRS) for group in ("new", "control")]
    folder, runs = tmp_path / "items", tmp_path / "runs" / "some-model"
    folder.mkdir()
    runs.mkdir(parents=True)
    write_records(folder / "lib.jsonl", items)
    (folder / "lib.knowledge.jsonl").write_text("not items\n")
    write_records(runs / "baseline.results.jsonl", _results(items, {"control"}))
    write_records(runs / "e.results.jsonl", _results(items, {"control", "new"}))
    write_records(runs / "s.results.jsonl", _results(items, {"control", "new"}))  # the parameters were shown
    scores = list(collect(folder, tmp_path / "runs"))
    path = tmp_path / "scores.jsonl.xz"
    keep(scores[::-1], path)
    before = path.read_bytes()
    keep(scores, path)
    assert path.read_bytes() == before
    page = study_page(kept(path))
    assert "| some-model | signature: choice | 0.25 | 1.00 | 0.00 | **1.00 (" in page
    assert "| some-model | e | signature: choice | 0.00 | 1.00 | 1.00 | 1.00 | **1.00 (" in page
    assert "| some-model | s |" not in page
    assert "1 releases (lib 1 -> 2)" in page
