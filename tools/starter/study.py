"""The pages of the study on the starter benchmark: what knowledge changes in short, and all tables of the analysis."""

import csv
from pathlib import Path
from statistics import fmean

from apigap.gates.novelty import Boundary, Novelty
from apigap.gates.record import GateRecord
from apigap.records.manifest import read_manifest
from apigap.records.store import load_records
from apigap.reporting.markdown import markdown_table
from tools.starter.findings import findings

HEAD = """# The starter benchmark on small local models

This page tells what small models know of the starter benchmark's APIs, whether the published findings show with them,
and which knowledge helps. [The tables](starter-study-tables.md) are the whole output of `apigap analyze`.

Answers are greedy, in the prompt layout `instructed` unless the experiment's name says `published`. Knowledge is what
the release itself says (`apigap starter bundles`).

Made by `tools/starter/make_study.py` from `studies/starter`, where the answers are.
"""
_COLUMNS = (
    "model", "tasks", "beyond its cutoff", "asked", "new (C2)", "solved without knowledge", "next answer fails",
    "control tasks passed",
)  # fmt: skip
NOVELTY = """## What the models know already

Gate C2 asks tasks on APIs that are newer than the model's cutoff: up to eight answers without knowledge, the first one
greedy, the others at temperature 0.8. A task is *new* to the model if all fail. *Next answer fails* is the mean over
the tasks of Jeffreys' estimate from the answers that were seen (both temperatures together).
"""


TABLES_HEAD = """# The starter benchmark on small local models: all tables

This page is the output of `apigap analyze` on [the study](starter-study.md), table by table. A difference is of pass@1,
in points.

Made by `tools/starter/make_study.py` from `studies/starter`.
"""
SOLVED = """## What knowledge changes

The share of tasks that pass, with its 95 % interval, by what the prompt shows ([conditions](experiments.md)). An empty
cell was not asked. [The gains](starter-study-tables.md#gains) have each difference with its p-value.
"""


def study_page(analysis: Path, novelty: Path) -> str:
    """The page as Markdown, from the tables beside `analysis.md` and C2's records, as far as they are there."""
    rows = [_row(path) for path in sorted(novelty.glob("*.gates.jsonl"))]
    known = [NOVELTY, markdown_table(_COLUMNS, rows)] if rows else []
    return "\n".join([HEAD, *_solved(analysis.parent / "cells.csv"), *known, *findings(analysis.parent)])


def tables_page(analysis: Path) -> str:
    """The page of all tables as Markdown: `analysis.md` below a head of its own."""
    told = analysis.read_text("utf-8").split("\n")
    return "\n".join([TABLES_HEAD, *(f"#{line}" if line.startswith("# ") else line for line in told)])


def _solved(cells: Path) -> list[str]:
    """The section on rates: a row per condition, a column per experiment."""
    if not cells.exists():
        return []
    with cells.open(encoding="utf-8", newline="") as lines:
        read = list(csv.DictReader(lines))
    rates = {(one["title"], one["experiment"]): _rate(one) for one in read}
    titles, experiments = (list(dict.fromkeys(key[place] for key in rates)) for place in (0, 1))
    rows = [[title, *(rates.get((title, name), "") for name in experiments)] for title in titles]
    return [SOLVED, markdown_table(["shown", *experiments], rows)]


def _rate(cell: dict[str, str]) -> str:
    rate, low, high = (f"{100 * float(cell[name]):.0f}" for name in ("pass_at_1", "low", "high"))
    return f"{rate} % of {cell['tasks']} ({low} to {high})"


def _row(path: Path) -> list[str]:
    name = path.name.removesuffix(".gates.jsonl")
    records = [record for record in load_records(path, GateRecord) if record.gate == "c2"]
    controls = read_manifest(path.with_name(f"{name}.manifest.json")).counts.get("known_controls")
    asked = [record for record in records if record.evidence.get("samples")]
    chances = [Novelty.model_validate(record.evidence["novelty"]).estimate for record in asked]
    return [
        name,
        str(len(records)),
        str(sum(_is_member(record) for record in records)),
        str(len(asked)),
        str(sum(record.status == "passed" for record in records)),
        str(sum(bool(record.evidence.get("passed")) for record in records)),
        f"{fmean(chances):.2f}" if chances else "-",
        f"{controls['passed']} of {controls['asked']}" if controls else "-",
    ]


def _is_member(record: GateRecord) -> bool:
    boundary = record.evidence.get("boundary")
    return boundary is not None and Boundary.model_validate(boundary).status == "member"
