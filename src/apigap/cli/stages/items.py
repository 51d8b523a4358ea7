"""`apigap items`: questions of the ladder on what a release brought, and on matched controls."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.completion import values
from apigap.cli.console import print_json, print_table
from apigap.cli.option_groups import ReleaseOptions, commands, with_options
from apigap.cli.options import (
    CutoffModelOption,
    CutoffOption,
    JsonOption,
    LibrariesOption,
    MaybeLibraryArgument,
    NewOption,
    OldOption,
    tasks_file,
    words_of,
)
from apigap.cli.stages.items_of_many import FOLDER, ItemsOfMany, file_of
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from apigap.ladder.make import ItemsReport


@with_options
def items(
    library: MaybeLibraryArgument = None,
    libraries: LibrariesOption = None,
    old: OldOption = None,
    new: NewOption = None,
    model: CutoffModelOption = None,
    cutoff: CutoffOption = None,
    most: Annotated[
        int, typer.Option("--most", min=0, help="New APIs to ask about at most, first what matters most (0: all).")
    ] = 40,
    tasks: Annotated[
        Path | None,
        typer.Option(
            "--tasks",
            callback=tasks_file,
            help="Only the APIs of a tasks file (`starter/2026.11/numpy`), between its two releases.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of every draw.")] = 0,
    rungs: Annotated[
        list[str] | None,
        typer.Option(
            "--rungs",
            autocompletion=values.several(values.one_of(("exists", "signature", "effect", "call"))),
            help="exists,signature,effect,call (the default), or some of them.",
        ),
    ] = None,
    static: Annotated[
        bool, typer.Option("--static", help="Read both versions as text; nothing is installed or run.")
    ] = False,
    out: Annotated[Path | None, typer.Option("--out", help="JSONL file for the items.")] = None,
    *,
    machine: ReleaseOptions,
    json_: JsonOption = False,
) -> None:
    """Write items of the ladder: questions on the new APIs of LIBRARY, and on an unchanged one like each of them."""
    from apigap.api.items import items
    from apigap.records.questions.ladder import RUNGS
    from apigap.stages.on_nodes import raise_failed

    only: frozenset[str] = frozenset()
    if tasks is not None:
        library, old, new, only = _of_tasks(tasks, library, old, new)
        most = 0
    settings = machine.settings(cutoff=cutoff)
    if libraries:
        if library or old or new or out:
            raise UsageError(
                f"--library is for several, into {FOLDER}: leave out LIBRARY, --tasks, --old, --new, --out"
            )
        many = ItemsOfMany(model, most, seed, tuple(words_of(rungs) or RUNGS), static, settings, machine.unsafe_local)
        reports, failed = many.make(libraries, machine.engine)
        if json_:
            print_json([{**one.model_dump(mode="json"), "file": str(file_of(name))} for name, one in reports.items()])
        for name, report in () if json_ else reports.items():
            show(report)
            print(f"Items: {file_of(name)}")
        raise_failed(failed, len(libraries))
        return
    if library is None:
        raise UsageError("name a LIBRARY, or --library for each of several, or give its --tasks")
    path = out or file_of(library)
    report = items(
        library, out=path, old=old, new=new, model=model, most=most, only=only, seed=seed,
        rungs=words_of(rungs) or RUNGS, static=static, settings=settings, unsafe_local=machine.unsafe_local,
    )  # fmt: skip
    if json_:
        print_json({**report.model_dump(mode="json"), "file": str(path)})
        return
    show(report)
    print(f"Items: {path}; next: apigap predict items --items {path} -m MODEL --out F")


def _of_tasks(
    tasks: Path, library: str | None, old: str | None, new: str | None
) -> tuple[str, str | None, str, frozenset[str]]:
    """The library, its two releases and the APIs of a tasks file.

    Raises:
        UsageError: when the file has tasks of several releases, or others are named beside it.
    """
    from apigap.tasks.task_files import load_tasks

    found = load_tasks(tasks)
    releases = {(task.library, task.old_version, task.version) for task in found}
    if len(releases) > 1:
        raise UsageError(f"{tasks} has tasks of {len(releases)} releases; items are of one: give a library's tasks")
    ((name, before, after),) = releases
    if library not in (None, name) or old not in (None, before) or new not in (None, after):
        raise UsageError(f"the tasks are of {name} {before} -> {after}; leave out LIBRARY, --old and --new")
    return name, before, after, frozenset(api for task in found for api in task.apis)


def show(report: "ItemsReport") -> None:
    """Print what was made, what was lost and why, and how alike new APIs and their controls are."""
    title = f"{report.library} {report.old_version} -> {report.new_version}"
    rows = [
        [one.rung, f"{one.asked} of {one.of}", str(one.controls), str(one.pairs), str(one.twins)]
        for one in report.yields
    ]
    print_table(
        f"{title}: APIs with items", ("rung", "new APIs", "controls", "both of a pair", "twins of new APIs"), rows
    )
    rows = [[str(len(one.apis)), one.rung or "all", one.reason, ", ".join(one.apis[:3])] for one in report.losses]
    if rows:
        print_table("What is not asked, and why", ("APIs", "rung", "reason", "such as"), rows)
    rows = [
        [b.covariate, f"{b.new:.2f}", f"{b.control:.2f}", "-" if b.difference is None else f"{b.difference:+.2f}"]
        for b in report.balance
    ]
    if rows:
        print_table(
            f"How alike they are: {report.pairs} pairs, controls unchanged since {report.steady_since}",
            ("what", "new", "control", "difference (in standard deviations)"),
            rows,
        )
    for note in report.notes:
        print(f"note: {note}")
    print(f"{report.chosen} of {report.candidates} candidates; controls chosen from {report.pool} unchanged APIs")


register = commands(items)
