"""`apigap pipeline`: the stages of a library by themselves, one after the other, and never out of order."""

import json
from pathlib import Path

import pytest

from tests.pipeline.conftest import APIGAP, run

pytestmark = [pytest.mark.network, pytest.mark.sandbox]
PIPELINE = [*APIGAP, "pipeline", "--library", "httpx", "--debug", "--mock-llm"]


def test_stages_alone_and_together(tmp_path: Path) -> None:
    data = ["--data", str(tmp_path)]
    early = run([*PIPELINE, "--stages", "2", *data])
    assert (early.returncode, "--stages 1" in early.stderr) == (2, True), early.stderr
    assert run([*PIPELINE, "--stages", "1", *data]).returncode == 0
    raw = tmp_path / "raw" / "httpx"
    assert [path.name for path in raw.glob("*.jsonl")] == ["stage1_discovery.mockllm--model.jsonl"]
    done = run([*PIPELINE, "--stages", "2", "3", "4", *data, "--json"])
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)
    assert row["status"] == "done"
    assert row["candidates"] >= row["bundles"] > 0
    assert row["tasks"] >= row["valid"] >= row["filtered"]
    gates = [json.loads(line) for line in (raw / "stage4_gates.mockllm--model.jsonl").read_text().splitlines()]
    assert {record["gate"] for record in gates} >= {"c1"}
    before = {path: path.stat().st_mtime_ns for path in raw.glob("stage[123]*")}
    assert run([*PIPELINE, *data]).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before
