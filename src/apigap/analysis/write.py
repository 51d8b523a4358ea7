"""Tables as files: CSV for people and spreadsheets, Parquet with types for programs."""

from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from apigap.records.extras import from_extra
from apigap.records.store import disk_error

_TYPES = {"str": "String", "int": "Int64", "bool": "Boolean", "float": "Float64", "float | None": "Float64"}
_FORMULA = r"^([=+\-@\t\r])"
"""The beginning of a text that a spreadsheet would run: names are those of libraries and models."""


def write_table(folder: Path, name: str, rows: Sequence[Any]) -> list[Path]:
    """Rows of one dataclass as `name`.csv and `name`.parquet; a table without rows is taken away.

    Raises:
        InfrastructureError: when polars is not installed, or the disk is full.
    """
    paths = [folder / f"{name}.csv", folder / f"{name}.parquet"]
    if not rows:
        for path in paths:
            path.unlink(missing_ok=True)
        return []
    with from_extra("report", "the tables of an analysis"):
        import polars
    # The annotation as it is written, since the columns' types must not depend on the values.
    schema = {field.name: getattr(polars, _TYPES[_written(field.type)]) for field in fields(rows[0])}
    frame = polars.DataFrame([vars(row) for row in rows], schema=schema)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        frame.with_columns(polars.col(polars.String).str.replace(_FORMULA, "'${1}")).write_csv(paths[0])
        frame.write_parquet(paths[1])
    except OSError as error:
        raise disk_error(paths[0], error) from error
    return paths


def _written(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)
