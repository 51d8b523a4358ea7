"""`apigap group`: gather the tasks of several libraries, divided for training and test."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from apigap.cli.completion import values
from apigap.cli.console import print_json, print_result, print_rows
from apigap.cli.option_groups import commands, group
from apigap.cli.options import DATA, DEFAULT_MODEL, DataOption, JsonOption, KnowledgeOption, OwnTasksOption
from apigap.records.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apigap.experiments.groups import BuiltGroup


def list_(json_: JsonOption = False) -> None:
    """Show the groups that are known, with their libraries."""
    from apigap.experiments.group_config import find_group, group_names

    groups = [find_group(name) for name in group_names()]
    rows = [[group.name, group.split, ", ".join(group.libraries)] for group in groups]
    told = [group.model_dump(mode="json") for group in groups]
    print_rows(json_, told, "Groups", ("group", "split", "libraries"), rows)


def add(
    name: Annotated[str, typer.Argument(help="The name of the new group.")],
    libraries: Annotated[list[str], typer.Argument(autocompletion=values.libraries, help="Its libraries.")],
    held_out: Annotated[
        list[str] | None,
        typer.Option(
            "--held-out", autocompletion=values.libraries, help="A library that is kept for the test; may be repeated."
        ),
    ] = None,
    train_share: Annotated[
        float | None, typer.Option("--train-share", help="Divide by API: this share of each library's is for training.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Write a group of your own to configs/groups."""
    from apigap.experiments.group_config import GroupConfig, write_group

    if held_out and train_share:
        raise UsageError("a group is divided by library (--held-out) or by API (--train-share), not by both")
    if train_share is not None and not 0 < train_share < 1:
        raise UsageError(f"--train-share {train_share} is not between 0 and 1; the published one is 0.8")
    split = "held_out" if held_out else "api" if train_share else "none"
    own, kept, share = tuple(libraries), tuple(held_out or ()), train_share or 0.8
    config = GroupConfig(name=name, libraries=own, split=split, held_out=kept, train_share=share)
    path = write_group(config)
    print_result(json_, {"file": str(path), **config.model_dump(mode="json")}, str(path))


def build(
    group: Annotated[
        str | None, typer.Argument(autocompletion=values.groups, help="A group of `apigap group list`.")
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model", "-m", autocompletion=values.models, help="The model whose tasks are gathered; may be repeated."
        ),
    ] = None,
    paper_grid: Annotated[
        bool, typer.Option("--paper-grid", help="All groups for all backbones (or --model), with their experiments.")
    ] = False,
    tasks: OwnTasksOption = None,
    knowledge: KnowledgeOption = None,
    data: DataOption = DATA,
    json_: JsonOption = False,
) -> None:
    """Gather a group's tasks and bundles for a model into processed/groups."""
    if paper_grid:
        if group:
            raise UsageError("--paper-grid builds all groups: name none of them")
        _build_grid(model or (), tasks, knowledge or (), data, json_)
    elif group is None:
        raise UsageError("name a GROUP, or give --paper-grid; see `apigap group list`")
    else:
        for name in model or [DEFAULT_MODEL]:
            _show(_build(group, name, tasks, knowledge or (), data), json_)


def _build(group: str, model: str, tasks: Path | None, knowledge: "Sequence[Path]", root: Path) -> "BuiltGroup":
    from apigap.experiments.group_config import find_group
    from apigap.experiments.groups import build_group, group_of_tasks
    from apigap.knowledge.bundle_files import read_bundles
    from apigap.tasks.task_files import load_tasks

    config = find_group(group)
    if tasks is None:
        return build_group(config, model, root)
    found = load_tasks(tasks)
    return group_of_tasks(config, model, root, found, read_bundles(knowledge, found))


def _build_grid(
    models: "Sequence[str]", tasks: Path | None, knowledge: "Sequence[Path]", root: Path, as_json: bool
) -> None:
    """Every group for every model; where the libraries have no tasks yet, the experiment is written all the same."""
    from apigap.experiments.named import paper_grid, write_spec

    rows: list[dict[str, object]] = []
    for spec in paper_grid(models):
        row: dict[str, object] = {"experiment": spec.experiment, "file": str(write_spec(spec)), "train": 0, "test": 0}
        try:
            counts = _build(spec.group, spec.model, tasks, knowledge, root).counts
            left = counts.given - counts.tasks
            row |= {"train": counts.train, "test": counts.test, "left_out": counts.left_out}
            summary = f"{counts.train} tasks for training, {counts.test} for the test, {left} left out"
        except UsageError as error:
            summary = row["without"] = str(error)
        rows.append(row)
        if not as_json:
            print(f"{row['file']}: {summary}")
    if as_json:
        print_json(rows)
    if all("without" in row for row in rows):
        raise UsageError(f"{len(rows)} experiments are written, but no group has tasks: {rows[0]['without']}")


def _show(built: "BuiltGroup", as_json: bool) -> None:
    from apigap.experiments.groups import NO_BUNDLE, told_left_out

    counts = built.counts
    advice = ["give their bundles with --knowledge; `apigap extract` and `apigap starter bundles` make such"]
    print_result(
        as_json,
        {"folder": str(built.folder), **counts.model_dump(mode="json")},
        f"{built.folder}: {counts.tasks} of {counts.given} tasks, on {counts.apis} APIs",
        f"for training {counts.train}, for the test {counts.test}",
        *(f"  {library}: {count}" for library, count in counts.libraries.items()),
        *(f"  {library}: none: {why}" for library, why in built.without.items()),
        *told_left_out(built.left_out),
        *(advice if NO_BUNDLE in built.left_out else ()),
    )


register = commands(group("group", "Groups of libraries that are studied together.", list_, add, build))
