"""The tables of docs/reproducibility.md on the limits of knowledge are those of the kept verdicts, which are paired."""

from collections import defaultdict
from pathlib import Path

from tools.models.limits import KEPT, LimitVerdict, passed_rows, tables

from apigap.records.store import load_records

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reproducibility.md"
ROWS = load_records(KEPT, LimitVerdict)


def test_the_page_has_the_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert [table for table in tables() if table.strip() not in page] == []


def test_every_task_was_asked_with_two_prompts_of_which_all_solvers_got_the_same() -> None:
    prompts: defaultdict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in ROWS:
        prompts[one.condition, one.task_id][one.limits].add(one.prompt_hash)
    assert {condition for condition, _ in prompts} == {"full", "m_code"}
    for asked in prompts.values():
        assert {limits: len(hashes) for limits, hashes in asked.items()} == {"ours": 1, "published": 1}
        assert asked["ours"] != asked["published"]
    solvers = {one.solver for one in ROWS}
    assert len({(one.solver, one.condition, one.limits, one.task_id) for one in ROWS}) == len(ROWS)
    assert len(ROWS) == 2 * len(solvers) * len(prompts)


def test_one_judge_gave_all_verdicts() -> None:
    assert len({one.evaluator for one in ROWS}) == 1


def test_a_lost_pass_is_a_loss_of_its_limits_and_a_missing_verdict_pairs_with_nothing() -> None:
    first = next(one for one in ROWS if one.limits == "published" and one.outcome == "pass" and one.source_cut)
    key = (first.solver, first.condition)
    rows = [one for one in ROWS if (one.solver, one.condition) == key]
    before = {row[2]: row for row in passed_rows(rows)}
    failed = [one.model_copy(update={"outcome": "fail"}) if one == first else one for one in rows]
    after = {row[2]: row for row in passed_rows(failed)}
    assert after["all"][3] == before["all"][3]
    assert int(after["all"][4].split()[0]) == int(before["all"][4].split()[0]) - 1
    assert float(after["all"][5].split()[0]) < float(before["all"][5].split()[0])
    assert after["source cut by ours alone"] == before["source cut by ours alone"]
    fewer = {row[2]: row for row in passed_rows([one for one in rows if one != first])}
    assert int(fewer["all"][3].split()[2]) == int(before["all"][3].split()[2]) - 1
