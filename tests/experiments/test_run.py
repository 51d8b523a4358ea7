"""`apigap run` and `apigap group` as a user starts them, on starter tasks with a mock in the place of the model."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.records.errors import ApigapError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records
from apigap.records.task import Task
from apigap.tasks.starter_files import starter_files
from tests.auditing.conftest import APIGAP, run
from tests.knowledge.test_conditions import bundle

FLASK = next(path for path in starter_files() if path.stem == "flask")


def knowledge(folder: Path) -> Path:
    """A bundle for each API of flask's tasks but one."""
    apis = sorted({task.api_name for task in load_records(FLASK, Task)})
    path = folder / "knowledge.jsonl"
    found: list[KnowledgeBundle] = [bundle(api_name=api, library="flask", version="3.1.3") for api in apis[1:]]
    write_records(path, found)
    return path


@pytest.mark.network
@pytest.mark.sandbox
def test_an_experiment_from_answers_to_a_table(tmp_path: Path) -> None:
    tasks = ["--tasks", "starter/flask", "--knowledge", str(knowledge(tmp_path)), "--data", str(tmp_path / "data")]
    command = [*APIGAP, "run", "--experiment", "e2e", *tasks, "--mock-llm", "--debug"]
    chosen = ["--cells", "baseline", "s", "rag.s", "sft.s", "--set", "retrieval.embedder=lexical"]
    done = run([*command, *chosen])
    assert done.returncode == 0, done.stderr
    hint = "skipped: sft.s; first adapt the model with: apigap adapt sft --tasks TRAINING.jsonl --group flask"
    assert hint in " ".join(done.stderr.split())
    assert "left out" in done.stderr
    rows = [line.split("│") for line in done.stdout.splitlines() if line.startswith("│")]
    assert [[word.strip() for word in row[1:-1]] for row in rows] == [
        [cell, "4", "4", "4 stop"] for cell in ("baseline", "oracle.s", "rag.s")
    ]
    assert "the same command with --steps eval analysis judges the answers" in done.stdout
    cells = tmp_path / "data" / "results" / "e2e"
    assert sorted(path.name for path in cells.iterdir()) == ["baseline", "oracle.s", "rag.s"]
    written = {path: path.read_bytes() for path in cells.rglob("predictions*")}
    done = run([*command, *chosen, "--steps", "run", "eval", "analysis", "--json"])
    assert done.returncode == 0, done.stderr
    assert {path: path.read_bytes() for path in written} == written
    summaries = json.loads(done.stdout)
    rates = {name: row["pass_at_1"] for name, row in summaries.items()}
    assert rates == {"baseline": 0.0, "oracle.s": 1.0, "rag.s": 1.0}
    assert summaries["baseline"]["by"]["library"]["flask"]["n_tasks"] == 4
    table = (tmp_path / "data" / "analysis" / "e2e" / "cells.csv").read_text()
    assert all(cell in table for cell in ("baseline", "oracle.s", "rag.s"))


def test_a_group_of_the_user_is_an_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = ["--tasks", "starter/flask", "--knowledge", str(knowledge(tmp_path))]
    assert run([*APIGAP, "group", "add", "web", "flask", "httpx", "--train-share", "0.5"]).returncode == 0
    built = run([*APIGAP, "group", "build", "web", "--model", "qwen2.5-coder-7b", *given, "--json"])
    assert built.returncode == 0, built.stderr
    counts = json.loads(built.stdout)
    assert counts["train"] + counts["test"] == counts["tasks"]
    assert counts["train"] and counts["test"]
    assert set(counts["without"]) == {"httpx"}
    done = run([*APIGAP, "run", "--experiment", "web-qwen2.5-coder-7b", "--cells", "baseline,full", "--mock-llm"])
    assert done.returncode == 0, done.stderr
    rows = load_records(Path("data/results/web-qwen2.5-coder-7b/oracle.full/predictions.jsonl"), Prediction)
    assert len(rows) == counts["test"]


def test_the_papers_groups_from_tasks_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["group", "build", "--paper-grid", "--model", "gguf/qwen2.5-coder-0.5b", "--json"]
    done = CliRunner().invoke(application(VERBS), command)
    assert "7 experiments are written, but no group has tasks" in str(done.exception)
    assert len(list(Path("configs/experiments").iterdir())) == 7
    done = CliRunner().invoke(
        application(VERBS), [*command, "--tasks", "starter/flask", "--knowledge", str(knowledge(tmp_path))]
    )
    assert done.exit_code == 0, done.exception
    rows = {row["experiment"]: row for row in json.loads(done.stdout)}
    told = {record.api_name for record in load_records(tmp_path / "knowledge.jsonl", KnowledgeBundle)}
    asked = [task for task in load_records(FLASK, Task) if task.api_name in told]
    assert rows["swe-qwen2.5-coder-0.5b"]["test"] == len(asked)
    assert "dl" in rows["dl-qwen2.5-coder-0.5b"]["without"]
    divided = rows["all-pooled-paper-qwen2.5-coder-0.5b"]
    assert divided["train"] + divided["test"] == len(asked)
    assert divided["train"]


BAD = [
    (["run", "--experiment", "nope-qwen"], 2, "no experiment is named"),
    (["run", "--experiment", "swe-qwen2.5-coder-7b"], 2, "apigap group build swe --model qwen2.5-coder-7b"),
    (["run", "--experiment", "x", "--tasks", "starter/flask", "--cells", "m_prosa"], 2, "m_prose"),
    (["run", "--experiment", "x", "--tasks", "starter/flask", "--steps", "evil"], 2, "no step is named 'evil'"),
    (["run", "--experiment", "x", "--tasks", "starter/flask", "--model", "qwen2.5-coder-8b"], 3, "qwen2.5-coder-7b"),
    (["run", "--experiment", "x", "--tasks", "starter/flask", "--layout", "fancy"], 2, "no such layout"),
    (["run", "--experiment", "x", "--tasks", "starter/nope"], 2, "it has them for"),
    (["run", "--experiment", "x", "--tasks", "starter/flask", "--cells", "sft.s", "rag_sft.s"], 2, "adapt the model"),
    (["starter", "bundles", "--library", "flask", "--set", "knowledge=published"], 2, "a folder of their own"),
    (["group", "build", "sew"], 2, "did you mean swe"),
    (["group", "build"], 2, "name a GROUP"),
    (["pipeline"], 2, "name a library"),
    (["pipeline", "--library", "httpx", "--stages", "7"], 2, "no stage 7"),
    (["pipeline", "--library", "httpx", "--model", "openai/nobody-knows"], 2, "training cutoff"),
]


@pytest.mark.parametrize(("arguments", "code", "words"), BAD, ids=[" ".join(case[0]) for case in BAD])
def test_bad_input_is_told_before_anything_is_asked(
    arguments: list[str], code: int, words: str, tmp_path: Path
) -> None:
    more = ["--knowledge", str(knowledge(tmp_path))] if "--tasks" in arguments else []
    where = [] if arguments[0] == "starter" else ["--data", str(tmp_path / "data")]
    done = CliRunner().invoke(application(VERBS), [*arguments, *more, *where])
    assert isinstance(done.exception, ApigapError), done.exception
    assert (done.exception.exit_code, words in str(done.exception)) == (code, True), done.exception
    assert not list(tmp_path.glob("data/results/*/*/*.jsonl"))
