"""`apigap adapt` as a user starts it: from a built group to cells that are asked, and what is still known after it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

torch = pytest.importorskip("torch", reason="tuning and editing need the extra adapt: make install-adapt")

from apigap.adaptation.measure_run import read_controls  # noqa: E402
from apigap.cli.dispatch import application  # noqa: E402
from apigap.cli.verbs import VERBS  # noqa: E402
from apigap.models.adapted import read_adapted  # noqa: E402
from apigap.records.store import load_records, write_records  # noqa: E402
from apigap.records.task import Task  # noqa: E402
from apigap.tasks.starter_files import starter_files  # noqa: E402
from tests.adaptation.test_examples import BUNDLES  # noqa: E402

FLASK = next(path for path in starter_files() if path.stem == "flask")
QUICK = ["--preset", "cpu", "--set", "epochs=1", "--set", "rank=2", "--set", "max_length=4096"]


def told(arguments: list[str]) -> str:
    done = CliRunner().invoke(application(VERBS), arguments)
    assert done.exit_code == 0, done.exception
    return done.stdout


@pytest.fixture
def group(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A group of flask's tasks, half of them for training, built for the tiny model, whose name is given."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("APIGAP_CACHE", str(tmp_path / "cache"))
    write_records(tmp_path / "knowledge.jsonl", [BUNDLES[api] for api in sorted({t.api_name for t in flask()})])
    model = f"transformers/{saved}"
    told(["group", "add", "web", "flask", "--train-share", "0.5"])
    told(["group", "build", "web", "--model", model, "--tasks", "starter/flask", "--knowledge", "knowledge.jsonl"])
    return model


def flask() -> list[Task]:
    return load_records(FLASK, Task)


def test_the_training_part_of_a_group_teaches_its_tuned_cells(group: str) -> None:
    made = json.loads(told(["adapt", "sft", "--group", "web", "--model", group, "--condition", "s", *QUICK, "--json"]))
    adapted = read_adapted(Path(made["folder"]))
    assert adapted is not None
    assert (adapted.group, adapted.condition) == ("web", "s")
    train = {task.task_id for path in Path("data").rglob("train.jsonl") for task in load_records(path, Task)}
    lines = (Path(made["folder"]) / "examples.jsonl").read_text().splitlines()
    assert {json.loads(line)["task_id"] for line in lines} == train
    done = CliRunner().invoke(application(VERBS), ["adapt", "sft", "--group", "swe", "--model", group])
    assert "apigap group build swe" in str(done.exception)
    done = CliRunner().invoke(application(VERBS), ["adapt", "sft", "--model", group])
    assert "nothing to learn from is given" in str(done.exception)


def test_the_starter_benchmark_is_split_for_few_apis(tmp_path: Path) -> None:
    made = json.loads(told(["adapt", "split", "--tasks", "starter", "--apis", "40", "--out", str(tmp_path), "--json"]))
    assert made == {"train": 40, "same_api": 49, "new_api": 43, "new_library": 78}
    train, same = (load_records(tmp_path / f"{part}.jsonl", Task) for part in ("train", "same_api"))
    assert {task.api_name for task in same} <= {task.api_name for task in train}


@pytest.mark.network
@pytest.mark.sandbox
def test_the_controls_are_asked_before_and_after(saved: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "tasks.jsonl"
    write_records(tasks, flask()[:2])
    out = str(tmp_path / "out")
    given = ["--model", str(saved), "--tasks", str(tasks), "--out", out, "--data", str(tmp_path / "data")]
    write_records(tmp_path / "knowledge.jsonl", [BUNDLES[api] for api in sorted({t.api_name for t in flask()})])
    shown = ["--knowledge", str(tmp_path / "knowledge.jsonl")]
    told(["adapt", "sft", *given, *shown, *QUICK])
    (tmp_path / "quick.yaml").write_text("generation: {max_tokens: 8}\n")
    config = ["--config", str(tmp_path / "quick.yaml"), "--limit", "1"]
    measured = json.loads(
        told(["adapt", "measure", out, "--tasks", str(tasks), *shown, *config, "--controls", "--json"])
    )
    assert [one["kind"] for one in measured if one["prompts"]] == ["taught", "rephrased", "known"]
    found = read_controls(Path(out))
    # A model of random weights never ends an answer: all are cut, which is no verdict.
    assert {kind: (one.asked, one.passed) for kind, one in found.items()} == {"base": (0, 0), "adapted": (0, 0)}
    assert all("were cut" in str(one) for one in found.values())
    assert {path.name for path in Path(out).glob("controls.*.jsonl")} == {
        "controls.base.jsonl", "controls.adapted.jsonl",
    }  # fmt: skip
