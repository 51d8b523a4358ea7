"""`apigap prompts`: the open requests of a batch folder as a text for people, and their answers back."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.console import print_result
from apigap.cli.option_groups import commands, group
from apigap.cli.options import JsonOption

FolderArgument = Annotated[Path, typer.Argument(help="The folder of `--model batch/FOLDER`.")]


def export(
    folder: FolderArgument,
    out: Annotated[Path, typer.Option("--out", help="The text file for the prompts.")],
    all_: Annotated[
        bool, typer.Option("--all", help="Those with an answer too, each with its answer; not only what waits.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Write the prompts that wait for answers as one text, with a place for each answer."""
    from apigap.models.batch.folder import BatchFolder
    from apigap.models.batch.sheet import write_sheet
    from apigap.models.model_facts import BATCH

    written, waiting = write_sheet(BatchFolder(f"{BATCH}{folder}"), out, all_)
    summary = {"prompts": written, "waiting": waiting, "file": str(out) if written else None}
    if waiting:
        following = f"write the answers into it, then: apigap prompts import {folder} {out}"
    else:
        following = f"nothing waits in {folder}; run the same command as before again, unless it has ended"
    lines = [f"{written} prompts: {out}"] if written else []
    print_result(json_, summary, *lines, following)


def import_(
    folder: FolderArgument,
    answers: Annotated[Path, typer.Argument(help="The text with answers in it, or JSONL of id and answer.")],
    json_: JsonOption = False,
) -> None:
    """Put answers that people or other tools wrote into the folder, where the next run reads them."""
    from apigap.models.batch.folder import BatchFolder
    from apigap.models.batch.sheet import read_sheet
    from apigap.models.model_facts import BATCH

    count = read_sheet(BatchFolder(f"{BATCH}{folder}"), answers)
    print_result(json_, {"answers": count}, f"answers in {folder}: {count}; run the same command as before again")


register = commands(group("prompts", "Prompts of a batch folder, for people and other tools.", export, import_))
