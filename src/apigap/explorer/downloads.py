"""Tables to take along: as CSV for people, as Parquet and JSON for programs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.analysis.write import write_table
from apigap.explorer.dataset import Dataset
from apigap.records.base import canonical_json
from apigap.records.store import write_text


@dataclass(frozen=True)
class NeedRow:
    """The need of one column for one API: nothing (known), a condition (cured), or nothing that was tried (open)."""

    library: str
    api: str
    change: str
    since: str
    subject: str
    need: str
    cure: str


@dataclass(frozen=True)
class QuarterRow:
    """The rate on APIs that came in one quarter, by one measure."""

    subject: str
    measure: str
    quarter: str
    rate: float | None
    low: float
    high: float
    apis: int
    libraries: int


_WORDS = {
    "rates": "pass rates with 95 % intervals, by model, condition, rung, library and kind of change",
    "scores": "the score of every task and API, which all figures are made of",
    "comparisons": "paired differences with 95 % intervals and p-values",
    "needs": "what each model needs for each API, and what cures it",
    "quarters": "what models know by quarter of first appearance",
}


def write_downloads(data: Dataset, folder: Path) -> list[tuple[str, int, str]]:
    """Write the tables that have rows; returns each file's name, size in bytes, and what is in it.

    Raises:
        InfrastructureError: when polars is not installed, or the disk is full.
    """
    tables: dict[str, Sequence[Any]] = {
        "rates": data.rates,
        "scores": data.scores,
        "comparisons": data.comparisons,
        "needs": list(_needs(data)),
        "quarters": list(_quarters(data)),
    }
    written: list[tuple[str, int, str]] = []
    for name, rows in tables.items():
        paths = write_table(folder, name, rows)
        if rows:
            paths.append(folder / f"{name}.json")
            write_text(paths[-1], "[" + ",\n".join(canonical_json(vars(row)) for row in rows) + "]\n", sync=False)
        else:
            (folder / f"{name}.json").unlink(missing_ok=True)
        written += [(path.name, path.stat().st_size, _WORDS[name]) for path in paths]
    return written


def _needs(data: Dataset) -> Iterator[NeedRow]:
    for api in data.apis:
        for subject in data.subjects:
            found = data.needs.get((api.place, subject.name))
            if found:
                yield NeedRow(*api.place, api.change, str(api.since or ""), subject.name, found.need, found.cure)


def _quarters(data: Dataset) -> Iterator[QuarterRow]:
    for ladder in data.ladders:
        for reading in ladder.horizons:
            for one in reading.quarters:
                yield QuarterRow(
                    ladder.subject, reading.measure, one.quarter, one.rate, one.low, one.high, one.apis, one.libraries
                )
