"""Gates on a file of tasks: what infrastructure kept from being judged is decided by a later run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from apigap.gates import file_gates
from apigap.gates.file_gates import FileGates
from apigap.gates.novelty import novelty_record
from apigap.gates.record import Gate, GateRecord, undecided_counts
from apigap.gates.solvability import solvability_record
from apigap.records.configuration import load_settings
from apigap.records.result import Outcome, Result
from apigap.records.store import load_records
from apigap.records.task import Task
from tests.records.test_task import make_task
from tests.silent import Silent

TASKS = [make_task(api_name="lib.slugify", description=f"Task {number}.") for number in range(3)]


def result(task: Task, outcome: Outcome) -> Result:
    return Result(
        task_id=task.task_id, sample=0, outcome=outcome, passed=outcome == "pass", score=0.0, detail={}, label=None,
        evaluator="e", seconds=0.0,
    )  # fmt: skip


class Judged(FileGates):
    """C2 finds `outcomes`, task by task; what is not told fails."""

    outcomes: dict[str, Outcome] = {}

    def decide(self, gate: Gate, tasks: Sequence[Task], out: Path) -> list[GateRecord]:
        return [novelty_record(task, [result(task, self.outcomes.get(task.task_id, "fail"))]) for task in tasks]

    def _made_from(self, tasks: Sequence[Task], gates: Sequence[Gate]) -> dict[str, Any]:
        return {}


@pytest.fixture
def gates() -> Judged:
    nothing = cast("Any", None)
    return Judged("mockllm/model", load_settings(), nothing, nothing, Silent(), {})


def test_what_could_not_be_judged_is_neither_kept_nor_final(gates: Judged, tmp_path: Path) -> None:
    broken, known, new = TASKS
    out = tmp_path / "left.jsonl"
    Judged.outcomes = {broken.task_id: "infra", known.task_id: "pass"}
    manifest = gates.run(TASKS, ["c2"], out)
    assert (manifest.complete, manifest.counts) == (False, {"tasks": 3, "after c2": 1, "c2 undecided": 1})
    assert load_records(out, Task) == [new]
    Judged.outcomes = {known.task_id: "pass"}
    manifest = gates.run(TASKS, ["c2"], out)
    assert (manifest.complete, manifest.counts) == (True, {"tasks": 3, "after c2": 2})
    assert [task.task_id for task in load_records(out, Task)] == [broken.task_id, new.task_id]


def test_c3_lets_pass_where_nobody_was_asked_and_waits_for_a_verdict() -> None:
    task = TASKS[0]
    asked = [solvability_record(task, "s", [result(task, outcome)]) for outcome in ("pass", "fail", "infra")]  # pyright: ignore
    nobody = GateRecord(task_id=task.task_id, api_name=task.api_name, gate="c3", status="not run", reason="no solver")
    assert [record.lets_pass for record in (*asked, nobody)] == [True, False, False, True]
    assert undecided_counts((*asked, nobody)) == {"c3 undecided": 1}


def test_what_tasks_were_made_beside_is_loaded_before_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it were loaded by each program, its random numbers would have no seed."""
    asked: list[object] = []
    engine = cast("Any", None)
    monkeypatch.setattr(file_gates, "environment_at", lambda *given: asked.append(given[-1]))
    monkeypatch.setattr(file_gates, "environment_store", lambda engine: None)
    monkeypatch.setattr(file_gates, "preload_of", lambda names, new, engine, beside=(): asked.append(beside) or ())
    monkeypatch.setattr(file_gates, "ValidityGate", lambda *given: given)
    file_gates.validity_gate(engine, [make_task(old_version=None, beside=("numpy",))])
    assert asked == [("numpy",), ("numpy",)]
