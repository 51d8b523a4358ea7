"""`apigap audit` and `apigap demo`: from releases to a report."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from apigap.cli.option_groups import EngineOptions, with_options
from apigap.cli.options import (
    DATA,
    DEFAULT_MODEL,
    AuthorOption,
    ChosenModelOption,
    CutoffOption,
    JsonOption,
    LibraryArgument,
    MockOption,
    ModelOption,
    NewOption,
    OldOption,
    OptionalLimitOption,
    OwnDataOption,
    RewriteOption,
)

if TYPE_CHECKING:
    from apigap.audit.driver import Outcome
    from apigap.records.configuration import Settings
    from apigap.records.target import Target
    from apigap.stages.authorship import Authors


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(audit)
    app.command()(demo)


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
    data: OwnDataOption = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Find which new APIs of LIBRARY a model cannot use, why, and which knowledge cures it."""
    from apigap.stages.authorship import Authors
    from apigap.stages.versions import resolve_versions

    settings = machine.settings(cutoff=cutoff, max_tasks=limit)
    target = resolve_versions(library, old, new, model, cutoff=settings.gates.cutoff)
    root = data or DATA / "audits" / f"{target.library}-{target.old or 'none'}-{target.new}"
    asked = None if mock_llm else model
    _show(_run([target], asked, settings, root, machine, Authors(author, rewrite)), json_)


@with_options
def demo(
    model: ChosenModelOption = None,
    mock_llm: MockOption = False,
    data: OwnDataOption = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Audit pydantic 2.5.2 -> 2.13.3 and httpx 0.25.2 -> 0.28.1 with a model that runs on this machine."""
    from apigap.audit.demo import TARGETS, choose_model
    from apigap.cli.console import Console
    from apigap.stages.authorship import NOBODY

    settings = machine.settings(presets=["demo"])
    root = data or DATA / "demo"
    if model is None and not mock_llm:
        with Console() as console:
            model = choose_model(root, settings, console)
    _show(_run(TARGETS, None if mock_llm else model, settings, root, machine, NOBODY), json_)


def _run(
    targets: "Sequence[Target]",
    model: str | None,
    settings: "Settings",
    root: Path,
    machine: EngineOptions,
    authors: "Authors",
) -> "Outcome":
    """The audit of the targets with `model`; None stands for made-up answers."""
    from apigap.audit.driver import Audit
    from apigap.cli.console import Console

    with Console() as console, machine.engine(settings) as engine:
        return Audit(targets, model, settings, root, engine, console, authors=authors).run()


def _show(outcome: "Outcome", as_json: bool) -> None:
    from apigap.cli.console import next_command, print_json, print_table
    from apigap.reporting.tables import headline, summary_rows

    report = outcome.report
    if as_json:
        closing = {name: str(path) for name, path in outcome.closing.items()}
        rows = [asdict(row) for row in summary_rows(report)]
        print_json({"report": str(outcome.page), "closing": closing, "conditions": rows})
        return
    rows = [
        [
            row.title,
            "-" if row.pass_at_1 is None else f"{row.pass_at_1:.0%}",
            f"{row.low:.0%} to {row.high:.0%}",
            str(row.passed),
            str(row.failed),
            str(row.infra + row.suspect),
            ", ".join(f"{label.removeprefix('Wrong')} {count}" for label, count in row.labels.items() if count),
        ]
        for row in summary_rows(report)
    ]
    print_table(report.title, ("condition", "pass@1", "95 % interval", "pass", "fail", "other", "failures"), rows)
    print("\n".join(report.notes) or headline(report).text)
    print(f"\nReport: {outcome.page.resolve()}")
    if tuning := outcome.closing.get("sft"):
        print(f"A tuning set on what the model lacks: {tuning.resolve()}")
    if pages := outcome.closing.get("llms_txt"):
        print(f"What the model needs, for tools that write code: {pages.resolve()}; to serve it to them,")
        print(next_command("mcp", pages.resolve().parent))
