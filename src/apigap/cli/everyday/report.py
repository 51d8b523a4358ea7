"""An experiment answer by answer: `apigap report`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import DataOption, JsonOption


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(report)


def report(
    experiment: Annotated[str, typer.Option("--experiment", help="Its name; an audit's is audit-MODEL.")],
    tasks: Annotated[
        list[Path] | None,
        typer.Option("--tasks", help="The tasks file; default: those of the data folder and the starter benchmark."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The page; default: analysis/EXPERIMENT/answers.html.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Read verdicts of different evaluators all the same.")] = False,
    data: DataOption = None,
    json_: JsonOption = False,
) -> None:
    """Write an experiment as one page that opens offline: what helps each API, every answer, and why it failed."""
    from dataclasses import asdict

    from apigap.analysis.experiment_report import experiment_report
    from apigap.cli.console import print_json
    from apigap.records.layout import Layout
    from apigap.records.store import write_text
    from apigap.reporting.render import render_report
    from apigap.reporting.tables import headline, summary_rows

    root = data or Path("data")
    found = experiment_report(root, experiment, tasks or (), force)
    page = out or Layout(root, found.model).analysis(experiment) / "answers.html"
    write_text(page, render_report(found))
    if json_:
        print_json({"report": str(page), "conditions": [asdict(row) for row in summary_rows(found)]})
        return
    print(headline(found).text)
    print(f"\nReport: {page.resolve()}")
