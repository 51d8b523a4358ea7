"""Columns beside a results file: the same rows, never those of an older file."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from apigap.cli.dispatch import application
from apigap.cli.verbs import VERBS
from apigap.records import columns
from apigap.records.columns import columns_path, read_rows, result_files, write_columns, write_columns_of_many
from apigap.records.errors import CorruptRecord, UsageError
from apigap.records.result import Result, VerdictRow
from apigap.records.store import read_records, write_records

TEXT = st.text(max_size=8).filter(lambda text: text.isprintable())
RESULTS = st.builds(
    Result,
    task_id=TEXT, sample=st.integers(0, 5), outcome=st.sampled_from(["pass", "fail", "infra", "suspect", "cut"]),
    passed=st.booleans(), score=st.floats(0, 1), label=st.sampled_from([None, "WrongParam", "WrongLogic"]),
    detail=st.just({"why": "the values differ"}), evaluator=TEXT, seconds=st.floats(0, 9), about=TEXT, part=TEXT,
)  # fmt: skip


def result(number: int) -> Result:
    return Result(
        task_id=f"t{number}", sample=0, outcome="pass", passed=True, score=1.0, label=None, detail={}, evaluator="e",
        seconds=0.5,
    )  # fmt: skip


@given(st.lists(RESULTS, max_size=6))
def test_the_columns_have_the_rows_of_the_file(tmp_path_factory: pytest.TempPathFactory, rows: list[Result]) -> None:
    path = tmp_path_factory.mktemp("columns") / "results.jsonl"
    write_records(path, rows)
    written = list(read_records(path, VerdictRow))
    write_columns(path)
    assert [row.model_dump() for row in read_rows(path)] == [row.model_dump() for row in written]


def test_they_are_read_in_place_of_the_file_and_not_after_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.jsonl"
    write_records(path, map(result, range(3)))
    write_columns(path)
    with monkeypatch.context() as patch:
        patch.delattr(columns, "read_records")
        assert [row.task_id for row in read_rows(path)] == ["t0", "t1", "t2"]
    write_records(path, map(result, range(4)))
    assert [row.task_id for row in read_rows(path)] == ["t0", "t1", "t2", "t3"]


def test_a_corrupt_file_has_no_columns(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text(result(0).to_line() + "\n{}\n")
    with pytest.raises(CorruptRecord, match=r"results\.jsonl:2"):
        write_columns(path)
    assert not columns_path(path).exists()


def test_few_rows_get_none_and_lose_old_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "results.jsonl"
    write_records(path, map(result, range(3)))
    monkeypatch.setattr(columns, "MANY", 3)
    write_columns_of_many(path, 3)
    assert columns_path(path).exists()
    write_columns_of_many(path, 2)
    assert not columns_path(path).exists()


def test_without_polars_the_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    write_records(path, map(result, range(2)))
    write_columns(path)
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "from pathlib import Path; from apigap.records.columns import read_rows\n"
        f"print(len(list(read_rows(Path({str(path)!r})))))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "2\n"


def test_the_command_writes_them_for_files_and_folders(tmp_path: Path) -> None:
    for path in (tmp_path / "a" / "results.jsonl", tmp_path / "own.jsonl"):
        write_records(path, map(result, range(2)))
    words = ["export", "results", str(tmp_path / "a"), str(tmp_path / "own.jsonl")]
    told = CliRunner().invoke(application(VERBS), words)
    assert told.exit_code == 0, told.output
    assert (tmp_path / "a" / "results.parquet").exists() and (tmp_path / "own.parquet").exists()
    with pytest.raises(UsageError, match="does not exist"):
        result_files([tmp_path / "b"])
