"""A cell of agents from the first question to the verdicts: kept, replayed, killed in the middle of a call."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from apigap.agent.run import STEPS, AgentCell
from apigap.agent.trace import Step
from apigap.models.request import Answer, GenerationRequest
from apigap.records.errors import UsageError
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from tests.auditing.conftest import APIGAP, run
from tests.records.test_task import make_task
from tests.silent import Silent

from .desk import Scripted, blocks, terms

TASKS = [make_task(description=f"Task {number}.") for number in range(3)]


def rule(request: GenerationRequest) -> Answer:
    """First nothing, then a call that there is not, then the task's number."""
    number = str(request.prompt).partition("Task: Task ")[2][0]
    rounds = request.key.rpartition("/")[2]
    texts = {"1": "Let me think.", "2": blocks(("search_docs", "a")), "3": blocks(("submit", f"y = {number}"))}
    return Answer(text=texts[rounds], stop_reason="stop", input_tokens=100, output_tokens=10, seconds=0.5)


def cell(folder: Path, model: Scripted, tasks: list[Task] = TASKS, samples: int = 1) -> None:
    AgentCell(folder, tasks, samples, terms(tools="none"), None, 2).run(model.ask, {"model": "x"}, Silent())


def test_every_step_is_kept_and_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        cell(tmp_path / name, Scripted(rule), samples=2)
    files = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")]
    assert files[0] == files[1]
    steps = load_records(tmp_path / "one" / STEPS, Step)
    own = [step for step in steps if step.key == (TASKS[0].task_id, 1)]
    assert [(step.kind, step.tool, step.outcome) for step in own] == [
        ("answer", "", "ok"), ("answer", "", "ok"), ("call", "search_docs", "refused"),
        ("answer", "", "ok"), ("call", "submit", "ok"),
    ]  # fmt: skip
    rows = {row.task_id: row for row in load_records(tmp_path / "one" / "predictions.jsonl", Prediction)}
    assert rows[TASKS[1].task_id].samples == ("```python\ny = 1\n```",) * 2
    extra = rows[TASKS[1].task_id].model_extra or {}
    assert (extra["ended"], extra["calls"], extra["input_tokens"]) == (["submitted"] * 2, [0, 0], [300, 300])
    times = json.loads((tmp_path / "one" / "seconds.predictions.jsonl").read_text().splitlines()[0])
    assert times["seconds"] == [1.5, 1.5]


def test_what_is_on_disk_is_never_asked_again_wherever_the_run_ended(tmp_path: Path) -> None:
    whole = Scripted(rule)
    cell(tmp_path / "whole", whole)
    lines = (tmp_path / "whole" / STEPS).read_text().splitlines(keepends=True)
    arrived = sorted(lines, key=lambda line: (json.loads(line)["round"], json.loads(line)["number"]))
    for kept in range(len(arrived)):
        folder = tmp_path / str(kept)
        folder.mkdir()
        (folder / STEPS).write_text("".join(arrived[:kept]) + '{"half a ro')
        model = Scripted(rule)
        with pytest.warns(Warning, match="half-written"):
            cell(folder, model)
        answered = sum('"kind":"answer"' in line for line in arrived[:kept])
        assert len(model.asked) == len(whole.asked) - answered
        assert (folder / STEPS).read_bytes() == (tmp_path / "whole" / STEPS).read_bytes()
        assert (folder / "predictions.jsonl").read_bytes() == (tmp_path / "whole" / "predictions.jsonl").read_bytes()


def test_a_finished_cell_asks_nothing_and_more_tasks_are_added_to_it(tmp_path: Path) -> None:
    cell(tmp_path, Scripted(rule), TASKS[:2])
    again = Scripted(rule)
    cell(tmp_path, again, TASKS[:2])
    assert again.asked == []
    cell(tmp_path, again, TASKS[1:])
    assert {request.key.partition("/")[0] for request in again.asked} == {TASKS[2].task_id}
    assert {row.task_id for row in load_records(tmp_path / "predictions.jsonl", Prediction)} == {
        t.task_id for t in TASKS
    }


def test_a_trace_that_was_edited_is_refused(tmp_path: Path) -> None:
    cell(tmp_path, Scripted(rule))
    steps = load_records(tmp_path / STEPS, Step)
    write_records(tmp_path / STEPS, [step for step in steps if step.number != 1])
    (tmp_path / "predictions.manifest.json").unlink()
    with pytest.raises(UsageError, match="none that follows the rows before it"):
        cell(tmp_path, Scripted(rule))


START = ["run", "--experiment", "a", "--tasks", "starter/more-itertools", "--limit", "1", "--cells", "agent.all"]
SLOW = "import time\nfor _ in range(40): time.sleep(0.05)"


@pytest.mark.network
@pytest.mark.sandbox
def test_a_run_that_is_killed_inside_a_call_goes_on_and_is_judged(tmp_path: Path, tasks: list[Task]) -> None:
    folder, data = tmp_path / "desk", tmp_path / "data"
    command = [*APIGAP, *START, "-m", f"batch/{folder}", "--data", str(data)]
    done = run(command)
    assert done.returncode == 0, done.stderr
    assert "1 requests wait in" in done.stderr
    requests = next(folder.glob("requests-*.jsonl"))
    name = json.loads(requests.read_text())["custom_id"]
    calls = blocks(("run_code", "kept = 41"), ("run_code", SLOW), ("run_code", "kept + 1"))
    (folder / "answers.jsonl").write_text(json.dumps({"id": name, "answer": calls}) + "\n")
    steps = data / "results" / "a" / "agent.all" / STEPS
    killed = subprocess.Popen(command, stderr=subprocess.PIPE)
    until = time.monotonic() + 60
    while not (steps.exists() and steps.read_text().count("\n") >= 2) and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    before = load_records(steps, Step)
    assert [(step.kind, step.tool) for step in before] == [("answer", ""), ("call", "run_code")]
    done = run(command)
    assert "1 requests wait in" in done.stderr, done.stderr
    rows = load_records(steps, Step)
    assert rows[:2] == before
    assert [step.text for step in rows if step.kind == "call"] == ["(it ran and printed nothing)"] * 2 + ["42"]
    (task,) = [one for one in tasks if one.task_id == rows[0].task_id]
    last = json.loads(sorted(folder.glob("requests-*.jsonl"))[-1].read_text())
    assert "Result of run_code:\n42" in last["body"]["messages"][-1]["content"]
    answered = {"id": last["custom_id"], "answer": blocks(("submit", task.masked_region))}
    (folder / "more.jsonl").write_text(json.dumps(answered) + "\n")
    done = run([*command, "--steps", "run", "eval", "--json"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agent.all"]["outcomes"] == {"pass": 1}
    (result,) = load_records(steps.with_name("results.jsonl"), Result)
    assert result.judged_text.strip() == task.masked_region.strip()
