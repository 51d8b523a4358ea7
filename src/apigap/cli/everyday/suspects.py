"""`apigap suspects`: answers that a person should look at."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.console import print_beside, print_json
from apigap.cli.option_groups import commands
from apigap.cli.options import AnsweredTasksOption, JsonOption
from apigap.records.errors import UsageError


def suspects(
    folder: Annotated[Path | None, typer.Argument(help="The data folder of an audit.")] = None,
    tasks: AnsweredTasksOption = None,
    results: Annotated[
        Path | None, typer.Option("--results", help="Results of `apigap score`, with --tasks, in the place of FOLDER.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Show suspect answers beside the references: right values, but evidence that they do not come from the API."""
    from apigap.benchmarks.novelapi.suspects import suspects_of_files, suspects_of_run

    if folder is not None and (tasks or results):
        raise UsageError("the data folder of an audit has its own tasks and results: leave --tasks and --results out")
    if folder is not None:
        found = suspects_of_run(folder)
    elif tasks and results:
        found = suspects_of_files(tasks, results, str(results))
    else:
        raise UsageError("give the data folder of an audit, or both --tasks and --results")
    if json_:
        print_json([asdict(suspect) for suspect in found])
        return
    for suspect in found:
        evidence = [f"{kind}: {what}" for kind, what in suspect.dependence.items()]
        title = f"{suspect.api_name}  {suspect.where}  task {suspect.task_id}, sample {suspect.sample}"
        print_beside(title, [suspect.reason, *evidence], ("reference", suspect.reference), ("answer", suspect.answer))
    print(f"{len(found)} suspect answers")


register = commands(suspects)
