"""A command that a command prints runs as printed: from a prediction to a verdict, a report and a comparison."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from apigap.benchmarks.base import find_benchmark
from apigap.cli.console import next_command
from apigap.records.configuration import load_settings
from apigap.records.result import Prediction
from apigap.records.store import write_records
from tests.auditing.conftest import APIGAP, AUDIT, SETTINGS
from tests.cli.commands import problem_of


def run(folder: Path, *words: str) -> str:
    ended = subprocess.run([*APIGAP, *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def next_words(told: str) -> list[str]:
    """The words after `apigap` of the command that a text names last as the next one."""
    line = [line for line in told.splitlines() if line.startswith("next: ")][-1]
    program, *words = shlex.split(line.removeprefix("next: "))
    assert program == "apigap"
    return words


def write_gold(path: Path, name: str, samples: int) -> None:
    """Right answers to the first tasks of a benchmark's own data."""
    kind = find_benchmark(name)
    benchmark = kind.of(kind.options_type.of(), load_settings())
    tasks = benchmark.select(benchmark.load(), samples)
    write_records(path, [Prediction(task_id=task.task_id, samples=(benchmark.gold(task),)) for task in tasks])


@pytest.mark.parametrize("name", ["toolllm", "apibank"])
def test_from_predictions_to_a_report_and_a_comparison(tmp_path: Path, name: str) -> None:
    told = run(tmp_path, "predict", name, "--mock-llm", "--limit", "4", "--out", "my answers.jsonl")
    count = len((tmp_path / "my answers.jsonl").read_text().splitlines())
    assert f"answers: {count}, in my answers.jsonl" in told.splitlines()
    told = run(tmp_path, *next_words(told))
    assert next_words(told)[0] == "report"
    page = run(tmp_path, *next_words(told)).rpartition("Report: ")[2].strip()
    assert "</html>" in Path(page).read_text()

    write_gold(tmp_path / "gold.jsonl", name, 4)
    run(tmp_path, "score", name, "--predictions", "gold.jsonl", "--out", "gold.results.jsonl", "--answered-only")
    found = json.loads(run(tmp_path, "compare", "my answers.results.jsonl", "gold.results.jsonl", "--json"))
    assert found["shared"] >= 4
    assert found["gain"]["difference"] > 0


def test_a_line_is_what_a_shell_takes() -> None:
    assert next_command("mcp", Path("my pages")) == "next: apigap mcp 'my pages'"


@pytest.mark.parametrize(
    "line",
    [
        "run --experiment web-sft --tasks starter --model transformers/x --cells baseline full",
        "predict apibank --data own --model transformers/x --out after.jsonl",
        "toolllm retrieve --queries own --embedder tuned",
    ],
)
def test_what_tuning_prints_is_a_command(line: str) -> None:
    words = line.split()
    first = " ".join(words[: next(n for n, word in enumerate(words) if word.startswith("--"))])
    assert problem_of(first, " ".join(words)) is None


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.sandbox
def test_an_audit_with_made_up_answers_closes_with_pages_that_are_served(tmp_path: Path) -> None:
    audit = [*AUDIT[: AUDIT.index("--model")], "--mock-llm", "--data", "data"]
    told = run(tmp_path, *audit, *SETTINGS)
    rates = [line for line in told.splitlines() if "%" in line]
    assert any("100%" in line for line in rates), "documentation is answered rightly"
    assert any(" 0%" in line for line in rates), "nothing is known without"
    words = next_words(told)
    assert words[0] == "mcp"
    served = subprocess.run([*APIGAP, *words], cwd=tmp_path, input="", capture_output=True, text=True, timeout=120)
    assert served.returncode == 0, served.stderr
