"""The main job, end to end, on httpx 0.25.2 -> 0.28.1: complete, resumable to the byte, and careful with its data."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.auditing.conftest import APIGAP, audit_command, run, stage_files

pytestmark = [pytest.mark.network, pytest.mark.sandbox]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of an uninterrupted audit."""
    data = tmp_path_factory.mktemp("whole") / "data"
    done = run(audit_command(data))
    assert done.returncode == 0, done.stderr
    assert str(data) in done.stdout
    return data


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_every_stage_leaves_its_file_and_manifest(whole: Path) -> None:
    raw = whole / "raw" / "httpx"
    candidates = rows(raw / "stage1_discovery.mockllm--model.jsonl")
    assert {"httpx.Client", "httpx.get"} <= {row["api_name"] for row in candidates}
    tasks = rows(raw / "stage3_tasks.mockllm--model.jsonl")
    assert tasks
    assert {row["api_name"] for row in tasks} <= {row["api_name"] for row in candidates}
    gates = rows(raw / "stage4_gates.mockllm--model.jsonl")
    assert {row["gate"] for row in gates} == {"c1", "c2", "c3"}
    assert {row["status"] for row in gates if row["gate"] == "c3"} == {"not run"}
    for stage in ("stage1_discovery", "stage2_knowledge", "stage3_tasks", "stage4_c1"):
        manifest = json.loads((raw / f"{stage}.mockllm--model.manifest.json").read_text())
        assert manifest["complete"], stage
        assert manifest["made_from"]["evaluator"]


def test_single_questions_are_asked_and_kept(whole: Path) -> None:
    items = rows(whole / "raw" / "httpx" / "ladder_items.0.25.2-0.28.1.jsonl")
    assert len({row["api_name"] for row in items if row["group"] == "new"}) == 3
    ladder = whole / "results" / "ladder-mockllm--model"
    assert {row["rung"] for row in items} == {"exists", "signature", "effect", "call"}
    assert sorted(path.name for path in ladder.iterdir()) == ["baseline", "oracle.full", "oracle.s"]
    under_full = {row["task_id"] for row in rows(ladder / "oracle.full" / "predictions.jsonl")}
    rungs = {row["rung"] for row in items if row["task_id"] in under_full}
    assert rungs == {"effect", "call"}  # of the others, full shows all that is asked
    asked = rows(ladder / "baseline" / "predictions.jsonl")
    assert {row["task_id"] for row in asked} == {row["task_id"] for row in items}
    assert len(rows(ladder / "baseline" / "results.jsonl")) == len(items)
    page = (whole / "analysis" / "audit-mockllm--model" / "report.html").read_text()
    assert "The ladder: what it knows of new APIs" in page
    assert all(str(row["api_name"]) in page for row in items)


def test_tasks_are_not_made_from_what_bundles_show(whole: Path) -> None:
    raw = whole / "raw" / "httpx"
    shown = {e["source"] for b in rows(raw / "stage2_knowledge.mockllm--model.jsonl") for e in b["exemplars"]}  # type: ignore[attr-defined]
    used = {source for t in rows(raw / "stage3_tasks.mockllm--model.jsonl") for source in t["provenance"]}  # type: ignore[attr-defined]
    assert shown
    assert used
    assert not shown & used


def test_every_cell_has_a_verdict_per_prediction_and_a_report_is_there(whole: Path) -> None:
    experiment = whole / "results" / "audit-mockllm--model"
    cells = sorted(path.name for path in experiment.iterdir())
    assert cells == ["baseline", "oracle.full", "oracle.s"]
    for cell in cells:
        results = rows(experiment / cell / "results.jsonl")
        assert len(results) == len(rows(experiment / cell / "predictions.jsonl")) > 0
        assert {row["outcome"] for row in results} == {"fail"}
        summary = json.loads((experiment / cell / "summary.json").read_text())
        assert summary["pass_at_1"] == 0
        assert len(summary["evaluators"]) == 1
    folder = whole / "analysis" / "audit-mockllm--model"
    page = (folder / "report.html").read_text()
    asked = {row["api_name"] for row in rows(whole / "raw" / "httpx" / "stage4_filtered.mockllm--model.jsonl")}
    assert asked
    assert all(str(name) in page for name in asked)
    assert "left out by the settings of `selection`" in page
    index = (folder / "llms" / "llms.txt").read_text()
    assert all(f"- [{name}](apis/{name}.md): " in index for name in asked)
    assert index.count("nothing that was tried is enough") == len(asked)
    assert {row["api_name"] for row in rows(folder / "sft.jsonl")} == asked


def test_the_scorer_is_calibrated_and_judges_answers_of_any_source(whole: Path, tmp_path: Path) -> None:
    tasks = whole / "raw" / "httpx" / "stage4_filtered.mockllm--model.jsonl"
    done = run([*APIGAP, "calibrate", "novelapi", "--tasks", str(tasks), "--json"])
    assert done.returncode == 0, done.stderr
    count = len(rows(tasks))
    assert json.loads(done.stdout) == {"probes": 4 * count, "wrong": [], "weak": []}

    gold = [{"task_id": t["task_id"], "samples": [t["masked_region"], "pass"], "mine": 1} for t in rows(tasks)]
    predictions, out = tmp_path / "predictions.jsonl", tmp_path / "results.jsonl"
    answered = gold[1:] or [{**gold[0], "samples": []}]
    predictions.write_text("".join(json.dumps(row) + "\n" for row in answered))
    score = [*APIGAP, "score", "novelapi", "--tasks", str(tasks), "--predictions", str(predictions), "--out", str(out)]
    summary = json.loads(run([*score, "--json"]).stdout)
    assert summary["outcomes"] == ({"fail": count - 1, "pass": count - 1} if count > 1 else {})
    assert summary["missing"] == [gold[0]["task_id"]]
    before = out.read_bytes()
    assert run(score).returncode == 0
    assert out.read_bytes() == before

    predictions.write_text(json.dumps({"task_id": "unknown", "samples": ["x"]}) + "\n")
    done = run([*score[:-1], str(tmp_path / "other.jsonl")])
    assert (done.returncode, "answers 1 task (unknown)" in done.stderr) == (3, True)


def test_a_second_run_asks_and_judges_nothing_again(whole: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (whole / "raw").rglob("*.jsonl")}
    done = run([*audit_command(whole), "--json"])
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [row["condition"] for row in told["conditions"]] == ["baseline", "s", "full"]
    judged = rows(whole / "results" / "audit-mockllm--model" / "baseline" / "results.jsonl")
    assert told["tasks"] == {"asked": len(judged), "passed_without_knowledge": 0}
    assert f"Of {len(judged)} task" in told["headline"]
    assert told["ladder"]["libraries"][0]["chosen"] == 3
    written = {path for path, at in before.items() if path.stat().st_mtime_ns != at}
    assert {path.name.split(".")[0] for path in written} <= {"stage4_gates", "stage4_filtered"}


def kill_when(data: Path, ready: Callable[[], bool]) -> None:
    """Start the audit, SIGKILL it as soon as `ready`, and everything that it started with it."""
    process = subprocess.Popen(audit_command(data), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 600
    while not ready() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_a_run_killed_in_every_stage_ends_in_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    raw = data / "raw" / "httpx"

    def grown(path: Path) -> Callable[[], bool]:
        return lambda: path.exists() and path.stat().st_size > 0

    moments = [
        grown(raw / "stage1_discovery.mockllm--model.manifest.json"),
        grown(raw / "stage2_usages.mockllm--model.jsonl"),
        grown(raw / "stage3_log.mockllm--model.jsonl"),
        grown(raw / "stage4_c1.mockllm--model.jsonl"),
        grown(data / "raw" / "httpx" / "ladder_items.0.25.2-0.28.1.jsonl"),
        grown(data / "results" / "ladder-mockllm--model" / "oracle.s" / "predictions.jsonl"),
        grown(data / "raw" / "stage4_novelty.mockllm--model.answers.jsonl"),
        grown(data / "results" / "audit-mockllm--model" / "oracle.s" / "predictions.jsonl"),
        grown(data / "results" / "audit-mockllm--model" / "baseline" / "results.jsonl"),
    ]
    for ready in moments:
        kill_when(data, ready)
    done = run(audit_command(data))
    assert done.returncode == 0, done.stderr
    assert stage_files(data) == stage_files(whole)


@pytest.mark.slow
def test_releases_without_a_testable_change_get_a_report_that_says_so(tmp_path: Path) -> None:
    data = tmp_path / "data"
    few = ("--set", "selection.per_library=2", "--set", "tasks.context_characters=1")
    done = run([*audit_command(data), *few])
    assert done.returncode == 0, done.stderr
    page = (data / "analysis" / "audit-mockllm--model" / "report.html").read_text()
    assert "Tasks (stage 3) could be made of 0 of" in page
    assert "Tasks (stage 3) could be made of 0 of" in done.stdout
    assert "tasks that were asked" not in done.stdout


def test_other_settings_in_the_same_folder_are_refused(whole: Path) -> None:
    done = run([*audit_command(whole), "--set", "knowledge.exemplars=1"])
    assert done.returncode == 2
    assert "choose another folder with --data" in done.stderr
    assert done.stderr.count("apigap:") == 1


def test_a_corrupt_line_is_named_and_nothing_is_lost(whole: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    tasks = data / "raw" / "httpx" / "stage2_knowledge.mockllm--model.jsonl"
    lines = tasks.read_text().splitlines()
    lines[1] = lines[1][:40]
    tasks.write_text("\n".join(lines) + "\n")
    before = stage_files(data)
    done = run(audit_command(data))
    assert done.returncode == 3
    assert "stage2_knowledge.mockllm--model.jsonl:2 is not a KnowledgeBundle" in done.stderr
    assert stage_files(data) == before


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_is_one_message_and_the_run_goes_on_elsewhere(whole: Path, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=True)
    try:
        done = run(audit_command(disk / "data"))
        assert done.returncode == 3
        assert "no space left to write" in done.stderr
        assert "Traceback" not in done.stderr
        saved = tmp_path / "data"
        shutil.copytree(disk / "data", saved)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    done = run(audit_command(saved))
    assert done.returncode == 0, done.stderr
    assert stage_files(saved) == stage_files(whole)


BAD = [
    (["audit", "no-such-library-apigap", "--from", "1", "--to", "2"], 2, "no-such-library-apigap"),
    (["audit", "httpx", "--from", "0.28.1", "--to", "0.28.1"], 2, "the same"),
    (["audit", "httpx", "--from", "0.28.1", "--to", "0.25.2"], 2, "newer"),
    (["audit", "httpx", "--from", "0.25.2", "--to", "99.0"], 2, "99.0"),
    (["audit", "httpx", "--from", "0.25.2", "--to", "0.28.1", "--set", "audit.conditions=[nope]"], 2, "nope"),
    (["audit", "httpx", "--from", "0.25.2", "--to", "0.28.1", "--model", "gguf/nope"], 2, "nope"),
    (["audit", "--unknown"], 2, "--unknown"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), BAD, ids=[" ".join(row[0][1:]) for row in BAD])
def test_bad_input_is_one_message(arguments: list[str], code: int, words: str, tmp_path: Path) -> None:
    data = [] if "--unknown" in arguments else ["--data", str(tmp_path / "data")]
    done = run([*APIGAP, *arguments, *data])
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert "Traceback" not in done.stderr


def test_without_network_the_index_is_named(tmp_path: Path) -> None:
    environment = {**os.environ, "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple", "APIGAP_CACHE": str(tmp_path)}
    command = [*APIGAP, "audit", "httpx", "--from", "0.25.2", "--to", "0.28.1", "--data", str(tmp_path / "data")]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert done.returncode == 3
    assert "127.0.0.1:9" in done.stderr
    assert "Traceback" not in done.stderr


def test_help_is_quick_because_nothing_heavy_is_imported() -> None:
    program = "import sys, apigap.cli.main; print([m for m in ('pydantic', 'numpy', 'inspect_ai') if m in sys.modules])"
    done = run([sys.executable, "-c", program])
    assert done.stdout.strip() == "[]"
