"""Scoring and calibration of a tasks file: `apigap score`, `apigap calibrate`."""

from pathlib import Path
from typing import Annotated

import typer

from apigap.cli.options import JsonOption, UnsafeOption

TasksOption = Annotated[Path, typer.Option("--tasks", help="A stage3_tasks or stage4_filtered file.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `app`."""
    score = typer.Typer(help="Judge predictions from any source.", no_args_is_help=True)
    score.command("novelapi")(score_novelapi)
    app.add_typer(score, name="score")
    calibrate = typer.Typer(help="Prove a scorer before any model is asked.", no_args_is_help=True)
    calibrate.command("novelapi")(calibrate_novelapi)
    app.add_typer(calibrate, name="calibrate")


def score_novelapi(
    tasks: TasksOption,
    predictions: Annotated[Path, typer.Option("--predictions", help='JSONL of {"task_id", "samples"}.')],
    out: Annotated[Path, typer.Option("--out", help="JSONL file for the results.")],
    workers: Annotated[int, typer.Option("--workers", min=1, help="Programs at a time.")] = 2,
    json_: JsonOption = False,
    unsafe_local: UnsafeOption = False,
) -> None:
    """Judge the answers in PREDICTIONS to the tasks in TASKS."""
    from apigap.cli.console import Console, print_json
    from apigap.execution.engine import Engine
    from apigap.pipeline.score import score_file

    with Console() as console, Engine(workers, unsafe_local=unsafe_local) as engine:
        summary = score_file(tasks, predictions, out, engine, console)
    if json_:
        print_json(summary)
        return
    passed = "-" if summary["pass_at_1"] is None else f"{summary['pass_at_1']:.1%}"
    print(f"pass@1 {passed} over {summary['n_tasks']} tasks; outcomes {summary['outcomes']}")
    if summary["missing"]:
        print(f"{len(summary['missing'])} more tasks have no answer and are not in pass@1: {summary['missing'][:5]}")


def calibrate_novelapi(tasks: TasksOption, json_: JsonOption = False, unsafe_local: UnsafeOption = False) -> None:
    """Check that the reference of every task passes, and that nothing, a no-op and an early exit do not."""
    from apigap.cli.console import Console, print_json
    from apigap.execution.engine import Engine
    from apigap.pipeline.score import calibrate_file
    from apigap.records.errors import CheckFailed

    with Console() as console, Engine(unsafe_local=unsafe_local) as engine:
        wrong, probes = calibrate_file(tasks, engine, console)
    if json_:
        print_json({"probes": probes, "wrong": wrong})
    else:
        print(f"{probes - len(wrong)} of {probes} probes got the score that they must")
    if wrong:
        raise CheckFailed(f"{len(wrong)} of {probes} probes got another score than they must, first: {wrong[0]}")
