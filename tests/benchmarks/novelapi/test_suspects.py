"""Suspect answers, shown beside what the task's author wrote."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.benchmarks.novelapi.suspects import suspects_of_files, suspects_of_run
from apigap.records.errors import UsageError
from apigap.records.result import Judged, Outcome, Result
from apigap.records.store import write_records
from apigap.records.task import Task
from tests.records.test_task import make_task

TASK = make_task()
CODE = ("right = 1", "looks_right = [1]")


def result(sample: int, outcome: Outcome) -> Result:
    return Result(
        task_id=TASK.task_id, sample=sample, outcome=outcome, passed=outcome == "pass", score=1.0, label=None,
        detail={"reason": "called for show", "dependence": {"nothing": "same values"}}, evaluator="e", seconds=0.0,
        judged=Judged.of(CODE[sample]),
    )  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    cell = tmp_path / "results" / "audit-m" / "baseline"
    write_records(tmp_path / "raw" / "lib" / "stage3_tasks.m.jsonl", [TASK])
    write_records(cell / "results.jsonl", [result(0, "pass"), result(1, "suspect")])
    return tmp_path


def test_only_suspects_are_shown_with_the_code_that_was_judged(data: Path) -> None:
    (found,) = suspects_of_run(data)
    assert (found.where, found.sample, found.answer) == ("audit-m/baseline", 1, "looks_right = [1]")
    assert (found.reference, found.reason) == (TASK.masked_region, "called for show")
    assert found.dependence == {"nothing": "same values"}


def test_an_unknown_task_names_the_option_that_repairs_it(data: Path, tmp_path: Path) -> None:
    others: list[Task] = [make_task(description="Another.")]
    write_records(tmp_path / "others.jsonl", others)
    cell = data / "results" / "audit-m" / "baseline"
    with pytest.raises(UsageError, match="--tasks"):
        suspects_of_files([tmp_path / "others.jsonl"], cell / "results.jsonl", "here")
    with pytest.raises(UsageError, match="holds no results"):
        suspects_of_run(tmp_path / "raw")


def test_results_that_do_not_hold_what_was_judged_are_refused(data: Path) -> None:
    earlier = result(1, "suspect").model_copy(update={"judged": None})
    write_records(data / "results" / "audit-m" / "baseline" / "results.jsonl", [earlier])
    with pytest.raises(UsageError, match="score the predictions again"):
        suspects_of_run(data)


def test_the_command_shows_both_and_counts(data: Path) -> None:
    command = [sys.executable, "-m", "apigap.cli.main", "suspects", str(data)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True).stdout
    assert "looks_right = [1]" in shown
    assert TASK.masked_region.splitlines()[0][:20] in shown
    assert shown.endswith("1 suspect answers\n")
    told = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=600, check=True).stdout
    assert [row["sample"] for row in json.loads(told)] == [1]
