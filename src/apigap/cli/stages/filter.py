"""`apigap filter`: stage 4 by itself, on a file of tasks."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import (
    DEFAULT_MODEL,
    ConfigOption,
    CutoffOption,
    JsonOption,
    KnowledgeOption,
    ModelOption,
    SetOption,
    TasksOption,
    UnsafeOption,
    settings_of,
)


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("filter")(filter_)


def filter_(
    tasks: TasksOption,
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the tasks that are left; records go beside it.")],
    model: ModelOption = DEFAULT_MODEL,
    cutoff: CutoffOption = None,
    gates: Annotated[list[str] | None, typer.Option("--gates", help="c1 c2 c3 (the default), or some of them.")] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True, help="Further words of --gates.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="At most so many tasks, over all libraries.")] = 0,
    knowledge: KnowledgeOption = None,
    connections: Annotated[
        int | None, typer.Option("--connections", min=1, help="Requests at a time; servers of a local model.")
    ] = None,
    config: ConfigOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Keep the tasks that are valid (C1), new to MODEL (C2), and solvable by the solver of the settings (C3)."""
    from functools import partial

    from apigap.cli.console import Console, print_json
    from apigap.evaluation.model_pool import Models
    from apigap.gates.file_gates import GATES, FileGates
    from apigap.gates.record import Gate
    from apigap.knowledge.bundle_files import read_bundles
    from apigap.models.generate import Generator
    from apigap.records.errors import InfrastructureError, UsageError
    from apigap.sandbox.engine import Engine
    from apigap.tasks.task_choice import spread
    from apigap.tasks.task_files import load_tasks

    words = {name for word in (*(gates or ()), *(more or ())) for name in word.split(",") if name}
    for name in sorted(words.difference(GATES)):
        raise UsageError(f"no gate is named {name!r}; the gates are {', '.join(GATES)}")
    asked: list[Gate] = [gate for gate in GATES if not words or words & {gate}]
    settings = settings_of(config, set_, cutoff=cutoff)
    chosen = spread(load_tasks(tasks))[: limit or None]
    with (
        Console() as console,
        Engine.of(settings.execution, unsafe_local) as engine,
        Models(settings.generation, partial(Generator, connections=connections)) as models,
    ):
        shown = read_bundles(knowledge or ()) if "c3" in asked and settings.gates.c3_solver else []
        bundles = {bundle.api_name: bundle for bundle in shown}
        manifest = FileGates(model, settings, engine, models, console, bundles).run(chosen, asked, out)
    if json_:
        print_json(manifest.counts)
    else:
        print("\n".join(f"{name}: {value}" for name, value in manifest.counts.items()))
    if not manifest.complete:
        raise InfrastructureError("some answers could not be judged, see above; the same command judges them again")
