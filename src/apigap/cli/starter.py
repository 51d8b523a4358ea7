"""`apigap starter`: build the starter benchmark from its sources, and count what is in it."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import JsonOption

_COLUMNS = ("library", "apis", "tasks", "easy", "medium", "hard", "added", "modified")


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="The starter benchmark: build it from its sources, count what is in it.")
    group.command()(build)
    group.command()(show)
    app.add_typer(group, name="starter")


def build(
    sources: Annotated[list[Path], typer.Argument(help="TOML files of written tasks (starter/LIBRARY.toml).")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for LIBRARY.jsonl; default: only check.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Programs at a time.")] = 2,
) -> None:
    """Run every reference, check every task, and write those that hold; exit 1 where one does not."""
    from apigap.cli.console import Console
    from apigap.execution.engine import Engine
    from apigap.pipeline.starter import build as build_source
    from apigap.pipeline.starter import counts
    from apigap.records.errors import CheckFailed

    problems: list[str] = []
    with Console() as console, Engine(workers) as engine:
        for source in sources:
            made = build_source(source, engine, console, out and out / f"{source.stem}.jsonl")
            problems += [f"{source}: {problem}" for problem in made.problems]
            _show(counts(made.tasks))
    print("\n".join(problems))
    if problems:
        raise CheckFailed(f"{len(problems)} written tasks do not hold, first: {problems[0]}")


def show(json_: JsonOption = False) -> None:
    """How many tasks and APIs of which kind the starter benchmark holds."""
    from apigap.benchmarks.novelapi import NovelApi
    from apigap.cli.console import print_json
    from apigap.pipeline.starter import counts, starter_files

    rows = counts([task for path in starter_files() for task in NovelApi.load(path)])
    if json_:
        print_json(rows)
    else:
        _show(rows)


def _show(rows: list[dict[str, object]]) -> None:
    from apigap.cli.console import print_table

    total = {name: sum(int(str(row[name])) for row in rows) for name in _COLUMNS[1:]}
    table = [*rows, {"library": "all", **total}] if len(rows) > 1 else rows
    print_table("Starter benchmark", _COLUMNS, [[str(row[name]) for name in _COLUMNS] for row in table])
