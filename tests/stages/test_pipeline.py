"""`apigap pipeline`: the stages of a library by themselves, one after the other, and never out of order."""

import json
from pathlib import Path

import pytest

from apigap.gates.record import GateRecord
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files
from apigap.tasks.task_choice import spread
from apigap.tasks.task_files import load_tasks
from tests.auditing.conftest import APIGAP, run
from tests.knowledge.test_conditions import bundle
from tests.records.test_task import make_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
HTTPX = next(path for path in starter_files() if path.stem == "httpx")
PIPELINE = [*APIGAP, "pipeline", "--library", "pydantic", "--debug", "--mock-llm"]


@pytest.mark.slow
def test_stages_alone_and_together(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    early = run([*PIPELINE, "--stages", "2", *data])
    assert (early.returncode, "--stages 1" in early.stderr) == (2, True), early.stderr
    assert run([*PIPELINE, "--stages", "1", *data]).returncode == 0
    raw = tmp_path / "raw" / "pydantic"
    made = {path.name for path in raw.glob("*.jsonl")}
    assert made == {f"stage1_{name}.mockllm--model.jsonl" for name in ("discovery", "retired")}
    done = run([*PIPELINE, "--stages", "2", "3", "4", *data, "--json"])
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["status"] == "done"
    assert row["candidates"] >= row["bundles"] > 0
    assert row["tasks"] >= row["valid"] >= row["filtered"] > 0
    gates = [json.loads(line) for line in (raw / "stage4_gates.mockllm--model.jsonl").read_text().splitlines()]
    assert {record["gate"] for record in gates} >= {"c1"}
    before = {path: path.stat().st_mtime_ns for path in raw.glob("stage[123]*")}
    assert run([*PIPELINE, *data]).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_gates_on_a_file_of_tasks(tmp_path: Path) -> None:
    out = tmp_path / "filtered.jsonl"
    settings = ["--set", "gates.c2_samples=2", "--set", "gates.c3_solver=mockllm/solver", "--set", "gates.c3_samples=1"]
    command = [*APIGAP, "filter", "--tasks", "starter/httpx", "--limit", "2", "--model", "mockllm/model", *settings]
    bundles = tmp_path / "bundles.jsonl"
    api = max(spread(load_tasks(HTTPX))[:2], key=lambda task: task.task_id).api_name
    write_records(bundles, [bundle(api_name=api, library="httpx", version="0.28.1")])
    done = run([*command, "--knowledge", str(bundles), "--out", str(out), "--json"])
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert (counts["tasks"], counts["after c1"], counts["after c2"], counts["after c3"]) == (2, 2, 2, 1)
    records = load_records(tmp_path / "filtered.gates.jsonl", GateRecord)
    assert [record.status for record in records if record.gate == "c2"] == ["passed", "passed"]
    assert {record.status for record in records if record.gate == "c3"} == {"failed", "not run"}
    assert all(record.reason for record in records if record.status != "passed")
    assert all(r.evidence["novelty"]["probability_new"] > 0.6 for r in records if r.gate == "c2")
    assert [task.api_name for task in load_records(out, Task)] != [api]
    before = out.read_bytes()
    assert run([*command, "--knowledge", str(bundles), "--out", str(out)]).returncode == 0
    assert out.read_bytes() == before


def test_a_library_that_has_no_environment_is_named(tmp_path: Path) -> None:
    task = make_task(library="no-such-library-apigap", api_name="no_such_library.f")
    write_records(tmp_path / "tasks.jsonl", [task])
    write_records(tmp_path / "p.jsonl", [Prediction(task_id=task.task_id, samples=("x = 1",))])
    files = ["--tasks", str(tmp_path / "tasks.jsonl"), "--predictions", str(tmp_path / "p.jsonl")]
    done = run([*APIGAP, "score", "novelapi", *files, "--out", str(tmp_path / "out.jsonl")])
    assert done.returncode in (2, 3)
    assert "no-such-library-apigap" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out.jsonl").exists()
