"""`apigap audit` and `apigap demo`: from releases to a report."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import (
    DEFAULT_MODEL,
    AuthorOption,
    ConfigOption,
    CutoffOption,
    DataOption,
    JsonOption,
    ModelOption,
    RewriteOption,
    SetOption,
    UnsafeOption,
    settings_of,
)

if TYPE_CHECKING:
    from apigap.auditing.driver import Outcome

_CLOSING = {
    "llms_txt": "What the model needs, for tools that write code (serve it with apigap mcp)",
    "sft": "A tuning set on what it lacks",
}


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(audit)
    app.command()(demo)


def audit(
    library: Annotated[str, typer.Argument(help="A library by its name on the package index.")],
    old: Annotated[
        str | None,
        typer.Option("--from", help="Release to compare with; default: the newest one before the model's cutoff."),
    ] = None,
    new: Annotated[str | None, typer.Option("--to", help="Release to audit; default: the newest stable one.")] = None,
    model: ModelOption = DEFAULT_MODEL,
    cutoff: CutoffOption = None,
    author: AuthorOption = None,
    rewrite: RewriteOption = None,
    data: DataOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    max_tasks: Annotated[
        int | None, typer.Option("--max-tasks", min=0, help="Ask at most so many tasks (0: all).")
    ] = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Find which new APIs of LIBRARY a model cannot use, why, and which knowledge cures it."""
    from apigap.api.audit import audit

    settings = settings_of(config, set_, cutoff=cutoff, max_tasks=max_tasks)
    outcome = audit(
        library,
        old=old,
        new=new,
        model=model,
        author=author,
        rewrite=rewrite,
        data=data,
        settings=settings,
        unsafe_local=unsafe_local,
    )
    _show(outcome, json_)


def demo(
    model: Annotated[str | None, typer.Option("--model", "-m", help="Another model; see `apigap audit`.")] = None,
    data: DataOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Audit pydantic 2.5.2 -> 2.13.3 and httpx 0.25.2 -> 0.28.1 with a model that runs on this machine."""
    from apigap.api.audit import audit_releases
    from apigap.auditing.demo import TARGETS, choose_model
    from apigap.cli.console import Console
    from apigap.records.configuration import load_settings

    settings = load_settings(["demo"], set_ or [])
    root = data or Path("data") / "demo"
    if model is None:
        with Console() as console:
            model = choose_model(root, settings, console)
    _show(audit_releases(TARGETS, root, model=model, settings=settings, unsafe_local=unsafe_local), json_)


def _show(outcome: "Outcome", as_json: bool) -> None:
    from apigap.cli.console import print_json, print_table
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
    for name, path in outcome.closing.items():
        print(f"{_CLOSING[name]}: {path.resolve()}")
