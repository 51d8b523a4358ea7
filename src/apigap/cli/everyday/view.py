"""`apigap view` and `apigap site`: runs as pages to explore, on this machine or as files for any host."""

import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import Console, print_result
from apigap.cli.option_groups import commands
from apigap.cli.options import AnsweredTasksOption, DrawsOption, ForceOption, JsonOption
from apigap.records.extras import from_extra

if TYPE_CHECKING:
    from apigap.explorer.dataset import Dataset

FoldersArgument = Annotated[
    list[Path] | None,
    typer.Argument(help="Folders of runs: data folders, experiments, cells, or results files; default: data."),
]
FurtherItemsOption = Annotated[
    list[Path] | None,
    typer.Option("--items", help="Files that `apigap items` wrote, where they lie elsewhere; may be repeated."),
]


def view(
    folders: FoldersArgument = None,
    items: FurtherItemsOption = None,
    tasks: AnsweredTasksOption = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in this machine's browser.")] = False,
    draws: DrawsOption = 10_000,
    force: ForceOption = False,
    json_: JsonOption = False,
) -> None:
    """Explore runs in a browser on this machine: models, libraries, rungs, every API, and answers side by side."""
    from apigap.explorer.site import is_site

    with tempfile.TemporaryDirectory(prefix="apigap-view-") as temporary:
        given = folders or [Path("data")]
        if len(given) == 1 and is_site(given[0]):
            _serve(given[0], port, open_, json_)
            return
        _write(given, [*(items or ()), *(tasks or ())], Path(temporary), draws, force)
        _serve(Path(temporary), port, open_, json_)


def _serve(folder: Path, port: int, open_: bool, as_json: bool) -> None:
    with from_extra("serve", "a page in a browser"):
        from apigap.reporting.local_server import LocalServer
    with LocalServer(folder, (), port) as server:
        print_result(as_json, {"page": server.page}, f"The pages are at {server.page} (end: Ctrl+C)")
        sys.stdout.flush()
        if open_:
            webbrowser.open(server.page)
        server.serve()


def site(
    folders: FoldersArgument = None,
    out: Annotated[Path, typer.Option("--out", help="Folder for the pages; those of an earlier time are replaced.")] = (
        Path("explorer")
    ),
    items: FurtherItemsOption = None,
    tasks: AnsweredTasksOption = None,
    draws: DrawsOption = 10_000,
    force: ForceOption = False,
    json_: JsonOption = False,
) -> None:
    """Write the same pages as files: any host serves them, and a browser opens them without one."""
    found, page = _write(folders or [Path("data")], [*(items or ()), *(tasks or ())], out, draws, force)
    told = {
        "page": str(page),
        "models": [one.name for one in found.subjects],
        "libraries": len(found.libraries),
        "apis": len(found.apis),
        "answers": sum(one.answers for one in found.subjects),
        "missing": list(found.missing),
    }
    counts = [
        (len(found.subjects), "model", "models"), (told["libraries"], "library", "libraries"),
        (told["apis"], "API", "APIs"), (told["answers"], "answer", "answers"),
    ]  # fmt: skip
    line = ", ".join(f"{count} {one if count == 1 else several}" for count, one, several in counts)
    missing = [f"missing: {line}" for line in found.missing]
    print_result(json_, told, line, *missing, f"Pages: {page.resolve()}", f"next: apigap view {out}")


def _write(folders: list[Path], beside: list[Path], out: Path, draws: int, force: bool) -> "tuple[Dataset, Path]":
    from apigap.explorer.dataset import read_dataset
    from apigap.explorer.site import write_site

    with Console() as console:
        found = read_dataset(folders, beside, draws=draws, force=force, progress=console)
        return found, write_site(found, out, console)


register = commands(view, site)
