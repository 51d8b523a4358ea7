"""Single stages: `apigap discover`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    app.command()(discover)


def discover(
    library: Annotated[str, typer.Argument(help="A library by its name on the package index.")],
    old: Annotated[str | None, typer.Option("--old", help="Release to compare with.")] = None,
    new: Annotated[str | None, typer.Option("--new", help="Release to read; default: the newest stable one.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="JSONL file for the candidates.")] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="Without --old: the newest release before its cutoff.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Stage 1: which public APIs of LIBRARY are new, changed or moved."""
    from apigap.cli.console import Console, print_json, print_table
    from apigap.discovery.discover import discover as find
    from apigap.execution.engine import Engine
    from apigap.execution.environments import EnvironmentStore
    from apigap.pipeline.versions import resolve_versions
    from apigap.records.store import write_records

    target = resolve_versions(library, old, new, model)
    with Console() as console, Engine() as engine:
        step = console.step(f"{library} {target.old} -> {target.new}")
        step(0, 1)
        found = find(library, target.old, target.new, engine=engine, store=EnvironmentStore())
        step(1, 1)
    if out is not None:
        write_records(out, found.candidates)
    if json_:
        print_json({"counts": found.counts, "candidates": [c.model_dump(mode="json") for c in found.candidates]})
        return
    rows = [
        [c.api_name, c.kind, c.change, ", ".join(f"{x.what}: {x.parameter}" for x in c.changes[:3])]
        for c in found.candidates
    ]
    print_table(f"{library} {target.old} -> {target.new}", ("API", "kind", "change", "what changed"), rows)
