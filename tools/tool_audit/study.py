"""A study of audits of tools: the kept answers judged again, by tool, and what changed descriptions made of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from apigap.benchmarks.calls.queries import Function, Query
from apigap.records.result import Prediction
from apigap.records.store import load_records, read_text
from apigap.reporting.tools_model import CandidateRow, CureRow
from apigap.tool_audit.asking import AS_IT_IS, FORMS, Judged, judged
from apigap.tool_audit.cures import compared
from apigap.tool_audit.diagnosis import form_row, share
from apigap.tool_audit.queries import halves, read_queries
from apigap.tool_audit.toolset import Toolset
from tools.tool_audit.keep import ANSWERS, CURES

SERVERS = "servers.json"


class KeptRun(NamedTuple):
    """The answers of one model to the queries of one server, by their keys."""

    toolset: Toolset
    queries: Sequence[Query]
    answers: Mapping[str, Prediction]

    def judged(self, queries: Sequence[Query], form: str, key: str) -> list[Judged]:
        """The verdicts on the answers of a form with one set of descriptions."""
        return [judged(query, self.answers[f"{query.task_id}/{form}/{key}"]) for query in queries]


def summarise_study(folder: Path) -> dict[str, Any]:
    """The figures of every run in `folder`, by server (see `servers.json`) that has one."""
    servers = json.loads(read_text(folder / SERVERS))
    return {
        name: {
            **about,
            "queries": len(_toolset_and_queries(folder, name)[1]),
            "runs": [_run(folder, name, path.parent) for path in sorted(folder.glob(f"{name}-*/{CURES}"))],
        }
        for name, about in servers.items()
        if (folder / f"{name}.tools.json").exists()
    }


def _toolset_and_queries(folder: Path, name: str) -> tuple[Toolset, list[Query]]:
    schemas = json.loads(read_text(folder / f"{name}.tools.json"))
    tools = tuple(Function(name=tool, description="", parameters=schema) for tool, schema in schemas.items())
    toolset = Toolset(name=name, kind="mcp", source=name, tools=tools)
    return toolset, read_queries(folder / f"{name}.jsonl", toolset)


def _run(folder: Path, name: str, path: Path) -> dict[str, Any]:
    told = json.loads(read_text(path / CURES))
    toolset, queries = _toolset_and_queries(folder, name)
    answers = {(one.model_extra or {})["key"]: one for one in load_records(path / ANSWERS, Prediction)}
    run = KeptRun(toolset, queries, answers)
    asked = [form for form in FORMS if all(f"{one.task_id}/{form}/{AS_IT_IS.key}" in answers for one in queries)]
    return {
        "model": told["model"],
        "main": told["main"],
        "served": told["served"],
        "forms": [
            form_row(form, run.judged(queries, form, AS_IT_IS.key), toolset).model_dump(mode="json") for form in asked
        ],
        "cures": [_cure(run, told["main"], one) for one in told["cures"]],
    }


def _cure(run: KeptRun, form: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a change as the audit has it, from the answers alone."""
    choosing, held = halves(run.queries)
    before = share(run.judged(choosing, form, AS_IT_IS.key))
    tried = tuple(
        CandidateRow(
            kind=kind, key=key, before=before, after=share(run.judged(choosing, form, key)), chosen=key == told["key"]
        )
        for kind, key in told["tried"].items()
    )
    if told["key"]:
        as_it_is, changed = (run.judged(held, form, key) for key in (AS_IT_IS.key, told["key"]))
        row = compared(told["tool"], told["changed"], as_it_is, changed)
    else:
        row = CureRow(tool=told["tool"], words="no change was better", candidates=())
    update = {"key": told["key"], "candidates": tried}
    return {**row.model_copy(update=update).model_dump(mode="json"), "description": told["words"]}
