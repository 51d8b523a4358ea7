"""What one scheduler carries: a million samples through a cluster whose nodes give a verdict without judging.

Beside the run by Ray each step of a sample's way is timed by itself, in this process.
"""

import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from apigap.cluster.messages import (
    Done,
    Facts,
    Identity,
    Readiness,
    Terms,
    pack_batch,
    pack_reply,
    unpack_batch,
    unpack_reply,
)
from apigap.cluster.schedule import Schedule
from apigap.records.base import Record
from apigap.records.result import Judged, Result
from apigap.records.store import Journal
from apigap.sandbox.elsewhere import Piece
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.travelling import VerdictRecord, pieces_of
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.verdict.verdict import Verdict
from bench.cluster.local import FirstNodes, cluster_of, ray_cluster

_TIMED = 20_000


class Carried(Record):
    """Figures of a run without judging: seconds by the clock and of this process's processor time, memory in bytes.

    `steps` are microseconds per sample of each step on this side, `node_steps` on a node's.
    """

    samples: int
    seconds: float
    processor_seconds: float
    most_memory: int
    line_bytes: int
    message_bytes: float
    reply_bytes: float
    steps: dict[str, float]
    node_steps: dict[str, float]

    @property
    def microseconds(self) -> float:
        """Processor time of this process per sample."""
        return 1e6 * self.processor_seconds / self.samples


class NoJudge:
    """A node that gives every trial the same verdict, in the bytes of a real one."""

    line = b""

    def examine(self, question: bytes) -> bytes:
        """The facts of a node that may judge."""
        del question
        facts = Facts(
            name="no judge", identity=Identity.here(), processors=1, memory=1 << 40, disk=1 << 40, cache="",
            profile=None, problem=None,
        )  # fmt: skip
        return facts.to_line().encode()

    def prepare(self, terms: bytes) -> bytes:
        """It needs no environment; it keeps the verdict that the terms carry among their preloads."""
        home = Terms.from_line(terms).home
        NoJudge.line = home.preload[0].encode() if home else b""
        return Readiness().to_line().encode()

    def work(self, batch: bytes) -> bytes:
        """The same verdict for every piece."""
        _, pieces = unpack_batch(batch)
        return pack_reply([Done(number, NoJudge.line, "pass") for number in range(len(pieces))])


def carried(
    engine: Engine, environment: Environment, trials: Sequence[Trial], verdicts: Sequence[Verdict], nodes: int
) -> Carried:
    """Take `trials` through a cluster of so many nodes that answer all of them with the first of real `verdicts`."""
    line = VerdictRecord.of(verdicts[0]).to_line()
    order = engine.order("trials", environment, [line])
    count, told = len(trials), 0

    def done(number: int, found: bytes) -> None:
        nonlocal told
        told += 1
        VerdictRecord.from_line(found)

    def lost(number: int, reason: str) -> None:
        raise AssertionError(reason)

    with ray_cluster([{0}] * nodes) as (address, keys):
        cluster = cluster_of(FirstNodes(address, keys, nodes, NoJudge), engine)
        cluster.roster._profile = None  # pyright: ignore[reportPrivateUsage]  # nothing is isolated: nothing runs
        cluster.do(order, pieces_of(trials[:100]), done, lost)
        told, began, own = 0, time.perf_counter(), time.process_time()
        cluster.do(order, pieces_of(trials), done, lost)
        seconds, processor = time.perf_counter() - began, time.process_time() - own
        cluster.connection.leave()
    assert told == count
    steps, node_steps, sizes = _steps(trials[:_TIMED], verdicts, Terms.of(order))
    return Carried(
        samples=count, seconds=seconds, processor_seconds=processor,
        most_memory=1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, line_bytes=len(line),
        message_bytes=sizes[0], reply_bytes=sizes[1], steps=steps, node_steps=node_steps,
    )  # fmt: skip


def _steps(
    trials: Sequence[Trial], verdicts: Sequence[Verdict], terms: Terms
) -> tuple[dict[str, float], dict[str, float], tuple[float, float]]:
    count = len(trials)
    found: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        began = time.process_time()
        made = work()
        found[name] = 1e6 * (time.process_time() - began) / count
        return made

    pieces = timed("trials to pieces", lambda: pieces_of(trials))
    batches = [pieces[first : first + 200] for first in range(0, count, 200)]
    timed("schedule", lambda: _scheduled(pieces))
    messages = timed("pack batches", lambda: [pack_batch(terms, batch) for batch in batches])
    texts = [VerdictRecord.of(verdict).to_line().encode() for verdict in verdicts]
    unpacked = timed("node: unpack", lambda: [unpack_batch(message) for message in messages])
    timed("node: verdict to line", lambda: [VerdictRecord.of(verdicts[0]).to_line() for _ in trials])
    rows = [[Done(number, texts[number % len(texts)], "pass") for number in range(len(batch))] for _, batch in unpacked]
    replies = timed("node: pack", lambda: [pack_reply(done) for done in rows])
    lines = timed("unpack answers", lambda: [one for reply in replies for one in unpack_reply(reply)[0]])
    timed("line to verdict", lambda: _read(lines))
    timed("write results", lambda: _written(trials, verdicts[0]))
    sizes = (sum(map(len, messages)) / count, sum(map(len, replies)) / count)
    here = {name: value for name, value in found.items() if not name.startswith("node: ")}
    return here, {name.removeprefix("node: "): v for name, v in found.items() if name not in here}, sizes


def _read(lines: Sequence[Done]) -> None:
    for one in lines:  # none is kept, as in a run
        VerdictRecord.from_line(one.line)


def _scheduled(pieces: Sequence[Piece]) -> None:
    schedule, now = Schedule([piece.cost for piece in pieces], [len(piece.own) for piece in pieces]), 0.0
    nodes = [f"n{number}" for number in range(4)]
    while not schedule.finished:
        for node in nodes:
            now += 0.1
            taken = schedule.take(node, 1, len(nodes), now)
            if taken is not None:
                done = [Done(number, b"", "pass") for number in range(len(taken[1].pieces))]
                schedule.answered(taken[0], done, nodes, now + 0.1)


def _written(trials: Sequence[Trial], verdict: Verdict) -> None:
    with TemporaryDirectory() as folder, Journal(Path(folder) / "results.jsonl", Result) as journal:
        for number, trial in enumerate(trials):
            journal.append(
                Result(
                    task_id=trial.task.task_id,
                    sample=number,
                    outcome=verdict.outcome,
                    passed=True,
                    score=1.0,
                    label=None,
                    detail=verdict.detail,
                    evaluator="",
                    seconds=0.0,
                    judged=Judged.of(trial.code),
                )
            )
