"""An experiment answer by answer: `apigap report`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import DataOption, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(report)


def report(
    results: Annotated[
        Path | None, typer.Argument(help="A results file of `apigap score` on any benchmark, or a cell's folder.")
    ] = None,
    experiment: Annotated[
        str | None, typer.Option("--experiment", help="Instead: its name; an audit's is audit-MODEL.")
    ] = None,
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
    """Write results, or a whole experiment, as one page that opens offline: figures, answers, and why they failed."""
    from apigap.records.errors import UsageError

    if (results is None) == (experiment is None):
        raise UsageError("give a results file of any benchmark, or an experiment's name with --experiment")
    if results is not None:
        _report_results(results, out, json_)
    else:
        _report_experiment(experiment or "", tasks or (), out, force, data or Path("data"), json_)


def _report_results(results: Path, out: Path | None, as_json: bool) -> None:
    from apigap.analysis.results_report import results_page
    from apigap.cli.console import print_json
    from apigap.records.store import write_text
    from apigap.reporting.render import render_analysis

    found = results_page(results)
    page = out or (results / "report.html" if results.is_dir() else results.with_suffix(".html"))
    write_text(page, render_analysis(found))
    if as_json:
        print_json({"report": str(page), "headline": found.headline})
        return
    print(f"{found.title}: {found.headline}\n\nReport: {page.resolve()}")


def _report_experiment(
    experiment: str, tasks: "Sequence[Path]", out: Path | None, force: bool, root: Path, as_json: bool
) -> None:
    from dataclasses import asdict

    from apigap.analysis.experiment_report import experiment_report
    from apigap.cli.console import print_json
    from apigap.records.layout import Layout
    from apigap.records.store import write_text
    from apigap.reporting.render import render_report
    from apigap.reporting.tables import headline, summary_rows

    found = experiment_report(root, experiment, tasks, force)
    page = out or Layout(root, found.model).analysis(experiment) / "answers.html"
    write_text(page, render_report(found))
    if as_json:
        print_json({"report": str(page), "conditions": [asdict(row) for row in summary_rows(found)]})
        return
    print(headline(found).text)
    print(f"\nReport: {page.resolve()}")
