"""The page of the study on the starter benchmark: what the models know already, and what knowledge changes."""

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
and which knowledge helps. The first two sections are short; the rest is the whole output of `apigap analyze`.

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


def study_page(analysis: Path, novelty: Path) -> str:
    """The page as Markdown, from `analysis.md`, the tables beside it and C2's records, as far as they are there."""
    rows = [_row(path) for path in sorted(novelty.glob("*.gates.jsonl"))]
    known = [NOVELTY, markdown_table(_COLUMNS, rows)] if rows else []
    told = analysis.read_text("utf-8").split("\n") if analysis.exists() else []
    beneath = (f"#{line}" if line.startswith("#") else line for line in told)
    return "\n".join([HEAD, *known, *findings(analysis.parent), *beneath])


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
