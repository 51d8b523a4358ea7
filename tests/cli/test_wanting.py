"""Verdicts that are wanting end a command with exit code 3 and the reasons, after its numbers."""

import json
from pathlib import Path

import pytest

from apigap.cli.console import demand_verdicts
from apigap.evaluation.summary import summarise
from apigap.records.errors import InfrastructureError
from apigap.records.result import Result
from apigap.records.store import write_records
from tests.auditing.conftest import APIGAP, run
from tests.records.test_task import make_task


def result(number: int, outcome: str, reason: str = "") -> Result:
    return Result.model_validate(
        {
            "task_id": TASK.task_id, "sample": number, "outcome": outcome, "passed": outcome == "pass",
            "score": float(outcome == "pass"), "label": "WrongLogic" if outcome == "fail" else None,
            "detail": {"reason": reason}, "evaluator": "e", "seconds": 0.0,
        }
    )  # fmt: skip


TASK = make_task(description="One.")


def test_what_has_no_verdict_stands_beside_the_rate_by_its_reason() -> None:
    rows = [result(0, "pass"), *(result(n, "infra", f"no fork\nat {n}") for n in (1, 2)), result(3, "infra", "killed")]
    found = summarise(rows, [TASK])
    assert (found.pass_at_1, found.pass_at_1_infra_as_fail) == (1.0, 0.25)
    assert found.no_verdict == {"killed": 1, "no fork": 2}
    with pytest.raises(InfrastructureError, match=r"3 of 4 samples have no verdict.*\n  2 x no fork\n  1 x killed"):
        demand_verdicts(found.no_verdict, 4)
    demand_verdicts({}, 4)


@pytest.mark.network
@pytest.mark.parametrize("form", ["--json", ""])
def test_score_ends_with_three_where_nothing_could_be_judged(tmp_path: Path, form: str) -> None:
    here, gone = make_task(library="packaging", version="24.1"), make_task(library="numpy", version="2.5.5")
    write_records(tmp_path / "tasks.jsonl", [here, gone])
    rows = [json.dumps({"task_id": task.task_id, "samples": ["x = 1"]}) for task in (here, gone)]
    (tmp_path / "p.jsonl").write_text("\n".join(rows))
    files = ["--tasks", "tasks.jsonl", "--predictions", "p.jsonl", "--out", "out.jsonl", *([form] if form else [])]
    ended = run(["env", "-C", str(tmp_path), *APIGAP, "score", "novelapi", *files])
    assert ended.returncode == 3, ended.stderr
    assert "2 of 2 samples have no verdict (infra)" in ended.stderr
    assert "1 x " in ended.stderr and "numpy 2.5.5" in ended.stderr
    assert ("pass_at_1_infra_as_fail" in ended.stdout) if form else ("as failed" in ended.stdout)
