"""`apigap run`: one model on one set of tasks under the cells of an experiment."""

from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from apigap.cli import options as opt
from apigap.cli.console import Console, demand_verdicts, figure, print_json, print_rows, print_table, print_tables
from apigap.cli.option_groups import BudgetOptions, EngineOptions, commands, with_options
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apigap.experiments.experiment import Experiment

JUDGED_NEXT = "the same command with --steps eval analysis judges the answers and writes tables and a page"


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
    debug: opt.DebugOption = False,
    model: opt.ChosenModelOption = None,
    layout: opt.LayoutOption = None,
    connections: opt.ConnectionsOption = None,
    mock_llm: opt.MockOption = False,
    cells: opt.CellsOption = None,
    all_: Annotated[bool, typer.Option("--all", help="The whole grid: 34 cells and those of the oracle.")] = False,
    steps: opt.StepsOption = None,
    data: opt.DataOption = opt.DATA,
    *,
    machine: EngineOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Ask a model under the cells of an experiment; it can be ended anywhere, and the same command goes on."""
    from apigap.experiments.grid import parse_cells
    from apigap.experiments.plans import Terms, plan_of, plan_of_name
    from apigap.experiments.sources import read_source
    from apigap.models.generate import MOCK_MODEL
    from apigap.records.names import path_part

    budget.use()
    path_part(experiment, "an experiment")
    wanted = opt.steps_of(steps)
    settings = machine.settings(layout=layout)
    limit = min(limit or opt.FEW, opt.FEW) if debug else limit
    names = ["all"] if all_ else cells or ()
    with Console() as console:
        terms = Terms(settings, data, console, mock_llm, connections)
        if tasks is None:
            if since is not None:
                raise UsageError("--since goes with --tasks: a built group has its own tasks")
            plan = plan_of_name(experiment, model, names, limit, terms)
        else:
            wished = names or ["oracle"]
            shown = any(cell.shows_knowledge for cell in parse_cells(wished))
            source = read_source(tasks, knowledge or (), limit, since, shown=shown)
            plan = plan_of(experiment, model or opt.DEFAULT_MODEL, source, wished, terms)
        study = terms.experiment(plan.with_model(MOCK_MODEL) if mock_llm else plan)
        if not study.cells:
            raise UsageError("every cell that is asked needs weights that are not there yet: adapt the model first")
        judges = "eval" in wanted or "analysis" in wanted
        runs = "run" in wanted and study.runs_code
        with machine.engine(settings) if judges or runs else nullcontext() as engine:
            if "run" in wanted:
                study.generate(engine=engine)
            summaries = study.evaluate(engine) if engine and judges else {}
        if "analysis" in wanted:
            console.note(f"tables and page: {write_analysis(experiment, data, [tasks] if tasks else [])}")
    if not judges:
        _show_answers(study, json_)
        return
    _show(experiment, summaries, json_)
    demand_verdicts(*wanting(summaries.values()))


def wanting(summaries: "Iterable[Mapping[str, Any]]") -> tuple[Counter[str], int]:
    """The samples of cells that have no verdict, by reason, and the number of all."""
    without, of = Counter[str](), 0
    for row in summaries:
        without.update(row["no_verdict"])
        of += sum(row["outcomes"].values())
    return without, of


def write_analysis(experiment: str | None, root: Path, tasks: "Sequence[Path]") -> Path:
    """Write the tables and the page of `apigap analyze` for one experiment, or for the whole grid."""
    from apigap.analysis.analyse import analyse, write_tables
    from apigap.analysis.page import write_page
    from apigap.records.layout import Layout

    folder = Layout(root, "").analysis(experiment or opt.WHOLE)
    found = analyse(root, [experiment] if experiment else [], {}, tasks)
    write_tables(found, folder)
    write_page(found, folder)
    return folder


def _show_answers(study: "Experiment", as_json: bool) -> None:
    """The cells that were asked, and how many answers ended how; verdicts are another step."""
    ends = {cell.name: study.endings(cell) for cell in study.cells}
    tasks = len(study.plan.tasks)
    told = {
        name: {"tasks": tasks, "answers": found.total(), "ended": dict(found.most_common())}
        for name, found in ends.items()
    }
    rows = [
        (name, tasks, found.total(), ", ".join(f"{count} {end}" for end, count in found.most_common()))
        for name, found in ends.items()
    ]
    print_rows(as_json, told, study.plan.experiment, ("cell", "tasks", "answers", "how they ended"), rows)
    if not as_json:
        print(JUDGED_NEXT)


def _show(experiment: str, summaries: dict[str, dict[str, Any]], as_json: bool) -> None:
    from apigap.evaluation.summary import cost_table, cut_note
    from apigap.models.spending.cell_cost import CellCost

    if as_json:
        print_json(summaries)
    elif summaries:
        columns = ("cell", "tasks", "pass@1", "95 % interval", "infra as fails", "by library", "outcomes")
        print_table(experiment, columns, [_row(name, row) for name, row in summaries.items()])
        told = {name: row.get("cost") for name, row in summaries.items()}
        costs = [(name, CellCost.model_validate(cost) if cost else None) for name, cost in told.items()]
        print_tables(cost_table("cell", costs))
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
