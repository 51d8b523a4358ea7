"""`apigap audit` and `apigap demo`: from releases to a report."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.option_groups import BudgetOptions, EngineOptions, ReleaseOptions, commands, with_options
from apigap.cli.options import (
    DATA,
    DEFAULT_MODEL,
    AuthorOption,
    ChosenModelOption,
    CutoffOption,
    JsonOption,
    LadderOption,
    LibraryArgument,
    MockOption,
    ModelOption,
    NewOption,
    OldOption,
    OptionalLimitOption,
    OwnDataOption,
    RewriteOption,
)
from apigap.records.errors import CheckFailed

if TYPE_CHECKING:
    from apigap.auditing.driver import Outcome
    from apigap.reporting.ladder_model import Ladder


@with_options
def audit(
    library: LibraryArgument,
    old: OldOption = None,
    new: NewOption = None,
    model: ModelOption = DEFAULT_MODEL,
    cutoff: CutoffOption = None,
    author: AuthorOption = None,
    rewrite: RewriteOption = None,
    mock_llm: MockOption = False,
    limit: OptionalLimitOption = None,
    ladder: LadderOption = None,
    data: OwnDataOption = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="File for the finding in a few lines, to comment a release with.")
    ] = None,
    fail_below: Annotated[
        float | None,
        typer.Option(
            "--fail-below",
            min=0,
            max=1,
            help="Exit 1 when pass@1 without knowledge is surely less: its whole 95 % interval.",
        ),
    ] = None,
    *,
    machine: ReleaseOptions,
    budget: BudgetOptions,
    json_: JsonOption = False,
) -> None:
    """Find which new APIs of LIBRARY a model cannot use, why, and which knowledge cures it."""
    from apigap.api.audit import audit

    budget.use()
    settings = machine.settings(cutoff=cutoff, max_tasks=limit, items=ladder)
    outcome = audit(
        library,
        old=old,
        new=new,
        model=model,
        mock_llm=mock_llm,
        author=author,
        rewrite=rewrite,
        data=data,
        settings=settings,
        unsafe_local=machine.unsafe_local,
    )
    if markdown:
        _write_comment(outcome, markdown, fail_below)
    _show(outcome, json_)
    if fail_below is not None:
        _demand(outcome, fail_below)


def _write_comment(outcome: "Outcome", path: Path, fail_below: float | None) -> None:
    from apigap.records.store import write_text
    from apigap.reporting.comment import comment

    write_text(path, comment(outcome.report, fail_below))


def _demand(outcome: "Outcome", fail_below: float) -> None:
    """Nothing where pass@1 without knowledge may be as much as that.

    Raises:
        CheckFailed: when it is surely less.
    """
    from apigap.reporting.comment import gate_words, is_below
    from apigap.reporting.tables import summary_rows

    row = summary_rows(outcome.report)[0]
    if is_below(row, fail_below):
        raise CheckFailed(gate_words(row, fail_below))
    print(f"apigap: note: {gate_words(row, fail_below)}", file=sys.stderr)


@with_options
def demo(
    model: ChosenModelOption = None,
    mock_llm: MockOption = False,
    data: OwnDataOption = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Audit pydantic and fastapi with a model that runs on this machine."""
    from apigap.api.audit import audit_releases
    from apigap.auditing.demo import TARGETS, choose
    from apigap.cli.console import Console

    settings = machine.settings(presets=["demo"])
    root = data or DATA / "demo"
    if model is None and not mock_llm:
        with Console() as console:
            choice = choose(root, settings, console)
        model, settings = choice.model, choice.put_in(settings)
    asked = None if mock_llm else model
    outcome = audit_releases(TARGETS, root, model=asked, settings=settings, unsafe_local=machine.unsafe_local)
    _show(outcome, json_)


def _show(outcome: "Outcome", as_json: bool) -> None:
    from apigap.cli.console import next_command, print_json, print_table, print_tables
    from apigap.evaluation.summary import cost_table
    from apigap.reporting.headline import headline
    from apigap.reporting.tables import cut_lines, named_costs, stale_lines, summary_rows

    report = outcome.report
    if as_json:
        closing = {name: str(path) for name, path in outcome.closing.items()}
        rows = [asdict(row) for row in summary_rows(report)]
        stale = [row.model_dump(mode="json") for row in report.stale]
        found = headline(report)
        told = {"conditions": rows, "stale": stale, "notes": list(report.notes), "headline": found.text}
        told |= {"tasks": {"asked": found.asked, "passed_without_knowledge": found.passed}}
        told |= {"costs": {name: cost.model_dump() for name, cost in report.costs.items()}}
        told |= {"ladder": report.ladder.model_dump(mode="json") if report.ladder else None}
        print_json({"report": str(outcome.page), "closing": closing, **told})
        return
    if report.ladder:
        _show_ladder(report.ladder)
    rows = [
        [
            row.title,
            "-" if row.pass_at_1 is None else f"{row.pass_at_1:.0%}",
            f"{row.low:.0%} to {row.high:.0%}",
            str(row.passed),
            str(row.failed),
            str(row.infra + row.suspect + row.cut),
            ", ".join(f"{label.removeprefix('Wrong')} {count}" for label, count in row.labels.items() if count),
        ]
        for row in summary_rows(report)
    ]
    title = f"{report.title}: all {len(report.tasks)} tasks that were asked"
    if report.tasks:
        print_table(title, ("condition", "pass@1", "95 % interval", "pass", "fail", "other", "failures"), rows)
        print_tables(cost_table("condition", named_costs(report)))
    print("\n".join([*cut_lines(summary_rows(report)), *report.notes, headline(report).text, *stale_lines(report)]))
    print(f"\nReport: {outcome.page.resolve()}")
    if tuning := outcome.closing.get("sft"):
        print(f"A tuning set on what the model lacks: {tuning.resolve()}")
    if pages := outcome.closing.get("llms_txt"):
        print(f"What the model needs, for tools that write code: {pages.resolve()}; an MCP server of it:")
        print(next_command("mcp", pages.resolve().parent))


def _show_ladder(ladder: "Ladder") -> None:
    """Print what single questions say, what knowledge does to them, and what was not asked."""
    from apigap.cli.console import print_table
    from apigap.reporting.ladder_tables import (
        BALANCE,
        KNOWLEDGE,
        LOSSES,
        MEASURES,
        TWINS,
        answer_lines,
        balance_rows,
        cost_line,
        knowledge_rows,
        loss_rows,
        measure_rows,
        twin_rows,
    )

    tables = (
        ("Single questions: what it knows of new APIs, and of old ones like them", MEASURES, measure_rows(ladder)),
        ("What guessing gives: names that nobody can know", TWINS, twin_rows(ladder)),
        ("What showing knowledge does to them", KNOWLEDGE, knowledge_rows(ladder)),
        ("Single questions that are not asked", LOSSES, loss_rows(ladder)),
        ("How alike the new and the old APIs are", BALANCE, balance_rows(ladder)),
    )
    for title, heads, rows in tables:
        if rows:
            print_table(title, heads, rows)
    if ladder.cost.questions:
        print("\n".join([cost_line(ladder.cost, ladder.way), *answer_lines(ladder)]))
    print("".join(f"{note}\n" for note in ladder.notes))


register = commands(audit, demo)
