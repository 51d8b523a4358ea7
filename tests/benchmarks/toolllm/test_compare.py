"""Two models' choices against each other: paired by query, per set and over all."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.benchmarks.toolllm.adapter import ToolLlm
from apigap.benchmarks.toolllm.compare import compare_toolllm
from apigap.benchmarks.toolllm.queries import queries_path
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import write_records

OWN = [queries_path(Path("own"))]
QUERIES = ToolLlm.load(*OWN)


def answers(path: Path, right: int, first: int = 0, last: int | None = None) -> Path:
    """The labels for the first `right` queries, nothing for the others."""
    rows = [
        Prediction(task_id=query.task_id, samples=(ToolLlm.gold(query) if number < right else '{"api_calls": []}',))
        for number, query in enumerate(QUERIES)
    ]
    write_records(path, rows[first:last])
    return path


def test_gains_are_those_of_the_queries_that_both_have_answered(tmp_path: Path) -> None:
    half = len(QUERIES) // 2
    before, after = answers(tmp_path / "before", 0), answers(tmp_path / "after", len(QUERIES), last=half)
    gains = compare_toolllm(OWN, before, after)
    assert {gain.metric for gain in gains} == {"recall", "f1", "exact"}
    assert all((gain.before, gain.after, gain.difference.difference) == (0, 1, 1) for gain in gains)
    assert max(gain.difference.n for gain in gains) == half
    assert all(gain.adjusted >= gain.difference.p_value for gain in gains)


def test_the_same_answers_gain_nothing_and_turned_round_the_sign_turns(tmp_path: Path) -> None:
    some, more = answers(tmp_path / "some", 2), answers(tmp_path / "more", len(QUERIES) - 1)
    assert all(gain.difference.difference == 0 for gain in compare_toolllm(OWN, some, some))
    forth, back = compare_toolllm(OWN, some, more), compare_toolllm(OWN, more, some)
    assert [g.difference.difference for g in forth] == pytest.approx([-g.difference.difference for g in back])
    assert all(gain.difference.difference > 0 for gain in forth)


def test_files_without_a_common_query_are_refused(tmp_path: Path) -> None:
    one, other = answers(tmp_path / "one", 9, last=2), answers(tmp_path / "other", 9, first=2, last=4)
    with pytest.raises(UsageError, match="no query that is the same"):
        compare_toolllm(OWN, one, other)


def test_the_command_prints_what_it_found(tmp_path: Path) -> None:
    before, after = answers(tmp_path / "before", 1), answers(tmp_path / "after", len(QUERIES))
    command = [sys.executable, "-m", "apigap.cli.main", "toolllm", "compare", "--queries", "own"]
    command += ["--before", str(before), "--after", str(after)]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert all(word in table for word in ("recall", "exact", "p (Holm)"))
    rows = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert {row["after"] for row in rows} == {1.0}
