"""`apigap horizon` and `apigap scale`: what results on items say of a model, and of several."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.console import figure, print_json, print_table
from apigap.cli.option_groups import commands
from apigap.cli.options import JsonOption
from apigap.records.errors import UsageError
from apigap.records.store import existing_file


def _item_files(paths: list[Path]) -> list[Path]:
    return [existing_file(path, "a file that `apigap items` wrote, with --items") for path in paths]


def _result_files(given: Path | list[Path]) -> Path | list[Path]:
    wanted = "a results file of `apigap score items`"
    return [existing_file(path, wanted) for path in given] if isinstance(given, list) else existing_file(given, wanted)


ItemFilesOption = Annotated[
    list[Path],
    typer.Option("--items", callback=_item_files, help="Files that `apigap items` wrote; may be repeated."),
]


def horizon(
    results: Annotated[
        Path, typer.Argument(callback=_result_files, help="Results of `apigap score items`, of one model.")
    ],
    items: ItemFilesOption,
    json_: JsonOption = False,
) -> None:
    """Measure up to when a model knows new APIs: the day on which its knowledge falls halfway to none."""
    from apigap.analysis.ladder import JudgedItems, horizons

    found = horizons(JudgedItems.of(items, results))
    if json_:
        print_json([one.model_dump(mode="json") for one in found])
        return
    for one in found:
        rows = [[p.quarter, figure(p.rate), f"{p.low:.2f} to {p.high:.2f}", p.apis] for p in one.quarters]
        if rows:
            title = f"{one.measure}, by quarter of first appearance"
            print_table(title, ("quarter", "rate", "95 % interval", "APIs"), rows)
        if one.day is None:
            print(f"{one.measure}: no horizon: {one.reason}")
        else:
            low, high = one.low or "before all dates", one.high or "after all dates"
            print(f"{one.measure}: horizon {one.day} ({low} to {high}), {one.apis} APIs, {one.libraries} libraries")


def scale(
    results: Annotated[
        list[Path],
        typer.Argument(callback=_result_files, help="Results of `apigap score items`, a file for each model."),
    ],
    items: ItemFilesOption,
    json_: JsonOption = False,
) -> None:
    """Put models and items on one scale, and list the items that do not fit it."""
    from apigap.analysis.ladder import JudgedItems, one_scale

    if len({path.name for path in results}) < len(results):
        raise UsageError("two files of results have the same name, and models go by those; rename one")
    judged = {path.name.removesuffix(".jsonl"): JudgedItems.of(items, path) for path in results}
    found = one_scale(judged)
    if json_:
        print_json({**asdict(found), "misfits": [one.item for one in found.misfits]})
        return
    if found.reason is not None:
        print(f"no scale: {found.reason}")
        return
    rows = [
        [one.person, f"{one.estimate:+.2f}", f"{figure(one.low, '+.2f')} to {figure(one.high, '+.2f')}", one.answered]
        for one in found.abilities
    ]
    print_table("Abilities, in logits", ("model", "ability", "95 % interval", "items"), rows)
    questions = {item.task_id: item.question for one in judged.values() for item in one.items}
    for one in found.misfits:
        print(f"does not fit: {one.item} {questions[one.item]}")


register = commands(horizon, scale)
