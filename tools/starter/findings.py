"""The findings of NovelAPIBench beside what an analysis of the starter study says of them."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.reporting.analysis_page import p_value, points
from apigap.reporting.markdown import markdown_table
from apigap.reporting.text import signed_points

ALPHA = 0.05
FINDINGS = f"""## What was published, and what shows here

The findings of NovelAPIBench (arXiv:2606.03657) as differences between cells, in points of pass@1. A finding shows if
the difference has its sign and a p-value below {ALPHA} (Holm's correction over its family); it is contradicted if the
sign is the other one. Compare *detectable*, the least difference that so few APIs could have shown, with *published*.
"""
_COLUMNS = (
    "finding",
    "difference",
    "published",
    "experiment",
    "APIs",
    "here",
    "95 %",
    "p (Holm)",
    "detectable",
    "shows",
)
_SINGLE = "E is the strongest alone"
_HELPS = "S added to E helps on modified APIs"
_COSTS = "retrieval costs"


class Finding(NamedTuple):
    """A published difference of `cell` over `against`, with `sign` +1 or -1, and the table that has it here."""

    told: str
    table: str
    scope: str
    cell: str
    against: str
    published: str
    sign: int


PUBLISHED = (
    Finding(_SINGLE, "rq1_components", "all", "oracle.e", "oracle.s", "+18 to +25", 1),
    Finding(_SINGLE, "rq1_components", "all", "oracle.e", "oracle.m_prose", "+64 (7B)", 1),
    Finding(_SINGLE, "rq1_components", "all", "oracle.e", "oracle.m_code", "+17 (7B)", 1),
    Finding(_HELPS, "rq1_components", "modified", "oracle.s_e", "oracle.e", "+10", 1),
    Finding("... more than on added ones", "rq1_interaction", "", "oracle.s_e", "oracle.e", "+10 against +1", 1),
    Finding(_COSTS, "rq2_retrieval", "all", "rag.s", "oracle.s", "−17 to −24", -1),
    Finding(_COSTS, "rq2_retrieval", "all", "rag.e", "oracle.e", "−17 to −24", -1),
    Finding(_COSTS, "rq2_retrieval", "all", "rag.s_e", "oracle.s_e", "−17 to −24", -1),
    Finding(_COSTS, "rq2_retrieval", "all", "rag.full", "oracle.full", "−20 (7B)", -1),
)
"""From the paper and the README of its second release; 7B is Qwen2.5-Coder-7B, ranges are over models or cells."""


def findings(analysis: Path) -> list[str]:
    """The section in Markdown, from the CSV files of an analysis; nothing where it has none of these differences."""
    names = dict.fromkeys(finding.table for finding in PUBLISHED)
    tables = {name: _rows(analysis / f"{name}.csv") for name in names}
    rows = [_row(finding, row) for finding in PUBLISHED for row in _found(finding, tables[finding.table])]
    return [FINDINGS, markdown_table(_COLUMNS, rows)] if rows else []


def verdict(sign: int, difference: float, p: float) -> str:
    """Tell whether a difference shows what was published with this sign."""
    if p >= ALPHA or not difference:
        return "not shown"
    return "yes" if difference * sign > 0 else "contradicted"


def _rows(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _found(finding: Finding, rows: Sequence[Mapping[str, str]]) -> Iterator[Mapping[str, str]]:
    for row in rows:
        if (row.get("scope", ""), row["cell"], row["against"]) == (finding.scope, finding.cell, finding.against):
            yield row


def _row(finding: Finding, row: Mapping[str, str]) -> list[str]:
    difference, low, high, p = (float(row[name]) for name in ("difference", "low", "high", "p_holm"))
    detectable = row.get("detectable")
    return [
        finding.told,
        f"{finding.cell} − {finding.against}",
        finding.published,
        row["experiment"],
        row.get("apis") or f"{row['modified_apis']}, {row['added_apis']}",
        signed_points(difference),
        points(low, high),
        p_value(p),
        signed_points(float(detectable)) if detectable else "–",
        verdict(finding.sign, difference, p),
    ]
