"""For coding assistants and those who use them: `apigap mcp`, and `apigap changes`, the same in a terminal."""

from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from apigap.cli import options as opt
from apigap.cli.option_groups import ReleaseOptions, commands, with_options
from apigap.records.errors import UsageError

_HERE = Path()


@with_options
def mcp(
    folder: Annotated[
        Path | None, typer.Argument(help="Pages of `apigap export llms-txt` or `apigap close`; without: a project.")
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option("--project", help="Folder of a project, whose libraries are looked up; default: this one."),
    ] = None,
    model: opt.CutoffModelOption = None,
    cutoff: opt.CutoffOption = None,
    *,
    machine: ReleaseOptions,
) -> None:
    """Serve pages, or what changed in a project's libraries, to any MCP client on standard input and output."""
    from apigap.exports.llms_reader import LlmsPages
    from apigap.projects.answers import ProjectAnswers
    from apigap.projects.changes import changes_between
    from apigap.projects.project import Project
    from apigap.records.extras import from_extra

    pages = LlmsPages(folder) if folder else None
    answers = None
    if project or not folder:
        compare = partial(changes_between, settings=machine.settings(), unsafe_local=machine.unsafe_local)
        found = Project(project or _HERE)  # a folder that is none, or a file that cannot be read, is told at once
        answers = ProjectAnswers(found.folder, compare, _day(model, cutoff))
    with from_extra("mcp", "an MCP server"):
        from apigap.projects.server import mcp_server
    mcp_server(pages, answers).run(show_banner=False)


@with_options
def changes(
    library: opt.LibraryArgument,
    project: Annotated[
        Path, typer.Option("--project", help="Folder of a project, whose libraries are looked up.")
    ] = _HERE,
    old: opt.OldOption = None,
    new: Annotated[
        str | None, typer.Option("--new", "--to", help="Release to look at; default: the one that the project uses.")
    ] = None,
    model: opt.CutoffModelOption = None,
    cutoff: opt.CutoffOption = None,
    about: Annotated[str, typer.Option("--about", help="Only names that hold one of these words.")] = "",
    name: Annotated[str | None, typer.Option("--name", help="All on one API, by its full name.")] = None,
    data: opt.OwnDataOption = None,
    *,
    machine: ReleaseOptions,
    json_: opt.JsonOption = False,
) -> None:
    """Show what is new, changed and gone in LIBRARY between the release that you know and the one in use here."""
    from apigap.cli.console import print_json
    from apigap.projects.answers import asked_of
    from apigap.projects.changes import changes_between
    from apigap.projects.project import InUse, Project
    from apigap.projects.told import as_data, summary

    if json_ and (about or name):
        raise UsageError("--json prints all that changed: leave --about and --name out")
    used = InUse(library, new, "as you say") if new else Project(project).release_of(library)
    question = "say which release you know: with --old, or by --cutoff or --model the newest before a day"
    asked = asked_of(used, old, _day(model, cutoff), question)
    found = changes_between(
        asked.library, asked.old, asked.new, settings=machine.settings(), data=data, unsafe_local=machine.unsafe_local,
        progress="stderr",
    )  # fmt: skip
    if json_:
        print_json({"known_by": asked.known_by, "told_by": asked.told_by, **as_data(found)})
    elif name:
        print(found.page(name), end="")
    else:
        print(summary(found, asked.known_by, asked.told_by, about, how="`--name`"), end="")


def _day(model: str | None, cutoff: datetime | None) -> date | None:
    """The day until which somebody knows releases; None where nothing was said of it."""
    from apigap.models.model_facts import cutoff_of

    if model is None and cutoff is None:
        return None
    return cutoff_of(model, cutoff.date() if cutoff else None)


register = commands(mcp, changes)
