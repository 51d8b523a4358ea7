"""`apigap report`: results or an experiment, answer by answer, as one page."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import print_result
from apigap.cli.option_groups import commands
from apigap.cli.options import DATA, AnsweredTasksOption, DataOption, ExperimentOption, ForceOption, JsonOption
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


def report(
    results: Annotated[
        Path | None, typer.Argument(help="A results file of `apigap score` on any benchmark, or a cell's folder.")
    ] = None,
    experiment: ExperimentOption = None,
    tasks: AnsweredTasksOption = None,
    force: ForceOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="HTML file; default: beside the results, or analysis/EXPERIMENT/answers.html."),
    ] = None,
    data: DataOption = DATA,
    json_: JsonOption = False,
) -> None:
    """Write results, or a whole experiment, as one page that opens offline: figures, answers, and why they failed."""
    if (results is None) == (experiment is None):
        raise UsageError("give a results file of any benchmark, or an experiment's name with --experiment")
    if results is not None and (tasks or force):
        raise UsageError("--tasks and --force go with --experiment, and not with a results file: leave them out")
    if results is not None:
        _report_results(results, out, json_)
    else:
        _report_experiment(experiment or "", tasks or (), out, force, data, json_)


def _report_results(results: Path, out: Path | None, as_json: bool) -> None:
    from apigap.analysis.results_report import results_page
    from apigap.records.store import write_text
    from apigap.reporting.render import render_analysis

    found = results_page(results)
    page = out or (results / "report.html" if results.is_dir() else results.with_suffix(".html"))
    write_text(page, render_analysis(found))
    facts = {"report": str(page), "headline": found.headline}
    print_result(as_json, facts, f"{found.title}: {found.headline}", "", f"Report: {page.resolve()}")


def _report_experiment(
    experiment: str, tasks: "Sequence[Path]", out: Path | None, force: bool, root: Path, as_json: bool
) -> None:
    from apigap.analysis.experiment_report import experiment_report
    from apigap.records.layout import Layout
    from apigap.records.store import write_text
    from apigap.reporting.headline import headline
    from apigap.reporting.render import render_report
    from apigap.reporting.tables import stale_lines, summary_rows

    found = experiment_report(root, experiment, tasks, force)
    page = out or Layout(root, found.model).analysis(experiment) / "answers.html"
    write_text(page, render_report(found))
    stale = [row.model_dump(mode="json") for row in found.stale]
    facts = {"report": str(page), "conditions": [asdict(row) for row in summary_rows(found)], "stale": stale}
    lines = stale_lines(found)
    print_result(as_json, facts, headline(found).text, *lines, "", f"Report: {page.resolve()}")


register = commands(report)
