"""`apigap run`: one model on one set of tasks under the cells of an experiment."""

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli import options as opt
from apigap.cli.console import Console, demand_verdicts, figure, print_json, print_table
from apigap.cli.option_groups import BudgetOptions, EngineOptions, commands, with_options
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from apigap.cli.console import Console, figure
    from apigap.experiments.experiment import Experiment, Plan
    from apigap.records.configuration import Settings

STEPS = ("run", "eval", "analysis")
_FEW = 4


@with_options
def run(
    experiment: Annotated[
        str,
        typer.Option(
            "--experiment",
            help="An experiment by its name: GROUP-MODEL of a built group, or with --tasks one of yours.",
        ),
    ],
    tasks: opt.OwnTasksOption = None,
    knowledge: opt.KnowledgeOption = None,
    since: opt.SinceOption = None,
    limit: opt.LimitOption = 0,
    debug: Annotated[bool, typer.Option("--debug", help="A few tasks only.")] = False,
    model: opt.ChosenModelOption = None,
    layout: opt.LayoutOption = None,
    connections: opt.ConnectionsOption = None,
    mock_llm: opt.MockOption = False,
    cells: Annotated[
        list[str] | None,
        typer.Option("--cells", help="Cells such as baseline, oracle.s_e, rag.full; a delivery is all its conditions."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="The whole grid: 34 cells and those of the oracle.")] = False,
    steps: Annotated[
        list[str] | None, typer.Option("--steps", help="run (answers, the default), eval (verdicts), analysis (table).")
    ] = None,
    data: opt.DataOption = opt.DATA,
    *,
    machine: EngineOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Ask a model under the cells of an experiment; it can be ended anywhere, and the same command goes on."""
    from apigap.benchmarks.novelapi.mock_answers import mock_generator
    from apigap.experiments.experiment import Experiment
    from apigap.models.generate import MOCK_MODEL, Generator
    from apigap.records.names import path_part

    budget.use()
    path_part(experiment, "an experiment")
    wanted = _steps(opt.words_of(steps))
    settings = machine.settings(layout=layout)
    limit = min(limit or _FEW, _FEW) if debug else limit
    names = ["all"] if all_ else cells or ()
    with Console() as console:
        given = (tasks, knowledge or (), since and since.date())
        plan = _plan(experiment, given, model, names, limit, data, console)
        if mock_llm:
            plan = plan.with_model(MOCK_MODEL)
            study = Experiment(plan, settings, data, console, mock_generator(plan.tasks, settings.generation))
        else:
            study = Experiment(plan, settings, data, console, partial(Generator, connections=connections))
        if not study.cells:
            raise UsageError("every cell that is asked needs weights that are not there yet: adapt the model first")
        if "run" in wanted:
            study.generate()
        summaries = _evaluate(study, settings, machine) if "eval" in wanted or "analysis" in wanted else {}
        if "analysis" in wanted:
            console.note(f"tables and page: {_analyse(experiment, data, [tasks] if tasks else [])}")
    _show(experiment, summaries, json_)
    wanting = Counter[str]()
    for row in summaries.values():
        wanting.update(row["no_verdict"])
    demand_verdicts(wanting, sum(sum(row["outcomes"].values()) for row in summaries.values()))


def _plan(
    experiment: str,
    given: "tuple[Path | None, Sequence[Path], date | None]",
    model: str | None,
    words: "Sequence[str]",
    limit: int,
    root: Path,
    console: "Console",
) -> "Plan":
    from apigap.experiments.experiment import Plan
    from apigap.experiments.grid import parse_cells
    from apigap.experiments.named import find_experiment
    from apigap.experiments.sources import read_group, read_source

    tasks, knowledge, since = given
    if tasks is None:
        if since is not None:
            raise UsageError("--since goes with --tasks: a built group has its own tasks")
        spec = find_experiment(experiment)
        asked, names = model or spec.model, words or spec.cells
        source = read_group(spec.group, asked, root, limit)
    else:
        asked, names = model or opt.DEFAULT_MODEL, words or ["oracle"]
        source = read_source(tasks, knowledge, limit, since)
    if source.without:
        some = ", ".join(source.without[:3])
        console.note(f"{len(source.without)} tasks are left out, since their API has no knowledge bundle: {some} ...")
    return Plan(experiment, source.group, asked, source.tasks, source.bundles, parse_cells(names))


def _steps(names: list[str]) -> list[str]:
    for name in names:
        if name not in STEPS:
            raise UsageError(f"no step is named {name!r}; the steps are {', '.join(STEPS)}")
    return names or ["run"]


def _evaluate(study: "Experiment", settings: "Settings", machine: EngineOptions) -> dict[str, dict[str, Any]]:
    with machine.engine(settings) as engine:
        return study.evaluate(engine)


def _analyse(experiment: str, root: Path, tasks: "Sequence[Path]") -> Path:
    """Write the tables and the page of `apigap analyze` for this experiment alone."""
    from apigap.analysis.analyse import analyse, write_tables
    from apigap.analysis.page import write_page
    from apigap.records.layout import Layout

    folder = Layout(root, "").analysis(experiment)
    found = analyse(root, [experiment], {}, tasks)
    write_tables(found, folder)
    write_page(found, folder)
    return folder


def _show(experiment: str, summaries: dict[str, dict[str, Any]], as_json: bool) -> None:
    from apigap.evaluation.summary import cut_note
    from apigap.models.spending.cell_cost import COLUMNS, CellCost

    if as_json:
        print_json(summaries)
    elif summaries:
        columns = ("cell", "tasks", "pass@1", "95 % interval", "infra as fails", "by library", "outcomes")
        print_table(experiment, columns, [_row(name, row) for name, row in summaries.items()])
        costs = [(name, CellCost.model_validate(row["cost"])) for name, row in summaries.items() if row.get("cost")]
        print_table("What the answers took", ("cell", *COLUMNS), [[name, *cost.figures] for name, cost in costs])
        for name, row in summaries.items():
            if row.get("cut"):
                print(f"{name}: {cut_note(row['cut'], row['pass_at_1_bounds'])}")


def _row(name: str, row: dict[str, Any]) -> list[str]:
    low, high = row["interval"] or (0.0, 1.0)
    outcomes = ", ".join(f"{count} {kind}" for kind, count in row["outcomes"].items())
    whole, infra, macro = (
        figure(row[key], ".1%") for key in ("pass_at_1", "pass_at_1_infra_as_fail", "macro_by_library")
    )
    return [name, str(row["n_tasks"]), whole, f"{low:.0%} to {high:.0%}", infra, macro, outcomes]


register = commands(run)
