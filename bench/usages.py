"""`make usages USAGES="F LIBRARY VERSION"`: usages of a release run warm and cold, and all that came out compared.

Exits 1 when a run ends otherwise. Meant for libraries whose import starts threads, which a warm program does not have.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.discovery.parts import source_tree_of
from apigap.knowledge.usages.harvest import harvest
from apigap.knowledge.usages.usage import program_of
from apigap.knowledge.usages.verify import ApiUsages
from apigap.packages.index import release
from apigap.packages.workshop import environment_store
from apigap.records.errors import ApigapError, CheckFailed
from apigap.records.run import Program, RunRecord
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_MEASURED = ("seconds", "cpu_seconds", "idle_seconds")


def run(
    usages: Annotated[Path, typer.Argument(help="The stage2_usages file of a library.")],
    library: Annotated[str, typer.Argument()],
    version: Annotated[str, typer.Argument()],
    number: Annotated[int, typer.Option(min=1, help="Usages, taken evenly from the file.")] = 200,
    workers: Annotated[int, typer.Option(min=1)] = 2,
    python: Annotated[str | None, typer.Option(help="Python of the environment, as 3.11.")] = None,
    upstream: Annotated[bool, typer.Option(help="Upstream's own usages, also those that fail.")] = False,
) -> None:
    """Run each usage in both ways; the same program a third time, warm, tells what differs from run to run anyway."""
    found = load_records(usages, ApiUsages)
    with Engine(workers) as engine:
        environment = environment_at(library, version, environment_store(engine), python)
        programs = _upstream(found, environment, number) if upstream else _programs(found, number)
        preload = preload_of([api.api_name for api in found], environment, engine)
        warm, took = _told(engine, environment, programs, preload)
        again, _ = _told(engine, environment, programs, preload)
    with Engine(workers, cold=True) as engine:
        cold, took_cold = _told(engine, environment, programs, preload)
    unsteady = [place for place, told in enumerate(warm) if told != again[place]]
    differ = [place for place, told in enumerate(warm) if told != cold[place] and place not in unsteady]
    ends = Counter(str(end["exception"]["type"] if end["exception"] else end["status"]) for end in warm)
    figures = {
        "programs": len(programs), "ends": dict(ends.most_common()),
        "differ": [programs[place].completion for place in differ], "unsteady": len(unsteady),
        "warm": took, "cold": took_cold,
    }  # fmt: skip
    print(json.dumps(figures, indent=2))
    if differ:
        raise CheckFailed(f"{len(differ)} of {len(programs)} programs end otherwise cold than warm")


def _programs(found: Sequence[ApiUsages], number: int) -> list[Program]:
    """The programs of up to `number` usages, also unverified ones, each by itself and with its API watched."""
    pairs = [(api.api_name, one.usage) for api in found for one in (*api.shown, *api.usages, *api.unverified)]
    chosen = pairs[:: max(1, len(pairs) // number)][:number]
    return [program_of(usage, target) for name, usage in chosen for target in (None, name)]


def _upstream(found: Sequence[ApiUsages], environment: Environment, number: int) -> list[Program]:
    """The programs of up to `number` usages in documents and tests about these APIs, each by itself."""
    names = [api.api_name.split(".") for api in found]
    leaves, words = frozenset(name[-1] for name in names), frozenset(part for name in names for part in name[-2:])
    modules = modules_of(environment.library, environment.site_packages).tops
    tree = source_tree_of(release(environment.library, environment.version))
    pool = harvest(environment.site_packages, modules, tree, leaves, words)
    return [program_of(usage) for usage in pool[:: max(1, len(pool) // number)][:number]]


def _told(
    engine: Engine, environment: Environment, programs: Sequence[Program], preload: Sequence[str]
) -> tuple[list[dict[str, Any]], dict[str, float]]:
    """What came out of each program but for its times and what its import says, and the seconds of all of them."""
    (silent,) = engine.run(environment, [Program(context="", completion="")], preload=preload)
    began = time.monotonic()
    records = engine.run(environment, programs, preload=preload)
    took = {"wall": round(time.monotonic() - began, 1), "cpu": round(sum(r.cpu_seconds for r in records), 1)}
    return [_told_by_itself(record, silent) for record in records], took


def _told_by_itself(record: RunRecord, silent: RunRecord) -> dict[str, Any]:
    """A record without its times and without what a program that does nothing writes: a cold one imports for itself."""
    told = record.model_dump(mode="json", exclude=set(_MEASURED))
    return {
        **told,
        "stdout": record.stdout.removeprefix(silent.stdout),
        "stderr": record.stderr.removeprefix(silent.stderr),
    }


if __name__ == "__main__":
    try:
        typer.run(run)
    except ApigapError as error:
        print(f"usages: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
