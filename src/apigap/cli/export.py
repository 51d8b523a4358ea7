"""What can be given to others: `apigap export`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import JsonOption


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    group = typer.Typer(help="Write what was made in a form for others.", no_args_is_help=True)
    group.command("bundles")(bundles)
    app.add_typer(group, name="export")


def bundles(
    knowledge: Annotated[Path, typer.Option("--knowledge", help="Bundles, as `apigap extract` wrote them.")],
    out: Annotated[Path, typer.Option("--out", help="JSONL file with the paper's fields: S_name, S_param, E, ...")],
    leave_excerpts_out: Annotated[
        bool,
        typer.Option(
            "--leave-excerpts-out", help="Without exemplars, prose and code that are copyleft or of unknown licence."
        ),
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Bundles under NovelAPIBench's field names; exit 2 where a licence keeps excerpts on this machine."""
    from apigap.cli.console import print_json
    from apigap.pipeline.export import export_bundles

    counts = export_bundles(knowledge, out, leave_excerpts_out)
    if json_:
        print_json(counts)
    else:
        print(f"{out}: {counts['bundles']} bundles, {counts['without_their_excerpts']} of them without excerpts")
