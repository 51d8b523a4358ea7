"""The same samples by the local engine, one node and two, in turn, so that what else the machine does hits all."""

import os
import time
from collections.abc import Callable

from apigap.packages.workshop import environment_store
from apigap.records.base import Record
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.judge import judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.verdict.verdict import Verdict
from bench.cluster.local import FirstNodes, cluster_of, dismiss, ray_cluster
from bench.measure import Spread, spread
from bench.ways import judge
from bench.workloads import Workload


class Beside(Record):
    """Two ways beside one another: samples in each, rates per second, the ratio of times, and the machine's load."""

    samples: int
    repeats: int
    first: Spread
    second: Spread
    ratio: Spread
    load: Spread


def overhead(workload: Workload, samples: int, repeats: int, workers: int, note: Callable[[str], None]) -> Beside:
    """The local engine (first) beside a cluster of one node (second), both with so many workers on all cores.

    `ratio` is the time by the cluster over the local time.
    """
    cores = os.sched_getaffinity(0)
    with ray_cluster([sorted(cores)[:workers]]) as (address, keys), Engine(workers) as here:
        cluster = cluster_of(FirstNodes(address, keys), here)
        with Engine(workers, elsewhere=cluster) as there:
            return _beside(workload, samples, repeats, here, there, note, lambda engine: None)


def scaling(workload: Workload, samples: int, repeats: int, note: Callable[[str], None]) -> Beside:
    """One node of one core (first) beside two nodes of one core each (second).

    `ratio` is the time by one node over the time by two, so that 2 is the best.
    """
    cores = sorted(os.sched_getaffinity(0))[:2]
    with ray_cluster([{core} for core in cores]) as (address, keys), Engine(1) as local:
        connection = FirstNodes(address, keys)
        cluster = cluster_of(connection, local)

        def choose(engine: Engine) -> None:
            dismiss(cluster)
            connection.count = 2 if engine is two else 1

        with Engine(1, elsewhere=cluster) as one, Engine(1, elsewhere=cluster) as two:
            found = _beside(workload, samples, repeats, one, two, note, choose)
    inverse = [1 / found.ratio.median, 1 / found.ratio.high, 1 / found.ratio.low]
    return found.model_copy(update={"ratio": Spread(median=inverse[0], low=inverse[1], high=inverse[2])})


def _beside(
    workload: Workload,
    samples: int,
    repeats: int,
    first: Engine,
    second: Engine,
    note: Callable[[str], None],
    choose: Callable[[Engine], None],
) -> Beside:
    with Engine(1) as own:
        environment = environment_store(own).get(workload.library, workload.version)
        task = workload.task(own, environment)
    rates: dict[Engine, list[float]] = {first: [], second: []}
    loads: list[float] = []
    for number in range(repeats):
        order = (first, second) if number % 2 else (second, first)
        for engine in order:
            choose(engine)
            judge(engine, environment, workload, task, 40)  # sandboxes are started, and the speed is known
            rates[engine].append(judge(engine, environment, workload, task, samples).rate)
        loads.append(os.getloadavg()[0])
        note(f"{number + 1} of {repeats}: {rates[first][-1]:.1f} and {rates[second][-1]:.1f} samples per second")
    ratios = [one / other for one, other in zip(rates[first], rates[second], strict=True)]
    return Beside(
        samples=samples * repeats, repeats=repeats, first=spread(rates[first]), second=spread(rates[second]),
        ratio=spread(ratios), load=spread(loads),
    )  # fmt: skip


def some_verdicts(workload: Workload, count: int = 200) -> tuple[list[Verdict], float]:
    """Real verdicts on as many samples, and the seconds that a warm engine of one worker takes for each."""
    with Engine(1) as engine:
        environment = environment_store(engine).get(workload.library, workload.version)
        task = workload.task(engine, environment)
        trials = [Trial(task, f"{workload.answer}# {number}\n") for number in range(count)]
        judge_trials(engine, environment, trials[:10], preload=workload.preload)
        began = time.perf_counter()
        verdicts = judge_trials(engine, environment, trials, preload=workload.preload)
        return verdicts, (time.perf_counter() - began) / count
