"""`apigap starter`: build the starter benchmark from its sources, count what is in it, make its bundles."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.console import Console, print_json, print_rows, print_table
from apigap.cli.option_groups import EngineOptions, commands, group, with_options
from apigap.cli.options import EditionOption, JsonOption, LibrariesOption
from apigap.records.errors import CheckFailed, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.starter.bundles import StarterBundles

_COLUMNS = ("edition", "library", "apis", "tasks", "easy", "medium", "hard", "added", "modified")


@with_options
def build(
    sources: Annotated[list[Path], typer.Argument(help="TOML files of written tasks (starter/EDITION/LIBRARY.toml).")],
    out: Annotated[Path | None, typer.Option("--out", help="Folder for LIBRARY.jsonl; default: only check.")] = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Run every reference, check every task, and write those that hold; exit 1 where one does not."""
    from apigap.records.store import existing_file
    from apigap.starter.files import build as build_source
    from apigap.starter.files import counts

    problems: list[str] = []
    rows: list[dict[str, object]] = []
    with Console() as console, machine.engine(machine.settings()) as engine:
        for source in (existing_file(path, "a TOML file of written tasks") for path in sources):
            made = build_source(source, engine, console, out and out / f"{source.stem}.jsonl")
            problems += [f"{source}: {problem}" for problem in made.problems]
            rows += counts(source.parent.name, made.tasks)
    _show(json_, {"libraries": rows, "problems": problems}, rows)
    if not json_:
        print("\n".join(problems))
    if problems:
        raise CheckFailed(f"{len(problems)} written tasks do not hold, first: {problems[0]}")


def show(json_: JsonOption = False) -> None:
    """Count the tasks and APIs of each kind that every edition of the starter benchmark holds."""
    from apigap.starter.files import counts
    from apigap.tasks.starter_files import editions, starter_files
    from apigap.tasks.task_files import load_tasks

    found = {name: [task for path in starter_files(name) for task in load_tasks(path)] for name in editions()}
    rows = [row for name, tasks in found.items() for row in counts(name, tasks)]
    _show(json_, rows, rows)


def _show(as_json: bool, value: object, rows: list[dict[str, object]]) -> None:
    table: list[dict[str, object]] = []
    for edition in dict.fromkeys(str(row["edition"]) for row in rows):
        own = [row for row in rows if row["edition"] == edition]
        total = {name: sum(int(str(row[name])) for row in own) for name in _COLUMNS[2:]}
        table += own
        if len(own) > 1:
            table.append({"edition": edition, "library": "all", **total})
    print_rows(as_json, value, "Starter benchmark", _COLUMNS, [[row[name] for name in _COLUMNS] for row in table])


@with_options
def bundles(
    library: LibrariesOption = None,
    edition: EditionOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for LIBRARY.jsonl; default: `bundles/EDITION` in the cache.")
    ] = None,
    lock: Annotated[
        bool, typer.Option("--lock", help="Write the hashes into the lock instead of comparing them with it.")
    ] = False,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """Make the knowledge bundles of the benchmark's APIs; exit 1 where they are not those that this apigap locked."""
    from apigap.records.configuration import load_settings
    from apigap.starter.bundles import make_bundles, write_lock
    from apigap.tasks.starter_files import chosen_files

    settings = machine.settings()
    if settings.knowledge != load_settings().knowledge and (lock or out is None):
        raise UsageError(
            "bundles by other settings than the lock's are no part of the benchmark; give them a folder of their own "
            "with --out, and name its files with --knowledge where they are to be used"
        )
    made: list[StarterBundles] = []
    with Console() as console, machine.engine(settings) as engine:
        for path in chosen_files(library or (), edition):
            one = make_bundles(path, settings, engine, console, out)
            if lock:
                one = write_lock(one)
            made.append(one)
            console.note(f"{one.path}: {len(one.bundles)} bundles")
    if json_:
        print_json([_told(one) for one in made])
    else:
        _show_bundles(made)
    if not lock and settings.knowledge == load_settings().knowledge:
        compare(made)


@with_options
def sisters(
    library: LibrariesOption = None,
    edition: EditionOption = None,
    *,
    machine: EngineOptions,
    json_: JsonOption = False,
) -> None:
    """List the APIs that changed like a task's target, and those of them with which its reference is right as well."""
    from apigap.starter.sisters import sisters_of
    from apigap.tasks.starter_files import chosen_files

    with Console() as console, machine.engine(machine.settings()) as engine:
        files = chosen_files(library or (), edition)
        found = [(path.stem, one) for path in files for one in sisters_of(path, engine, console)]
    rows: list[dict[str, object]] = [
        {
            "library": name, "task": one.task.task_id, "api": one.task.api_name, "alike": one.alike,
            "fitting": one.fitting, "accepted": one.accepted,
        }
        for name, one in found
    ]  # fmt: skip
    columns = ("library", "task", "api", "fitting", "accepted")
    shown = [
        [name, one.task.task_id, one.task.api_name, ", ".join(one.fitting), ", ".join(one.accepted)]
        for name, one in found
        if one.fitting or one.accepted
    ]
    print_rows(json_, rows, "Further targets", columns, shown)


def _told(one: "StarterBundles") -> dict[str, object]:
    return {
        "library": one.release.library,
        "version": one.release.version,
        "bundles": len(one.bundles),
        "whole": sum(not bundle.missing for bundle in one.bundles),
        "executed": sum(any(e.status == "executed" for e in bundle.exemplars) for bundle in one.bundles),
        "without": list(one.without),
        "shared": list(one.shared),
        "differing": list(one.differing),
        "file": str(one.path),
    }


def _show_bundles(made: "Sequence[StarterBundles]") -> None:
    columns = ("library", "version", "bundles", "whole", "executed")
    rows = [[*(_told(one)[name] for name in columns), len(one.differing)] for one in made]
    print_table("Bundles of the starter benchmark", (*columns, "differing"), rows)
    for one in made:
        lines = [*(f"no bundle: {name}" for name in one.without), *one.shared]
        print("\n".join(lines), end="\n" if one.without else "")
    shared = sum(len(one.shared) for one in made)
    print(f"{shared} statements of solutions are in exemplars" if shared else "no exemplar holds a task's solution")


def compare(made: "Sequence[StarterBundles]") -> None:
    """Fail where the code that made the lock gives other bundles now; what other code made is told to differ."""
    same = [name for one in made if not one.is_of_other_code for name in one.differing]
    other = [name for one in made if one.is_of_other_code for name in one.differing]
    if other:
        told = f"{len(other)} bundles are not those of the lock, which an earlier apigap made: {', '.join(other)}"
        print(f"{told}; answers that were kept before may have been asked with others", file=sys.stderr)
    if same:
        raise CheckFailed(f"{len(same)} bundles are not those of the lock: {', '.join(same)}")


_HELP = "The starter benchmark: build it, count what is in it, make its bundles."
register = commands(group("starter", _HELP, build, show, bundles, sisters))
