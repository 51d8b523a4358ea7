"""`make bench ARGS=--ray`: what a cluster costs beside one machine, and what one scheduler carries; figures as JSON."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from apigap.packages.workshop import environment_store
from apigap.records.base import Json
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.sandbox.verdict.trials import Trial
from bench.cluster.carried import Carried, carried
from bench.cluster.side_by_side import overhead, scaling, some_verdicts
from bench.workloads import WORKLOADS

NUMPY = next(workload for workload in WORKLOADS if workload.name == "numpy")
PARTS = ("overhead", "scaling", "carried")


def run(
    samples: Annotated[int, typer.Option(min=40, help="Samples per repeat of what is judged.")] = 500,
    repeats: Annotated[int, typer.Option(min=2, help="Repeats, in which the ways take turns.")] = 20,
    workers: Annotated[int, typer.Option(min=1, help="Programs at a time, beside one node.")] = 2,
    simulated: Annotated[int, typer.Option(min=1000, help="Samples that are carried and not judged.")] = 1_000_000,
    part: Annotated[list[str] | None, typer.Option(help=f"One of {', '.join(PARTS)}; may be repeated.")] = None,
    json_: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file.")] = None,
) -> None:
    """Time one node beside the local engine, two nodes beside one, and a million samples that nobody judges."""
    chosen = part or PARTS
    figures: dict[str, Json] = {"evaluator": evaluator_hash(), "processors": os.cpu_count()}
    if "overhead" in chosen:
        figures["overhead"] = overhead(NUMPY, samples, repeats, workers, _note).model_dump()
    if "scaling" in chosen:
        figures["scaling"] = scaling(NUMPY, samples, repeats, _note).model_dump()
    if "carried" in chosen:
        verdicts, seconds = some_verdicts(NUMPY)
        with Engine(1) as engine:
            environment = environment_store(engine).get(NUMPY.library, NUMPY.version)
            task = NUMPY.task(engine, environment)
            trials = [Trial(task, f"{NUMPY.answer}# {number}\n") for number in range(simulated)]
            found = carried(engine, environment, trials, verdicts, nodes=2)
        figures["carried"] = {**found.model_dump(), **_told(found, seconds)}
    print(json.dumps(figures, indent=2))
    if json_ is not None:
        json_.write_text(json.dumps(figures, indent=2) + "\n")


def _told(found: Carried, judged: float) -> dict[str, Json]:
    """What follows: how many cores keep one scheduler busy, if a core takes `judged` seconds for a sample."""
    return {
        "microseconds of the scheduler's processor per sample": round(found.microseconds, 1),
        "seconds of a core per judged sample": round(judged, 4),
        "samples per second that it carries": round(1e6 / found.microseconds),
        "cores that keep it busy": round(judged * 1e6 / found.microseconds),
    }


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    typer.run(run)
