"""`apigap filter`: stage 4 by itself, on a file of tasks."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.completion import values
from apigap.cli.console import Console, print_result
from apigap.cli.option_groups import BudgetOptions, EngineOptions, commands, with_options
from apigap.records.errors import InfrastructureError, UsageError


@with_options
def filter_(
    tasks: opt.TasksOption,
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the tasks that are left; records go beside it.")],
    knowledge: opt.KnowledgeOption = None,
    limit: opt.LimitOption = 0,
    gates: Annotated[
        list[str] | None,
        typer.Option(
            "--gates",
            autocompletion=values.several(values.gates),
            help="c1 reading c2 c3, or some of them; default: all, reading with --reader alone.",
        ),
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(
            "--reader",
            autocompletion=values.models,
            help="A model that reads each task, and keeps what is fit to publish (gate reading).",
        ),
    ] = None,
    model: opt.ModelOption = opt.DEFAULT_MODEL,
    cutoff: opt.CutoffOption = None,
    connections: opt.ConnectionsOption = None,
    mock_llm: opt.MockOption = False,
    *,
    machine: EngineOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Keep the tasks that are valid (C1), new to MODEL (C2), and solvable by the solver of the settings (C3).

    With --reader also those alone that a model finds fit to publish.
    """
    from apigap.evaluation.model_pool import Models
    from apigap.gates.file_gates import FileGates
    from apigap.gates.reading import Reader
    from apigap.gates.record import GATES, Gate
    from apigap.knowledge.bundle_files import read_bundles
    from apigap.models.generate import MOCK_MODEL, Generator
    from apigap.models.trial import try_models
    from apigap.tasks.task_choice import spread
    from apigap.tasks.task_files import load_tasks

    budget.use()
    words = set(opt.words_of(gates))
    for name in sorted(words.difference(GATES)):
        raise UsageError(f"no gate is named {name!r}; the gates are {', '.join(GATES)}")
    if "reading" in words and reader is None:
        raise UsageError("the gate reading asks a model which tasks are fit to publish: name it with --reader")
    usual = {gate for gate in GATES if gate != "reading" or reader}
    asked: list[Gate] = [gate for gate in GATES if gate in (words or usual)]
    settings, asked_model = machine.settings(cutoff=cutoff), MOCK_MODEL if mock_llm else model
    chosen = spread(load_tasks(tasks))[: limit or None]
    with (
        Console() as console,
        machine.engine(settings) as engine,
        Models(settings.generation, partial(Generator, connections=connections)) as models,
    ):
        tried = [(asked_model if "c2" in asked else None, settings.generation.max_tokens)]
        read = Reader(reader, connections) if reader and "reading" in asked else None
        if read is not None:
            tried.append((read.model, read.decoding.max_tokens))
        try_models([*tried, (settings.gates.c3_solver if "c3" in asked else None, None)], console)
        shown = read_bundles(knowledge or (), chosen) if "c3" in asked and settings.gates.c3_solver else []
        bundles = {bundle.api_name: bundle for bundle in shown}
        manifest = FileGates(asked_model, settings, engine, models, console, bundles, read).run(chosen, asked, out)
    print_result(json_, manifest.counts, *(f"{name}: {value}" for name, value in manifest.counts.items()))
    if not manifest.complete:
        raise InfrastructureError("some answers could not be judged, see above; the same command judges them again")


register = commands(filter_)
