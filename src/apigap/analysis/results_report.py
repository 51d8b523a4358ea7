"""The results of any benchmark as one page that opens offline: the figures, and every sample with what was judged."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.analysis.compare import benchmark_of
from apigap.analysis.judged import read_cell
from apigap.evaluation.paths import summary_path
from apigap.evaluation.summary import counted
from apigap.records.base import canonical_json
from apigap.records.parsing.json_shapes import is_object
from apigap.records.result import Result
from apigap.records.store import load_records, read_bytes
from apigap.reporting.analysis_page import AnalysisPage, Section, table
from apigap.reporting.text import percent


def results_page(path: Path) -> AnalysisPage:
    """The page of a results file, or of a cell's folder; its summary is the one that lies beside it.

    Raises:
        UsageError: when there are no results, or they were stored without what was judged.
        CorruptRecord: for a line that is no result.
    """
    cell = read_cell(path)
    results = load_records(cell.path, Result)
    name = benchmark_of(cell)
    passed = sum(result.passed for result in results)
    facts = {"evaluator": ", ".join(sorted(cell.evaluators)), **{key: _short(v) for key, v in cell.made_from.items()}}
    return AnalysisPage(
        title=f"apigap: {name}",
        headline=f"{passed} of {len(results)} samples pass ({percent(passed / len(results))})",
        sections=(_figures(cell.path, results), _samples(results)),
        missing=tuple(f"{r.task_id}: {r.detail.get('reason')}" for r in results if not r.has_verdict),
        facts=tuple(sorted(facts.items())),
    )


def _figures(path: Path, results: Sequence[Result]) -> Section:
    beside = summary_path(path)
    rows = _flat(json.loads(read_bytes(beside))) if beside.exists() else []
    counts = counted(result.label or result.outcome for result in results)
    tables = (
        *table("Outcomes and labels", ("verdict", "samples"), [(name, str(count)) for name, count in counts.items()]),
        *table("Summary", ("figure", "value"), rows),
    )
    return Section("figures", "Figures", "The summary of the results, as `apigap score` wrote it.", (), tables)


def _flat(value: Mapping[str, Any], at: str = "") -> list[tuple[str, str]]:
    """The figures of a summary by their path in it."""
    rows: list[tuple[str, str]] = []
    for key, inner in value.items():
        name = f"{at}{key}"
        rows += _flat(inner, f"{name}.") if is_object(inner) and inner else [(name, _short(inner))]
    return rows


def _samples(results: Sequence[Result]) -> Section:
    rows = [
        (
            f"{result.task_id} #{result.sample}",
            result.about,
            result.label or result.outcome,
            f"{result.score:.3g}",
            str(result.detail.get("why") or result.detail.get("reason") or ""),
            result.judged_text,
        )
        for result in results
    ]
    columns = ("task and sample", "about", "verdict", "score", "reason", "what was judged")
    words = "Each sample with the code or the calls that its verdict is about."
    return Section("samples", "Samples", words, (), table(f"{len(rows)} samples", columns, rows))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= 400 else f"{text[:397]}..."
