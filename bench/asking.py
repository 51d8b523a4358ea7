"""`python -m bench.asking`: requests a second to a server that answers after a while, by the way of every command.

The ideal is `connections / wait`: all places taken all the time. Answers go to a predictions file, as `apigap predict`
writes them. Memory is the process's highest so far, after each quarter of the requests. With `--beside` Inspect's own
connections are asked over in turn with ours. With `--own-core` other work on the machine does not count.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from apigap.evaluation.answers import ask_all, collect
from apigap.models.generate import Generator
from apigap.models.request import GenerationRequest
from bench import own_core as clocks
from bench.slow_server import SlowAnswers

_PROMPT = "Write one line of Python that does what is described. " * 20
_MODEL = "openai-api/slow/model"
_PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


@contextmanager
def slow_server(wait: float) -> Iterator[None]:
    """The server in a process of its own, under the variables of `openai-api/slow/...`."""
    command = [sys.executable, "-m", "bench.slow_server", str(wait)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        _ask_at(server.stdout.readline().strip())
        try:
            yield
        finally:
            server.kill()


def _ask_at(port: str | int) -> None:
    os.environ |= {"SLOW_BASE_URL": f"http://127.0.0.1:{port}/v1", "SLOW_API_KEY": "any-word"}
    for name in _PROXIES:
        os.environ.pop(name, None)


@contextmanager
def _timed(wait: float, alone: bool) -> Iterator[Callable[[], float]]:
    """The server, and the clock that goes with it."""
    if not alone:
        with slow_server(wait):
            yield time.monotonic
        return
    with clocks.own_core(lambda: SlowAnswers(wait)) as (clock, port):
        _ask_at(port)
        yield clock.now


def _theirs() -> dict[str, Any]:
    """What has Inspect's own connections used."""
    from inspect_ai._util.http_defaults_httpx2 import default_client_kwargs
    from openai import DefaultAsyncHttpxClient

    return {"http_client": DefaultAsyncHttpxClient(**default_client_kwargs())}


def run(
    requests: Annotated[int, typer.Option(min=8, help="How many, in each repeat.")] = 4000,
    connections: Annotated[int, typer.Option(min=1, help="At a time.")] = 64,
    wait: Annotated[float, typer.Option(min=0.01, help="Seconds until the server answers.")] = 0.2,
    repeats: Annotated[int, typer.Option(min=1)] = 3,
    beside: Annotated[bool, typer.Option(help="Over Inspect's own connections too, in turn.")] = False,
    own_core: Annotated[bool, typer.Option(help="By the processor's time and skipped waits.")] = False,
) -> None:
    """Print the rate of each repeat, its share of the ideal, the processor's time, and memory by quarters."""
    ideal = connections / wait
    with _timed(wait, own_core) as now, tempfile.TemporaryDirectory() as folder:
        for number in range(repeats):
            for theirs in (False, True)[: 1 + beside]:
                load = os.getloadavg()[0]
                path = Path(folder) / f"{number}-{theirs}.jsonl"
                generator = Generator(
                    _MODEL, connections=connections, cache=False, model_args=_theirs() if theirs else None
                )
                seconds, processor, memory = _ask(requests, generator, path, number, now)
                rate = requests / seconds
                row = {
                    "connections": "Inspect's" if theirs else "ours", "requests": requests,
                    "a second": round(rate, 1), "ideal": ideal, "share": round(rate / ideal, 3),
                    "processor ms of a request": round(1000 * processor / requests, 2), "MiB by quarters": memory,
                    "load before": round(load, 1),
                }  # fmt: skip
                print(json.dumps(row), flush=True)


def _ask(
    count: int, generator: Generator, path: Path, repeat: int, now: Callable[[], float]
) -> tuple[float, float, list[int]]:
    asked = [GenerationRequest(key=f"t{repeat}-{number}/x", prompt=f"{number}: {_PROMPT}") for number in range(count)]
    memory: list[int] = []

    def step(done: int, total: int) -> None:
        if done and done % (total // 4) == 0:
            memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)

    with generator:
        began, processor = now(), time.process_time()
        collect({path: asked}, lambda waiting, tell: ask_all(generator, waiting, tell), {}, step)
        return now() - began, time.process_time() - processor, memory


if __name__ == "__main__":
    typer.run(run)
