"""`apigap run`: one model on one set of tasks under the cells of an experiment."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.options import (
    DEFAULT_MODEL,
    ConfigOption,
    DataOption,
    JsonOption,
    ModelOption,
    SetOption,
    TasksOption,
    UnsafeOption,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.pipeline.experiment import Experiment
    from apigap.records.configuration import Settings
    from apigap.records.result import Result
    from apigap.records.task import Task

STEPS = ("run", "eval", "analysis")


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(run)


def run(
    experiment: Annotated[str, typer.Option("--experiment", help="Its name; the files go to results/NAME.")],
    tasks: TasksOption,
    model: ModelOption = DEFAULT_MODEL,
    cells: Annotated[
        list[str] | None,
        typer.Option("--cells", help="Cells such as baseline, oracle.s_e, rag.full; a delivery is all its conditions."),
    ] = None,
    steps: Annotated[
        list[str] | None,
        typer.Option("--steps", help="run (answers, the default), eval (verdicts), analysis (tables)."),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True, help="Further words of --cells and --steps.")] = None,
    all_: Annotated[bool, typer.Option("--all", help="All cells.")] = False,
    layout: Annotated[str | None, typer.Option("--layout", help="The prompt's: instructed or published.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many tasks, over all libraries.")] = 0,
    knowledge: Annotated[
        list[Path] | None, typer.Option("--knowledge", help="Bundles (stage 2); default: the starter's.")
    ] = None,
    connections: Annotated[
        int | None, typer.Option("--connections", min=1, help="Requests at a time; servers of a local model.")
    ] = None,
    data: DataOption = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Ask a model under the cells of an experiment; it can be ended anywhere, and the same command goes on."""
    from apigap.cli.console import Console
    from apigap.models.generate import Generator
    from apigap.pipeline.experiment import Experiment, Plan
    from apigap.pipeline.grid import parse_cells
    from apigap.pipeline.sources import read_source
    from apigap.records.configuration import load_settings

    wanted = _steps([*(steps or ()), *(word for word in more or () if word in STEPS)])
    names = [*(cells or ()), *(word for word in more or () if word not in STEPS)]
    chosen = parse_cells(["all"] if all_ else names or ["oracle"])
    settings = load_settings(config or (), [*(set_ or ()), *([f"generation.layout={layout}"] if layout else ())])
    source = read_source(tasks, knowledge or (), limit)
    with Console() as console:
        if source.without:
            console.note(f"{len(source.without)} tasks have no knowledge bundle and are left out: {source.without[:3]}")
        study = Experiment(
            Plan(experiment, model, source.tasks, source.bundles, chosen),
            settings,
            data or Path("data"),
            console,
            make_generator=lambda name, decoding: Generator(name, decoding, connections=connections),
        )
        if "run" in wanted:
            study.generate()
        if "eval" in wanted or "analysis" in wanted:
            results = _evaluate(study, settings, unsafe_local)
            _show(experiment, results, source.tasks, json_)


def _steps(words: "Sequence[str]") -> list[str]:
    from apigap.records.errors import UsageError

    names = [name for word in words for name in word.split(",") if name]
    for name in names:
        if name not in STEPS:
            raise UsageError(f"no step is named {name!r}; the steps are {', '.join(STEPS)}")
    return names or ["run"]


def _evaluate(study: "Experiment", settings: "Settings", unsafe_local: bool) -> "dict[str, list[Result]]":
    from apigap.execution.engine import Engine
    from apigap.execution.limits import MIB, Limits

    execution = settings.execution
    limits = Limits(
        cpu_seconds=execution.cpu_seconds, wall_seconds=execution.wall_seconds, memory=execution.memory_mib * MIB
    )
    with Engine(execution.workers, limits, unsafe_local, execution.backend) as engine:
        return study.evaluate(engine)


def _show(experiment: str, results: "dict[str, list[Result]]", tasks: "Sequence[Task]", as_json: bool) -> None:
    from apigap.cli.console import print_json, print_table
    from apigap.pipeline.evaluate import summarise

    summaries = {name: summarise(rows, tasks) for name, rows in results.items()}
    if as_json:
        print_json(summaries)
        return
    table = [
        [
            name,
            str(row["n_tasks"]),
            "-" if row["pass_at_1"] is None else f"{row['pass_at_1']:.1%}",
            str(row["outcomes"]),
        ]
        for name, row in summaries.items()
    ]
    print_table(experiment, ("cell", "tasks", "pass@1", "outcomes"), table)
