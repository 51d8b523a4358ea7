"""`make soak`: thousands of samples through one engine, and the same answers again and again, idle and at full load.

Exits 1 when a verdict is wrong, lost or differs between repeats, when a process is left, or when memory grows.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from apigap.packages.workshop import environment_store
from apigap.records.errors import ApigapError, CheckFailed
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from bench.answers import GOLD, MIXED, POISONS, WRONG, Answer
from bench.leaks import descriptors, groups_left, marked, processes_left, resident_mib
from bench.steadiness import busy_cores, told
from bench.workloads import WORKLOADS

_BATCH = 1_000
_MAY_GROW = 20.0  # MiB, after the first two batches
_WORKLOAD = next(workload for workload in WORKLOADS if workload.name == "numpy")


def run(
    samples: Annotated[int, typer.Option(min=0, help="Samples of the long run.")] = 10_000,
    poison: Annotated[int, typer.Option(min=0, help="Each so many samples one that goes for the others.")] = 100,
    repeats: Annotated[int, typer.Option(min=0, help="Repeats of the frozen answers.")] = 100,
    loaded: Annotated[int, typer.Option(min=0, help="Repeats beside a busy process per core.")] = 10,
    workers: Annotated[int, typer.Option(min=1)] = 2,
    json_: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file too.")] = None,
) -> None:
    """Run everything and check it."""
    figures: dict[str, Any] = {"evaluator": evaluator_hash(), "workers": workers}
    problems: list[str] = []
    limits = marked(Limits(cpu_seconds=1, wall_seconds=5.0, memory=512 * MIB))
    with Engine(workers, limits) as engine:
        environment = environment_store(engine).get(_WORKLOAD.library, _WORKLOAD.version)
        task = _WORKLOAD.task(engine, environment)
        figures["long"] = _long_run(engine, environment, task, _samples(samples, poison), problems)
        idle = _repeated(engine, environment, task, repeats, problems)
        with busy_cores():
            busy = _repeated(engine, environment, task, loaded, problems)
    changed = [name for name in idle if name in busy and idle[name] != busy[name]]
    problems += [f"{name}: another verdict at full load: {busy[name]} instead of {idle[name]}" for name in changed]
    left = {"processes": processes_left(limits), "groups": groups_left()}
    problems += [f"{count} {what} left" for what, count in left.items() if count]
    figures |= {"answers": len(idle), "repeats": repeats, "repeats at full load": loaded, "left": left}
    figures["problems"] = problems
    print(json.dumps(figures, indent=2))
    if json_ is not None:
        json_.write_text(json.dumps(figures, indent=2) + "\n")
    if problems:
        raise CheckFailed(f"{len(problems)} problems, first: {problems[0]}")


def _samples(count: int, poison: int) -> list[Answer]:
    """The mixed answers in turn; every `poison`-th is one of those that go for the others, in turn as well."""
    mixed = [MIXED[number % len(MIXED)] for number in range(count)]
    for turn, number in enumerate(range(poison // 2, count, poison) if poison else ()):
        mixed[number] = POISONS[turn % len(POISONS)]
    return mixed


def _long_run(
    engine: Engine, environment: Environment, task: Task, answers: Sequence[Answer], problems: list[str]
) -> dict[str, Any]:
    samples = len(answers)
    outcomes: Counter[str] = Counter()
    memory: list[float] = []
    started = time.monotonic()
    for first in range(0, samples, _BATCH):
        batch = answers[first : first + _BATCH]
        verdicts = _judge(engine, environment, task, batch)
        outcomes.update(verdict.outcome for verdict in verdicts)
        problems += _wrong(batch, verdicts)
        memory.append(round(resident_mib(), 1))
        rate = (first + len(batch)) / (time.monotonic() - started)
        _note(f"{first + len(batch)} samples, {rate:.1f} a second, {memory[-1]} MiB, {descriptors()} descriptors")
    if len(memory) > 2 and memory[-1] - memory[1] > _MAY_GROW:
        problems.append(f"memory grew from {memory[1]} to {memory[-1]} MiB")
    if sum(outcomes.values()) != samples:
        problems.append(f"{samples - sum(outcomes.values())} results lost")
    seconds = round(time.monotonic() - started, 1)
    return {"samples": samples, "seconds": seconds, "outcomes": dict(outcomes), "memory_mib": memory}


def _repeated(
    engine: Engine, environment: Environment, task: Task, repeats: int, problems: list[str]
) -> dict[str, str]:
    """The verdict on each frozen answer, which must be the same every time."""
    known: dict[str, str] = {}
    answers = (GOLD, *WRONG)
    for repeat in range(repeats):
        verdicts = _judge(engine, environment, task, answers)
        problems += _wrong(answers, verdicts)
        for answer, verdict in zip(answers, verdicts, strict=True):
            said = told(verdict)
            if known.setdefault(answer.name, said) != said:
                problems.append(f"{answer.name}: {said} in repeat {repeat}, {known[answer.name]} before")
        if (repeat + 1) % 10 == 0:
            _note(f"{repeat + 1} of {repeats} repeats, {len(problems)} problems")
    return known


def _judge(engine: Engine, environment: Environment, task: Task, answers: Sequence[Answer]) -> list[Verdict]:
    trials = [Trial(task, answer.code) for answer in answers]
    return judge_trials(engine, environment, trials, preload=_WORKLOAD.preload)


def _wrong(answers: Sequence[Answer], verdicts: Sequence[Verdict]) -> list[str]:
    return [
        f"{answer.name}: {verdict.outcome} instead of {answer.outcome}: {verdict.detail['reason']}"
        for answer, verdict in zip(answers, verdicts, strict=True)
        if verdict.outcome != answer.outcome and (answer.outcome is not None or verdict.outcome == "infra")
    ]


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        typer.run(run)
    except ApigapError as error:
        print(f"soak: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
