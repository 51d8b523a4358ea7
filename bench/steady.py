"""`make steady TASKS=F`: every task of a file judged warm and cold, idle and at full load, again and again.

Exits 1 when any verdict differs in anything that people or tables read.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.benchmarks.task_environment import Home
from apigap.records.errors import ApigapError, CheckFailed
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.mutants import omitted_arguments
from apigap.tasks.starter_files import tasks_path
from apigap.tasks.task_files import load_tasks
from bench.steadiness import busy_cores, told


def run(
    tasks: Annotated[Path, typer.Argument(help="A tasks file, `starter` or `starter/LIBRARY`.")],
    repeats: Annotated[int, typer.Option(min=1, help="Runs in each way; the cold one is always done once.")] = 3,
    workers: Annotated[int, typer.Option(min=1)] = 2,
    mutants: Annotated[int, typer.Option(min=0, help="Wrong answers per task, beside the one that does nothing.")] = 2,
) -> None:
    """Judge the reference, an answer that does nothing and mutants of each task in every way, and compare."""
    loaded = load_tasks(tasks_path(tasks))
    with Engine(workers) as engine:
        homes = homes_of(loaded, engine)
    trials = [Trial(task, code) for task in loaded for code in _answers(task, mutants)]
    differing: list[str] = []
    known: list[str] = []
    for way, number in _ways(repeats):
        with Engine(workers, cold=way == "cold") as engine:
            if way == "busy":
                with busy_cores():
                    said = _judged(engine, homes, trials)
            else:
                said = _judged(engine, homes, trials)
        known = known or said
        found = [
            f"{trial.task.task_id} {way} {number}: {now} instead of {before}"
            for trial, before, now in zip(trials, known, said, strict=True)
            if before != now
        ]
        differing += found
        print(f"{way} {number}: {len(found)} of {len(trials)} verdicts differ", *found[:1], file=sys.stderr, flush=True)
    figures = {"evaluator": evaluator_hash(), "tasks": len(loaded), "answers": len(trials), "differ": differing}
    print(json.dumps(figures, indent=2))
    if differing:
        raise CheckFailed(f"{len(differing)} verdicts differ, first: {differing[0]}")


def _ways(repeats: int) -> Iterator[tuple[str, int]]:
    for number in range(repeats):
        yield "idle", number + 1
        yield "busy", number + 1
    yield "cold", 1


def _answers(task: Task, wrong: int) -> list[str]:
    leaf = task.api_name.rpartition(".")[2]
    mutants = [code for _, code in omitted_arguments(task.masked_region, leaf)]
    return [task.masked_region, f"{task.masked_region}\n# in other words", "pass", *mutants[:wrong]]


def _judged(engine: Engine, homes: Mapping[tuple[str, str], Home], trials: Sequence[Trial]) -> list[str]:
    said: dict[int, str] = {}
    for key, home in homes.items():
        numbers = [n for n, trial in enumerate(trials) if (trial.task.library, trial.task.version) == key]
        verdicts = judge_trials(engine, home.environment, [trials[n] for n in numbers], preload=home.preload)
        said.update(zip(numbers, map(told, verdicts), strict=True))
    return [said[number] for number in range(len(trials))]


if __name__ == "__main__":
    try:
        typer.run(run)
    except ApigapError as error:
        print(f"steady: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
