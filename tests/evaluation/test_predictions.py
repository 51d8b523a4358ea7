"""Predictions as users write them: numbers as ids, and files that answer nothing."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.queries import OWN, load_queries
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.evaluation.score import score
from apigap.records.errors import CheckFailed, CorruptRecord
from tests.benchmarks.runs import toolllm
from tests.silent import Silent

QUERIES = load_queries([OWN])


def written(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_an_id_may_be_a_number(tmp_path: Path) -> None:
    rows = [{"task_id": int(query.task_id), "samples": [gold(query)]} for query in QUERIES]
    found = score(toolllm([OWN]), written(tmp_path / "p.jsonl", *rows), tmp_path / "r.jsonl", Silent())
    assert len(found.results) == len(QUERIES) and all(result.passed for result in found.results)


@pytest.mark.parametrize("task_id", [True, 1.5, None, ["1"]])
def test_nothing_else_is_an_id(tmp_path: Path, task_id: object) -> None:
    path = written(tmp_path / "p.jsonl", {"task_id": task_id, "samples": ["x"]}, {"task_id": "900001", "samples": []})
    with pytest.raises(CorruptRecord, match="task_id"):
        score(toolllm([OWN]), path, tmp_path / "r.jsonl", Silent())


@pytest.mark.parametrize("text", ["", "\n"])
def test_a_file_without_answers_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.jsonl").write_text(text)
    with pytest.raises(CheckFailed, match="answers none of the") as found:
        score(toolllm([OWN]), tmp_path / "p.jsonl", tmp_path / "r.jsonl", Silent())
    assert found.value.exit_code == 1


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    path = written(tmp_path / "p.jsonl", {"task_id": QUERIES[0].task_id, "samples": [gold(QUERIES[0])]})
    words = ["score", "toolllm", "--predictions", str(path), "--out", str(tmp_path / "r.jsonl")]
    assert "--answered-only" not in CliRunner().invoke(application(VERBS), words).stdout
    assert "(--answered-only)" in CliRunner().invoke(application(VERBS), [*words, "--answered-only"]).stdout
