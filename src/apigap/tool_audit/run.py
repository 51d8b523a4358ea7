"""An audit of a user's own tools, from their descriptions to a report; the same command goes on where it stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.calls.queries import Query
from apigap.evaluation.model_pool import MakeGenerator
from apigap.models.generate import Generator, describe
from apigap.models.spending.cell_cost import cost_of, read_times
from apigap.models.trial import try_models
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.result import Prediction
from apigap.records.store import load_records, write_records, write_text
from apigap.reporting.render import render_tools
from apigap.reporting.tools_model import CureRow, ToolReport
from apigap.tool_audit.asking import Asker, Cell, Form, Judged, Variant
from apigap.tool_audit.candidates import from_schema, troubled
from apigap.tool_audit.cures import measured
from apigap.tool_audit.queries import WANTED, AuditQuery, halves, load_queries, queries_of, read_queries
from apigap.tool_audit.report import report_of
from apigap.tool_audit.rewriter import rewrites
from apigap.tool_audit.serving import Served, by_recording, by_schema, live
from apigap.tool_audit.source import Source
from apigap.tool_audit.toolset import Toolset
from apigap.tool_audit.written import written_queries


@dataclass(frozen=True)
class ToolAudit:
    """The tools and the model of an audit.

    `queries` are a file's, else `author` writes them from about `count` dialogues.
    The first of `forms` is the one in which cures are measured, for at most `cures` tools.
    """

    source: Source
    model: str
    out: Path
    queries: Path | None = None
    author: str | None = None
    count: int = 40
    forms: tuple[Form, ...] = ("native", "text")
    cures: int = 3
    rewriter: str | None = None
    live: bool = False
    recording: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be right before anything is started.

        Raises:
            UsageError: when there are no queries and nobody to write them, or calls are to go to two places.
            CorruptRecord: when a line of the file of queries is none.
        """
        if self.queries is None and self.author is None:
            raise UsageError(f"there are no queries to the tools: {WANTED}")
        if self.queries is not None and self.author is not None:
            raise UsageError("--queries and --author both give queries; leave one of them out")
        if self.live and self.recording is not None:
            raise UsageError("--live calls the server and --recording does not; leave one of them out")
        if self.queries is not None and self.source.kind == "mcp":
            load_queries(self.queries)  # before a server is started for nothing
        if self.live:
            _ = self.source.server


@dataclass(frozen=True)
class ToolOutcome:
    """The report, and where it is."""

    report: ToolReport
    page: Path
    record: Path


def audit_tools(audit: ToolAudit, progress: Progress, make: MakeGenerator = Generator) -> ToolOutcome:
    """Ask a model to use the tools, look at what it calls, and measure which descriptions cure what goes wrong.

    Raises:
        UsageError: when the request cannot be right, or the folder is of other tools or another model.
        InfrastructureError: when a server or the model cannot be reached; what is done so far is kept.
        AnswersAwaited: when a model is a folder that lacks answers.
        BudgetSpent: when a limit of the command is reached.
    """
    audit.check()
    toolset = audit.source.toolset()
    for note in toolset.notes:
        progress.note(note)
    queries = _queries(audit, toolset, progress)
    answers = audit.out / "answers.jsonl"
    with Asker(audit.model, toolset, answers, progress, make) as asker:
        stage = Stage(
            audit.out / "manifest.json", "tools audit", _made_from(audit, toolset, queries, asker), ("queries",)
        )
        try_models([(audit.model, asker.decoding.max_tokens)], progress)
        found = asker.judge(queries, [Cell(form) for form in audit.forms], "answers")
        main = audit.forms[0]
        cures, notes = _cures(audit, asker, toolset, halves(queries), found[Cell(main)])
    judged: dict[Form, list[Judged]] = {cell.form: several for cell, several in found.items()}
    served = _served(audit, [one for several in judged.values() for one in several], toolset, progress)
    cost = cost_of(load_records(answers, Prediction), read_times(answers), audit.model)
    report = report_of(audit.model, toolset, judged, halves(queries), cures, served, notes, str(cost))
    outcome = _written(audit.out, report, judged)
    stage.finish({"queries": len(queries), "answers": cost.answers})
    return outcome


def _queries(audit: ToolAudit, toolset: Toolset, progress: Progress) -> list[Query]:
    if audit.queries is not None:
        return read_queries(audit.queries, toolset)
    assert audit.author is not None
    kept = audit.out / "queries.jsonl"
    if not kept.exists():
        folder = audit.out / "dialogues"
        found = written_queries(audit.source.seeds(), toolset, audit.author, audit.count, folder, progress)
        write_records(kept, found)
    return queries_of(load_records(kept, AuditQuery), toolset, str(kept))


def _made_from(audit: ToolAudit, toolset: Toolset, queries: Sequence[Query], asker: Asker) -> dict[str, object]:
    return {
        "tools": toolset.hash,
        "model": describe(audit.model, asker.decoding),
        "queries": content_hash(
            [(query.task_id, query.model_dump(mode="json", exclude={"functions"})) for query in queries]
        ),
    }


def _cures(
    audit: ToolAudit, asker: Asker, toolset: Toolset, parts: tuple[list[Query], list[Query]], judged: Sequence[Judged]
) -> tuple[list[CureRow], list[str]]:
    """The cures of the tools with the most trouble, chosen by the first part alone."""
    ids = {query.task_id for query in parts[0]}
    choosing = [one for one in judged if one.query.task_id in ids]
    names = troubled(choosing, toolset, audit.cures)
    if not names:
        return [], []
    variants: dict[str, list[Variant]] = {name: from_schema(name, choosing, toolset) for name in names}
    notes: list[str] = []
    if audit.rewriter is not None:
        new, notes = rewrites(names, choosing, toolset, audit.rewriter, audit.out / "rewrites.jsonl")
        for name, variant in new.items():
            variants[name].append(variant)
    return measured(asker, audit.forms[0], variants, parts, toolset), notes


def _served(audit: ToolAudit, judged: Sequence[Judged], toolset: Toolset, progress: Progress) -> Served:
    if audit.live:
        return live(judged, audit.source.server, audit.out / "calls.jsonl", progress)
    return by_recording(judged, audit.recording) if audit.recording is not None else by_schema(judged, toolset)


def _written(out: Path, report: ToolReport, judged: Mapping[Form, Sequence[Judged]]) -> ToolOutcome:
    page, record = out / "report.html", out / "report.json"
    for form, several in judged.items():
        write_records(out / f"results-{form}.jsonl", [one.result for one in several])
    write_text(record, report.model_dump_json(indent=2) + "\n")
    write_text(page, render_tools(report))
    return ToolOutcome(report, page, record)
