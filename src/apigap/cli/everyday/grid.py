"""`apigap grid`: several models on several groups, under all cells; one tree, one table."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import Console, demand_verdicts, figure, print_json, print_table, print_tables
from apigap.cli.everyday.run import JUDGED_NEXT, wanting, write_analysis
from apigap.cli.option_groups import BudgetOptions, EngineOptions, commands, with_options
from apigap.records.errors import ApigapError, EnvironmentFailure, ModelUnavailable, Paused, UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apigap.experiments.grid_report import ExperimentRow, Left
    from apigap.experiments.grid_run import CellWork, Grid, Summaries

_SHOWN = ("baseline", "oracle.s", "oracle.e", "oracle.s_e", "oracle.full", "rag.s_e", "rag.full")
_LEFT = ("experiment", "cells", "requests", "tokens to read", "to write at most", "dollars at most", "likely")


@with_options
def grid(
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", autocompletion=values.models, help="The model to ask, as in `apigap run`; may be repeated."
        ),
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            autocompletion=values.groups,
            help="A built group, or one to build; may be repeated; default: all that have tasks.",
        ),
    ] = None,
    cells: opt.CellsOption = None,
    tasks: opt.OwnTasksOption = None,
    knowledge: opt.KnowledgeOption = None,
    limit: opt.LimitOption = 0,
    debug: opt.DebugOption = False,
    layout: opt.LayoutOption = None,
    connections: opt.ConnectionsOption = None,
    mock_llm: opt.MockOption = False,
    steps: opt.StepsOption = None,
    dry_run: opt.DryRunOption = False,
    data: opt.DataOption = opt.DATA,
    *,
    machine: EngineOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Ask several models about several groups under all cells that need no tuning; the same command goes on.

    It tells first what it will take.
    """
    from apigap.experiments.grid_run import Given, Grid, plan_grid
    from apigap.experiments.group_config import group_names
    from apigap.experiments.plans import Terms

    if not model:
        raise UsageError("name the models that are to be asked, with --model, once for each")
    budget.use()
    wanted = opt.steps_of(steps)
    most = min(limit or opt.FEW, opt.FEW) if debug else limit
    with Console() as console:
        terms = Terms(machine.settings(layout=layout), data, console, mock_llm, connections)
        given = Given(tasks, tuple(knowledge or ()), most)
        plans, without = plan_grid(model, group or group_names(), given, cells or ["untuned"], terms)
        for name, why in without.items():
            console.note(f"{name} is left out: {why}")
        study = Grid(plans, terms)
        if dry_run:
            _show_left(study.workloads(), without, json_)
            return
        summaries, stopped = _go(study, wanted, machine)
        analysed = None
        if "analysis" in wanted and summaries:
            analysed = write_analysis(None, data, [tasks] if tasks else [])
            console.note(f"tables and page: {analysed}")
    _show(study, summaries, without, analysed, json_)
    if stopped:
        raise stopped
    if wanted == ["run"] and not json_:
        print(JUDGED_NEXT)
    demand_verdicts(*wanting(row for found in summaries.values() for row in found.values()))


def _go(
    study: "Grid", wanted: "Sequence[str]", machine: EngineOptions
) -> "tuple[dict[str, Summaries], ApigapError | None]":
    """The steps as far as they go: what has been answered in full is judged, whatever stopped the rest."""
    summaries: dict[str, Summaries] = {}
    stopped: ApigapError | None = None
    study.write_spec()
    judges = "eval" in wanted or "analysis" in wanted
    runs = "run" in wanted and study.runs_code
    with machine.engine(study.terms.settings) if judges or runs else nullcontext() as engine:
        try:
            if "run" in wanted:
                study.generate(engine)
        except (Paused, ModelUnavailable) as error:
            stopped = error
        if engine and judges and study.answered:
            try:
                study.evaluate(engine, summaries)
            except EnvironmentFailure as error:
                stopped = stopped or error
    return summaries, stopped


def _show_left(rows: "Sequence[CellWork]", without: dict[str, str], as_json: bool) -> None:
    from apigap.experiments.grid_report import Left

    own = {name: Left.of([row for row in rows if row.experiment == name]) for name in _names(rows)}
    whole = Left.of(rows)
    if as_json:
        each = [{"experiment": r.experiment, "cell": r.cell, "model": r.model, **_plain(Left.of([r]))} for r in rows]
        told = {name: _plain(left) for name, left in own.items()}
        print_json({"experiments": told, "all": _plain(whole), "cells": each, "without": without})
    else:
        print_table("What is left to do", _LEFT, [_figures(name, left) for name, left in {**own, "all": whole}.items()])


def _names(rows: "Sequence[CellWork]") -> list[str]:
    return list(dict.fromkeys(row.experiment for row in rows))


def _plain(left: "Left") -> dict[str, Any]:
    return left.model_dump(mode="json")


def _figures(name: str, left: "Left") -> list[str]:
    counts = [f"{count:,}" for count in (left.cells, left.requests, left.read, left.write_at_most)]
    return [name, *counts, figure(left.dollars_at_most), figure(left.dollars_likely)]


def _show(
    study: "Grid",
    summaries: "Mapping[str, Summaries]",
    without: dict[str, str],
    analysed: Path | None,
    as_json: bool,
) -> None:
    from apigap.evaluation.summary import cost_table
    from apigap.experiments.grid_report import experiment_row

    rows = {one.plan.experiment: experiment_row(one, summaries) for one in study.studies}
    if as_json:
        told = {name: row.model_dump(mode="json") for name, row in rows.items()}
        print_json({"experiments": told, "without": without, "analysis": analysed})
        return
    shown = [cell for cell in _SHOWN if any(cell in row.cells for row in rows.values())]
    columns = ("experiment", "tasks", "answered", "judged", *shown)
    print_table("Grid, pass@1", columns, [_line(name, row, shown) for name, row in rows.items()])
    print_tables(cost_table("experiment", [(name, row.cost) for name, row in rows.items()]))


def _line(name: str, row: "ExperimentRow", shown: "Sequence[str]") -> list[str]:
    rates = [figure(row.cells[cell]["pass_at_1"], ".1%") if cell in row.cells else "-" for cell in shown]
    answered = f"{len(row.answered)} of {len(row.asked)}"
    return [name, str(row.tasks), answered, str(len(row.cells)), *rates]


register = commands(grid)
