"""An interrupted or terminated run says so, leaves nothing running, loses nothing, and goes on when started again."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Harness, Observation, Scenario, Spy, Task

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


def slow_task(number: int) -> Task:
    context = f"import httpx\nnumber = {number}"
    scenario = Scenario(
        name="basic", context_code=context, observations=(Observation(expression="result", expected=number),)
    )
    return Task(
        api_name="httpx.URL",
        library="httpx",
        version="0.28.1",
        old_version=None,
        domain="web",
        change="added",
        difficulty="easy",
        description=f"Task {number}.",
        context_code=context,
        masked_region="result = number",
        reference_solution=f"{context}\nresult = number",
        harness=Harness(layers=("structural",), scenarios=(scenario,), spy=Spy(target="httpx.URL", required=False)),
        author="tests",
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_told_to_end(tmp_path: Path, number: signal.Signals, code: int) -> None:
    tasks = [slow_task(n) for n in range(8)]
    # No other run has given this answer, so no verdict on it is known.
    answer = f"import time\ntime.sleep(0.7)\nresult = number  # {tmp_path}"
    write_records(tmp_path / "tasks.jsonl", tasks)
    write_records(tmp_path / "p.jsonl", [Prediction(task_id=t.task_id, samples=(answer,)) for t in tasks])
    out = tmp_path / "out.jsonl"
    command = [
        sys.executable, "-m", "apigap.cli.main", "score", "novelapi", "--tasks", str(tmp_path / "tasks.jsonl"),
        "--predictions", str(tmp_path / "p.jsonl"), "--out", str(out),
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 600
    while not (out.exists() and out.stat().st_size) and time.monotonic() < until:
        time.sleep(0.05)
    children = children_of(process.pid)
    assert children, "sandboxes are running"
    process.send_signal(number)
    _, said = process.communicate(timeout=600)
    assert process.returncode == code, said
    assert "goes on from here" in said
    assert "Traceback" not in said
    time.sleep(0.2)
    assert [pid for pid in children if is_alive(pid)] == []
    early = load_records(out, Result)
    assert 0 < len(early) < len(tasks)
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    results = load_records(out, Result)
    assert sorted(r.task_id for r in results) == sorted(t.task_id for t in tasks)
    assert all(result.passed for result in results)


def children_of(parent: int) -> list[int]:
    """All processes beneath one."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, left = [], [parent]
    while left:
        beneath = [pid for pid, above in parents.items() if above in left]
        found += beneath
        left = beneath
    return found


def is_alive(pid: int) -> bool:
    """Tell whether a process runs: neither gone nor waiting to be buried."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
