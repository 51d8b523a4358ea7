"""Two models' choices against each other, from their results alone: paired by query, per set and over all."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from apigap.analysis.compare import Compared, compare
from apigap.benchmarks.toolllm.benchmark import gold
from apigap.benchmarks.toolllm.queries import OWN, load_queries
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import write_records
from tests.benchmarks.runs import summary_of, toolllm

QUERIES = load_queries([OWN])


def results(path: Path, right: int, first: int = 0, last: int | None = None) -> Path:
    """Verdicts on the labels for the first `right` queries, and on nothing for the others."""
    rows = [
        Prediction(task_id=query.task_id, samples=(gold(query) if number < right else '{"api_calls": []}',))
        for number, query in enumerate(QUERIES)
    ]
    answers = path.with_suffix(".answers.jsonl")
    write_records(answers, rows[first:last])
    summary_of(toolllm([OWN]), answers, path)
    return path


def compared(before: Path, after: Path) -> Compared:
    return compare(before, after)


def test_gains_are_those_of_the_queries_that_both_have_answered(tmp_path: Path) -> None:
    half = len(QUERIES) // 2
    before, after = results(tmp_path / "before.jsonl", 0), results(tmp_path / "after.jsonl", len(QUERIES), last=half)
    found = compared(before, after)
    assert found.benchmark == "toolllm"
    assert {(gain.part, gain.measure) for gain in found.gains} == {
        ("own", name) for name in ("recall", "f1", "exact", "resolved")
    }
    assert all((gain.before, gain.after, gain.difference.difference) == (0, 1, 1) for gain in found.gains)
    assert max(gain.difference.n for gain in found.gains) == half
    assert max(gain.difference.clusters for gain in found.gains) < half
    assert all(gain.adjusted >= gain.difference.p_value for gain in found.gains)


def test_the_same_answers_gain_nothing_and_turned_round_the_sign_turns(tmp_path: Path) -> None:
    some, more = results(tmp_path / "some.jsonl", 2), results(tmp_path / "more.jsonl", len(QUERIES) - 1)
    assert all(gain.difference.difference == 0 for gain in compared(some, some).gains)
    forth, back = compared(some, more).gains, compared(more, some).gains
    assert [g.difference.difference for g in forth] == pytest.approx([-g.difference.difference for g in back])
    assert all(gain.difference.difference > 0 for gain in forth)


def test_files_without_a_common_query_and_answers_without_verdicts_are_refused(tmp_path: Path) -> None:
    one, other = (
        results(tmp_path / "one.jsonl", 9, last=2),
        results(tmp_path / "other.jsonl", 9, first=2, last=4),
    )
    with pytest.raises(UsageError, match="no sample of the same task"):
        compared(one, other)
    with pytest.raises(UsageError, match=r"holds answers, not verdicts.*apigap score"):
        compared(one, tmp_path / "other.answers.jsonl")


def test_the_command_prints_what_it_found(tmp_path: Path) -> None:
    before, after = results(tmp_path / "before.jsonl", 1), results(tmp_path / "after.jsonl", len(QUERIES))
    command = [sys.executable, "-m", "apigap.cli.main", "compare", str(before), str(after)]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert all(word in table for word in ("recall", "exact", "p (Holm)"))
    found = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert {row["after"] for row in found["gains"]} == {1.0}
