"""A benchmark that another package brings goes through every verb, without a line of it in apigap."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parent / "toy_package"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a command in which the toy package is installed, beside apigap."""
    folder = tmp_path_factory.mktemp("toy")
    uv = Path(sys.executable).with_name("uv")
    subprocess.run(
        [uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--target", folder, TOY],
        check=True, env={**os.environ, "VIRTUAL_ENV": sys.prefix},
    )  # fmt: skip
    return {**os.environ, "PYTHONPATH": str(folder)}


def apigap(installed: dict[str, str], folder: Path, *words: str, code: int = 0) -> str:
    command = [sys.executable, "-m", "apigap.cli.main", *words]
    ended = subprocess.run(command, cwd=folder, env=installed, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == code, ended.stderr
    return ended.stdout


def test_it_goes_through_every_verb(installed: dict[str, str], tmp_path: Path) -> None:
    assert json.loads(apigap(installed, tmp_path, "evaluator", "toy", "--json"))["modules"]
    assert "27 of 27 probes" in apigap(installed, tmp_path, "calibrate", "toy")
    assert json.loads(apigap(installed, tmp_path, "validate", "toy", "--highest", "2", "--json"))["probes"] == 12

    asked = ("predict", "toy", "--highest", "2", "--model", "mockllm/model", "--out", "answers.jsonl", "--json")
    told = json.loads(apigap(installed, tmp_path, *asked))
    assert told["answers"] == 4
    before = (tmp_path / "answers.jsonl").read_bytes()
    apigap(installed, tmp_path, *asked)
    assert (tmp_path / "answers.jsonl").read_bytes() == before

    words = shlex.split(told["next"])[1:]  # what it prints runs as printed
    assert "--highest" in words
    assert json.loads(apigap(installed, tmp_path, *words, "--json"))["pass_at_1"] == 0.0
    rows = [{"task_id": f"{a}+{b}", "samples": [f"It is {a + b}."]} for a in (1, 2) for b in (1, 2)]
    (tmp_path / "right.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    right = ("score", "toy", "--highest", "2", "--predictions", "right.jsonl", "--out", "results.jsonl", "--json")
    assert json.loads(apigap(installed, tmp_path, *right))["pass_at_1"] == 1.0
    results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [row["judged"]["text"] for row in results] == ["2", "3", "3", "4"]
    assert json.loads((tmp_path / "summary.json").read_text())["outcomes"] == {"pass": 4}
    assert json.loads((tmp_path / "results.manifest.json").read_text())["stage"] == "score toy"

    found = json.loads(apigap(installed, tmp_path, "compare", "answers.results.jsonl", "results.jsonl", "--json"))
    assert (found["benchmark"], found["gain"]["difference"], found["gain"]["clusters"]) == ("toy", 1.0, 2)
    assert "Report:" in apigap(installed, tmp_path, "report", "results.jsonl")
    assert "2+2" in (tmp_path / "results.html").read_text()


EVALUATION = """
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

def answer(*_):
    made = ModelOutput.from_content("mockllm/model", "3")
    made.usage = ModelUsage()
    return made

model = get_model("mockllm/model", custom_outputs=answer)
(log,) = eval("apigap/toy", model=model, task_args={"highest": 2}, display="none", log_dir="logs")
assert log.status == "success", log.error
print(sorted((str(sample.id), sample.scores["verdict"].value["passed"]) for sample in log.samples))
"""


def test_it_is_a_task_of_inspect(installed: dict[str, str], tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", EVALUATION], cwd=tmp_path, env=installed, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "[('1+1', 0.0), ('1+2', 1.0), ('2+1', 1.0), ('2+2', 0.0)]"


def test_a_name_that_nobody_has_is_refused(installed: dict[str, str], tmp_path: Path) -> None:
    apigap(installed, tmp_path, "evaluator", "toys", code=2)
    apigap(installed, tmp_path, "score", "toys", code=2)
