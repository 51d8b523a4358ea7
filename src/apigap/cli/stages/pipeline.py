"""`apigap pipeline`: the four stages of one library, or of all that are known."""

from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.console import Console, print_json, print_table
from apigap.cli.option_groups import BudgetOptions, ReleaseOptions, commands, with_options
from apigap.records.errors import InfrastructureError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.stages.pipeline import PipelineRow

DEBUG = ("knowledge.usages=2", "tasks.per_api=1", "gates.c2_samples=1", "audit.max_tasks=3", "selection.per_library=4")
"""Settings of a run that only shows whether everything works: few candidates, one task of each, three are asked."""


@with_options
def pipeline(
    library: opt.LibrariesOption = None,
    all_libraries: opt.AllLibrariesOption = False,
    old: opt.OldOption = None,
    new: opt.NewOption = None,
    stages: Annotated[
        list[int] | None, typer.Option("--stages", help="1 2 3 4 (the default), or some of them.")
    ] = None,
    model: opt.ModelOption = opt.DEFAULT_MODEL,
    cutoff: opt.CutoffOption = None,
    author: opt.AuthorOption = None,
    rewrite: opt.RewriteOption = None,
    debug: Annotated[bool, typer.Option("--debug", help="A few tasks only.")] = False,
    mock_llm: opt.MockOption = False,
    data: opt.DataOption = opt.DATA,
    *,
    machine: ReleaseOptions,
    budget: BudgetOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Discover, extract, generate and filter: from releases to the tasks that are new to a model."""
    from apigap.discovery.library import known_libraries
    from apigap.models.generate import MOCK_MODEL, Generator
    from apigap.stages.authorship import Authors
    from apigap.stages.pipeline import STAGES, LibraryPipeline

    budget.use()
    if bool(library) == all_libraries:
        raise UsageError("name a library with --library, or give --all-libraries")
    names = [known.name for known in known_libraries()] if all_libraries else library or []
    if len(names) > 1 and (old or new):
        raise UsageError("--old and --new are releases of one library: name that alone")
    asked = stages or list(STAGES)
    settings = machine.settings(given=DEBUG if debug else (), cutoff=cutoff)
    rows: list[PipelineRow] = []
    with Console() as console, machine.engine(settings) as engine:
        run = LibraryPipeline(
            model=model,
            root=data,
            settings=settings,
            engine=engine,
            progress=console,
            make_generator=Generator,
            answers=MOCK_MODEL if mock_llm else None,
            authors=Authors(author, rewrite),
        )
        step = console.step(f"libraries, stages {' '.join(map(str, asked))}, for {model}")
        step(0, len(names))
        for row in run.run(names, asked, old, new):
            rows.append(row)
            step(len(rows), len(names))
    if json_:
        print_json([row.model_dump(mode="json") for row in rows])
    else:
        _show(rows)
    left = sorted((row for row in rows if row.status != "done"), key=lambda row: row.status != "failed")
    if left:
        failed = sum(row.status == "failed" for row in left)
        summary = f"{failed} of {len(rows)} libraries failed, {len(left) - failed} have tasks that could not be judged"
        raise InfrastructureError(
            f"{summary}; the same command tries them again, first: {left[0].library}: {left[0].error}"
        )


def _show(rows: "Sequence[PipelineRow]") -> None:
    columns = ("library", "versions", "candidates", "bundles", "tasks", "valid", "left", "status")
    table = [
        [
            row.library,
            f"{row.old_version or '-'} -> {row.new_version or '-'}",
            *("-" if n is None else str(n) for n in (row.candidates, row.bundles, row.tasks, row.valid, row.filtered)),
            row.status,
        ]
        for row in rows
    ]
    print_table("Pipeline", columns, table)


register = commands(pipeline)
