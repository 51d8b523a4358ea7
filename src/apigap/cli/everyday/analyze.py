"""`apigap analyze`: tables, figures and a page of an experiment."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import print_json, print_table
from apigap.cli.option_groups import commands
from apigap.cli.options import DATA, WHOLE, AnsweredTasksOption, DataOption, DrawsOption, ForceOption, JsonOption
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.analysis.analyse import Analysis


def analyze(
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "--experiment",
            help="An experiment by its name; repeat it to compare models on shared tasks; default: those of the grid.",
        ),
    ] = None,
    adapted: Annotated[
        list[str] | None,
        typer.Option("--adapted", help="METHOD=EXPERIMENT: the same cells asked of an adapted model; may be repeated."),
    ] = None,
    tasks: AnsweredTasksOption = None,
    ranks: Annotated[
        list[Path] | None, typer.Option("--ranks", help="What `apigap rag eval --out` wrote: ranks of APIs.")
    ] = None,
    draws: DrawsOption = 10_000,
    force: ForceOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "--output", help="Folder for tables, figures and page; default: analysis/EXPERIMENT."),
    ] = None,
    data: DataOption = DATA,
    json_: JsonOption = False,
) -> None:
    """Show which knowledge helps (RQ1), what retrieval costs (RQ2) and what adaptation changes (RQ3)."""
    from apigap.analysis.analyse import analyse, write_tables
    from apigap.analysis.page import headline, write_page
    from apigap.records.layout import Layout

    folder = out or Layout(data, "").analysis(experiment[0] if experiment else WHOLE)
    found = analyse(data, experiment or (), _methods(adapted or ()), tasks or (), ranks or (), draws, force)
    written = write_tables(found, folder)
    page = write_page(found, folder)
    if json_:
        summary = {"headline": headline(found), "missing": found.missing, "page": page, "tables": written}
        print_json({**summary, "cells": {f"{row.experiment}/{row.cell}": row.pass_at_1 for row in found.cells}})
        return
    _show(found)
    print(headline(found))
    for line in found.missing:
        print(f"missing: {line}")
    print(f"{len(written)} tables and the page are in {folder}: {page}")


def _methods(words: "list[str] | tuple[()]") -> dict[str, str]:
    pairs = [word.partition("=") for word in words]
    for word, (method, _, name) in zip(words, pairs, strict=True):
        if not method or not name:
            raise UsageError(f"--adapted {word!r} is not METHOD=EXPERIMENT, such as sft=starter-sft")
    return {method: name for method, _, name in pairs}


def _show(found: "Analysis") -> None:
    from apigap.reporting.analysis_page import interval, p_value, points
    from apigap.reporting.text import percent, signed_points

    cells = [
        [f"{r.experiment}/{r.cell}", str(r.tasks), percent(r.pass_at_1), interval(r.low, r.high)]
        for r in found.cells
        if r.experiment in found.study.drawn
    ]
    print_table("pass@1", ("cell", "tasks", "pass@1", "95 % interval"), cells)
    every = (*found.rq1_gains, *found.rq2_retrieval, *found.rq3_gains)
    gains = [row for row in every if row.scope == "all" and row.experiment in found.study.drawn]
    rows = [
        [
            f"{r.experiment}/{r.cell} − {r.against}",
            signed_points(r.difference),
            points(r.low, r.high),
            p_value(r.p_holm),
        ]
        for r in gains
    ]
    if rows:
        print_table("Differences in points", ("cells", "difference", "95 % interval", "p (Holm)"), rows)


register = commands(analyze)
