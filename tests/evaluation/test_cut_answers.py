"""Answers that were cut, in benchmarks whose measures are not pass@1: as if they had not been given, and told."""

from pathlib import Path

from typer.testing import CliRunner

from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.queries import OWN, load_queries
from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.evaluation.paths import summary_path
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records

QUERIES = load_queries([OWN])[:4]
ENDED = [("length", ""), ("filtered", ""), ("length", "{answer}"), ("stop", "")]
"""The last one chose nothing by itself: that is wrong; the one before it was whole when it was cut."""


def test_cut_answers_count_as_not_given(tmp_path: Path) -> None:
    rows = [
        {"task_id": query.task_id, "samples": (text.format(answer=gold(query)),), "stop_reasons": (ended,)}
        for query, (ended, text) in zip(QUERIES, ENDED, strict=True)
    ]
    write_records(tmp_path / "answers.jsonl", [Prediction.model_validate(row) for row in rows])
    out = tmp_path / "results.jsonl"
    command = ["score", "toolllm", "--predictions", str(tmp_path / "answers.jsonl"), "--out", str(out)]
    done = CliRunner().invoke(application(VERBS), [*command, "--answered-only"])
    assert done.exit_code == 0, done.exception
    assert "cut before they were whole, and count as not given: 1 filtered, 1 length" in done.stdout
    outcomes = {result.task_id: result.outcome for result in load_records(out, Result)}
    assert [outcomes[query.task_id] for query in QUERIES] == ["cut", "cut", "pass", "fail"]
    summary = summary_path(out).read_text()
    assert '"queries":2' in summary.replace(" ", "")
