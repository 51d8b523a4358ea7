"""A head that is killed: the command ends and says so, and the same command goes on in another cluster.

Where the coordinator alone dies it may also be ready before Ray gives the coordinator up.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from apigap.api.benchmarks import load_benchmark, score
from apigap.records.base import canonical_json
from apigap.records.store import write_records
from tests.cluster.local_cluster import LocalCluster, local_cluster
from tests.cluster.work import KINDS, settings_of, slow_codes
from tests.sandbox.tasks import numbers_task

pytestmark = [pytest.mark.network, pytest.mark.sandbox, pytest.mark.slow]


def command(cluster: LocalCluster, folder: Path) -> "subprocess.Popen[str]":
    words = ["score", "novelapi", "--tasks", "tasks.jsonl", "--predictions", "predictions.jsonl", "--out", "ray.jsonl"]
    where = ["--engine", "ray", "--address", cluster.address, "--set", "execution.cache=false"]
    return subprocess.Popen(
        [sys.executable, "-m", "apigap.cli.main", *words, *where], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def results(path: Path) -> list[str]:
    lines = path.read_text().splitlines() if path.exists() else []
    return [canonical_json({**json.loads(line), "seconds": 0}) for line in lines]


def kill_the_coordinator(head: Any) -> None:
    head.kill_gcs_server(check_alive=False)


def kill_everything(head: Any) -> None:
    head.kill_all_processes(check_alive=False, allow_graceful=False, wait=True)


@pytest.mark.parametrize("kill", [kill_the_coordinator, kill_everything])
def test_the_same_command_goes_on_where_the_head_died(tmp_path: Path, kill: Any) -> None:
    task = numbers_task()
    write_records(tmp_path / "tasks.jsonl", [task])
    answers = [f"```python\n{code}\n```" for code in slow_codes(12 * len(KINDS)) if code.isascii()]
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(canonical_json({"task_id": task.task_id, "samples": answers}) + "\n")
    out = tmp_path / "ray.jsonl"
    with local_cluster(2) as cluster:
        run = command(cluster, tmp_path)
        while len(results(out)) < 4:
            assert run.poll() is None, run.communicate()
            time.sleep(0.1)
        kill(cluster.head)
        began = time.monotonic()
        _, said = run.communicate(timeout=180)
        print(f"ended with {run.returncode} after {time.monotonic() - began:.0f} s: {said[-2000:]}")
    done = len(results(out))
    if run.returncode == 0:  # nodes go on without the coordinator for a while, in which a quick machine is ready
        assert kill is kill_the_coordinator and done == len(answers)
    else:
        assert "does not answer any more" in said and "the same command" in said
        assert 4 <= done < len(answers)
    with local_cluster(2) as cluster:
        run = command(cluster, tmp_path)
        assert run.wait(timeout=300) == 0, run.communicate()
    settings = settings_of(None, "execution.cache=false")
    benchmark = load_benchmark("novelapi", settings=settings, tasks=tmp_path / "tasks.jsonl")
    score(benchmark, predictions=predictions, out=tmp_path / "local.jsonl", progress=None)
    assert results(out) == results(tmp_path / "local.jsonl")
