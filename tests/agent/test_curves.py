"""Curves, areas, waste and evidence of agents in an analysis; the figures are worked out by hand."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.agent.anytime import AGENTS, AgentRecord, Point
from apigap.agent.evidence import Evidence
from apigap.agent.run import STEPS
from apigap.agent.trace import Step
from apigap.analysis.agents.curves import area_row, curve_rows, passes, places
from apigap.analysis.agents.tables import agent_tables
from apigap.analysis.analyse import analyse, write_tables
from apigap.analysis.experiment_report import experiment_report
from apigap.analysis.page import write_page
from apigap.analysis.study import Study, StudyCell, read_study
from apigap.benchmarks.novelapi.cells import PREDICTIONS, RESULTS
from apigap.records.result import Judged, Prediction, Result
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.reporting.render import render_report
from tests.records.test_task import make_task

TASKS = [make_task(api_name=f"lib.f{number}", description=f"Task {number}.") for number in range(3)]
DRAWS = 500


def known(task: Task, after: int | None = None, by: Any = None) -> Evidence:
    return Evidence(api=task.api_name, state="found" if by else "not found", after=after, by=by)


def record(task: Task, points: Sequence[tuple[int, str]], **fields: Any) -> AgentRecord:
    """A sample that used ten calls; each point is a number of calls and an outcome."""
    made = [Point(step=n, calls=n, tokens=100 * n, seconds=0.0, dollars=0.0, outcome=o) for n, o in points]  # pyright: ignore[reportArgumentType]
    last = points[-1][1] if points else "fail"
    values = {
        "task_id": task.task_id, "sample": 0, "about": task.api_name, "library": task.library, "tools": "all",
        "over": "submitted", "calls": 10, "rounds": 3, "tokens": 1000, "seconds": 0.0, "dollars": 0.0,
        "known": [known(task, 2, "search_docs")], "outcome": last,
        "label": None if last == "pass" else "WrongLogic", "waste": None if last == "pass" else "used it wrongly",
        "points": made,
    }  # fmt: skip
    return AgentRecord.model_validate({**values, **fields})


RECORDS = [
    record(TASKS[0], [(2, "fail"), (4, "pass")]),
    record(TASKS[1], [(4, "pass"), (6, "fail"), (8, "pass")], known=[known(TASKS[1], 4, "read_page")]),
    record(TASKS[2], [], known=[known(TASKS[2])], waste="gave up"),
]


def test_what_counts_at_a_place_is_the_last_code_by_then() -> None:
    at = np.arange(0.0, 11)
    assert passes(RECORDS[0], "calls", at).tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    assert passes(RECORDS[1], "calls", at).tolist() == [0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1]
    assert not passes(RECORDS[2], "calls", at).any()
    assert places(RECORDS, "calls").tolist() == at.tolist()
    assert places(RECORDS, "tokens")[[0, -1]].tolist() == [0, 1000]
    assert len(places(RECORDS, "dollars")) == 0


@pytest.fixture
def cell(tmp_path: Path) -> StudyCell:
    written(tmp_path)
    return next(cell for cell in study(tmp_path).cells if cell.name == "agent.all")


def study(root: Path) -> Study:
    return read_study(root, ["x"], tasks=[root / "tasks.jsonl"])


def verdict(task: Task, outcome: str) -> Result:
    return Result(
        task_id=task.task_id, sample=0, outcome=outcome, passed=outcome == "pass", score=0.0,  # pyright: ignore[reportArgumentType]
        label=None if outcome == "pass" else "WrongLogic", detail={}, evaluator="e", seconds=0.0,
        judged=Judged.of("y = 2"), about=task.api_name,
    )  # fmt: skip


def written(root: Path, agents: bool = True) -> Path:
    """The files of an experiment with a baseline and agents."""
    write_records(root / "tasks.jsonl", TASKS)
    for name in ("baseline", "agent.all"):
        folder = root / "results" / "x" / name
        outcomes = ["fail"] * 3 if name == "baseline" else ["pass", "pass", "fail"]
        write_records(folder / RESULTS, [verdict(task, o) for task, o in zip(TASKS, outcomes, strict=True)])
        answers = [Prediction(task_id=task.task_id, samples=("```python\ny = 2\n```",)) for task in TASKS]
        write_records(folder / PREDICTIONS, answers)
    if agents:
        write_records(folder / AGENTS, RECORDS)
        steps = [
            Step(task_id=TASKS[0].task_id, sample=0, number=0, round=1, kind="answer", text="<b>I look</b>"),
            Step(
                task_id=TASKS[0].task_id, sample=0, number=1, round=1, kind="call", tool="search_docs",
                arguments={"query": "clean <url>"}, text="- lib.f0(x)", seconds=1.5,
            ),
            Step(
                task_id=TASKS[0].task_id, sample=0, number=2, round=1, kind="call", tool="submit",
                arguments={"code": "y = 2"}, text="Handed in.",
            ),
        ]  # fmt: skip
        write_records(folder / STEPS, steps)
    return root


def test_a_curve_is_the_mean_over_tasks_with_an_interval_around_it(cell: StudyCell) -> None:
    at = places(RECORDS, "calls")
    rows = list(curve_rows(cell, RECORDS, "calls", at, DRAWS))
    assert [round(row.pass_at, 3) for row in rows] == [0, 0, 0, 0, 0.667, 0.667, 0.333, 0.333, 0.667, 0.667, 0.667]
    assert all(0 <= row.low <= row.pass_at <= row.high <= 1 for row in rows)
    area = area_row(cell, RECORDS, "calls", at, DRAWS)
    assert area.area == pytest.approx((6 + 4) / 10 / 3)
    assert (area.up_to, area.samples, area.tasks, area.apis) == (10, 3, 3, 3)


OUTCOMES = st.sampled_from(["pass", "fail"])


@given(st.lists(st.lists(st.tuples(st.integers(0, 9), OUTCOMES), max_size=4), min_size=1, max_size=3))
def test_the_end_of_a_curve_is_what_was_handed_in(points: list[list[tuple[int, str]]]) -> None:
    records = [record(TASKS[number], sorted(own, key=lambda pair: pair[0])) for number, own in enumerate(points)]
    for one in records:
        curve = passes(one, "calls", places(records, "calls"))
        assert curve[-1] == (bool(one.points) and one.points[-1].outcome == "pass")
        assert set(curve) <= {0.0, 1.0}


def test_tables_of_waste_and_evidence(cell: StudyCell, tmp_path: Path) -> None:
    found = agent_tables(study(tmp_path), DRAWS)
    assert [(row.waste, row.label, row.samples, row.of) for row in found.waste] == [("gave up", "WrongLogic", 1, 1)]
    rows = {row.api: row for row in found.evidence}
    assert (rows["lib.f0"].state, rows["lib.f0"].after, rows["lib.f0"].by) == ("found", 2, "search_docs 1")
    assert (rows["lib.f2"].state, rows["lib.f2"].not_found, rows["lib.f2"].passed) == ("not found", 1, 0)
    assert {row.axis for row in found.areas} == {"calls", "tokens"}
    assert found.missing == ()


GAINS = [
    ("two of three more", ["fail", "fail", "fail"], 2 / 3, 3),
    ("one gained and one lost", ["fail", "pass", "pass"], 0.0, 3),
    ("what the machine left open is no pair", ["infra", "fail", "fail"], 0.5, 2),
]


@pytest.mark.parametrize(("before", "difference", "tasks"), [row[1:] for row in GAINS], ids=[row[0] for row in GAINS])
def test_gains_over_the_baseline_are_paired_by_task(
    before: list[str], difference: float, tasks: int, tmp_path: Path
) -> None:
    path = written(tmp_path) / "results" / "x" / "baseline" / RESULTS
    write_records(path, [verdict(task, outcome) for task, outcome in zip(TASKS, before, strict=True)])
    (row,) = agent_tables(study(tmp_path), DRAWS).gains
    assert (row.cell, row.against, row.family, row.tasks) == ("agent.all", "baseline", "agents", tasks)
    assert row.difference == pytest.approx(difference)
    assert row.low <= row.difference <= row.high
    assert row.p_holm == row.p


def test_a_sample_that_the_machine_left_open_is_in_no_curve(cell: StudyCell, tmp_path: Path) -> None:
    opened = [RECORDS[0], record(TASKS[1], [(1, "infra"), (2, "pass")])]
    write_records(cell.judged.path.with_name(AGENTS), opened)
    found = agent_tables(study(tmp_path), DRAWS)
    assert {row.samples for row in found.areas} == {1}


def test_the_page_has_the_curves_and_the_report_the_traces(tmp_path: Path) -> None:
    found = analyse(written(tmp_path), ["x"], draws=DRAWS, tasks=[tmp_path / "tasks.jsonl"])
    names = {path.name for path in write_tables(found, tmp_path / "out")}
    assert {"agent_gains.csv", "agent_curves.csv", "agent_areas.csv", "agent_waste.csv", "agent_evidence.csv"} <= names
    page = write_page(found, tmp_path / "out").read_text()
    assert "Solved over tool calls" in page
    assert "How each API came to be known" in page
    assert "Gain over no knowledge and no tools" in page
    assert (tmp_path / "out" / "figures" / "agents_x_calls.png").exists()
    report = render_report(experiment_report(tmp_path, "x", [tmp_path / "tasks.jsonl"]))
    assert "Trace, 3 steps" in report
    assert "found the API by search_docs after 2 calls" in report
    assert "clean &lt;url&gt;" in report
    assert "<b>I look</b>" not in report


def test_agents_without_verdicts_on_their_way_are_told(tmp_path: Path) -> None:
    found = analyse(written(tmp_path, agents=False), ["x"], draws=DRAWS, tasks=[tmp_path / "tasks.jsonl"])
    assert any("x/agent.all has no verdicts on its way" in line for line in found.missing)
    page = write_page(found, tmp_path / "out").read_text()
    assert "Gain over no knowledge and no tools" in page
    assert "How each API came to be known" not in page
