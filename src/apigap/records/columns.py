"""Results as columns: a Parquet file beside the JSONL, which stays the record, and is read in its place while it holds.

`results.parquet` names the sha256 of the `results.jsonl` that it was made from. Where that has changed since, or polars
is not installed, the JSONL is read.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apigap.records.errors import UsageError
from apigap.records.extras import from_extra, is_installed
from apigap.records.result import VerdictRow
from apigap.records.store import disk_error, existing_file, read_records

if TYPE_CHECKING:
    import polars

MANY = 10_000
"""Rows from which a results file gets its columns when it is written."""
_MADE_FROM = "apigap.jsonl.sha256"
_BATCH = 50_000


def columns_path(results: Path) -> Path:
    """The place of the columns of a results file."""
    return results.with_suffix(".parquet")


def result_files(given: Sequence[Path]) -> list[Path]:
    """Results files: those that are named, and every `results.jsonl` in a folder that is.

    Raises:
        UsageError: when one is not there, or a folder holds none.
    """
    found: list[Path] = []
    for path in given:
        files = sorted(path.rglob("results.jsonl")) if path.is_dir() else [existing_file(path, "a results file")]
        if not files:
            raise UsageError(f"{path} holds no results.jsonl; name a results file, or a folder that has one")
        found += files
    return found


def write_columns(results: Path) -> Path:
    """Write the columns of a results file beside it; returns their path.

    Raises:
        CorruptRecord: for a line that is no result.
        InfrastructureError: when polars is not installed, or the disk is full.
    """
    with from_extra("report", "a Parquet file"):
        import polars
    path = columns_path(results)
    digest = _digest(results)
    parts: list[polars.DataFrame] = []
    rows: list[VerdictRow] = []
    for row in read_records(results, VerdictRow):
        rows.append(row)
        if len(rows) == _BATCH:
            parts.append(_frame(rows))
            rows = []
    frame = polars.concat([*parts, _frame(rows)], rechunk=False)
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        frame.write_parquet(temporary, metadata={_MADE_FROM: digest})
        temporary.replace(path)
    except OSError as error:
        raise disk_error(path, error) from error
    return path


def write_columns_of_many(results: Path, rows: int) -> None:
    """Write the columns where there are `MANY` rows or more, and polars is installed; else take old ones away."""
    if rows >= MANY and is_installed("polars"):
        write_columns(results)
    else:
        columns_path(results).unlink(missing_ok=True)


def read_rows(results: Path) -> Iterator[VerdictRow]:
    """The rows of a results file, from its columns where they were made from it as it is now.

    Raises:
        CorruptRecord: for a line that is no result.
        InfrastructureError: when the file cannot be read.
    """
    path = columns_path(results)
    if path.is_file() and is_installed("polars"):
        import polars

        if polars.read_parquet_metadata(path).get(_MADE_FROM) == _digest(results):
            for part in polars.read_parquet(path).iter_slices(_BATCH):
                yield from (VerdictRow.model_construct(**row) for row in part.iter_rows(named=True))
            return
    yield from read_records(results, VerdictRow)


def _frame(rows: list[VerdictRow]) -> "polars.DataFrame":
    import polars

    texts = dict.fromkeys(("task_id", "outcome", "label", "evaluator", "about", "part"), polars.String)
    numbers = {"sample": polars.Int64, "passed": polars.Boolean, "score": polars.Float64, "seconds": polars.Float64}
    schema = {name: {**texts, **numbers}[name] for name in VerdictRow.model_fields}
    return polars.DataFrame({name: [getattr(row, name) for row in rows] for name in schema}, schema=schema)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
