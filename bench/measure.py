"""One workload, all ways, repeat by repeat in turn, so that what else the machine does hits all of them alike."""

import statistics
from collections.abc import Callable, Sequence

from apigap.packages.workshop import environment_store
from apigap.records.base import Record
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import Limits
from bench.leaks import groups_left, marked, processes_left
from bench.ways import Timed, evalplus_shape, judge, own_seconds
from bench.workloads import Workload


class Spread(Record):
    """Median and quartiles over the repeats."""

    median: float
    low: float
    high: float


class Row(Record):
    """The figures of one library. Rates are samples per second with all workers, overheads in milliseconds.

    `overhead_sample` is the time of one sample with one worker, less the own time of its programs; `overhead_program`
    is that divided by `programs`, the number of programs that a sample takes.
    """

    name: str
    release: str
    repeats: int
    warm_samples: int
    cold_samples: int
    warm: Spread
    cold: Spread
    evalplus: Spread
    warm_over_cold: Spread
    warm_over_evalplus: Spread
    programs: float
    own: float
    overhead_sample: Spread
    overhead_program: Spread
    processes_left: int
    groups_left: int


def measure(workload: Workload, samples: int, repeats: int, workers: int, note: Callable[[str], None]) -> Row:
    """Time `samples` samples (a tenth of them in the slow ways) `repeats` times."""
    limits = marked(Limits())
    few = max(2, samples // 10)
    rounds: list[tuple[Timed, Timed, Timed, Timed]] = []
    with (
        Engine(workers, limits) as warm,
        Engine(1, limits) as alone,
        Engine(workers, limits, cold=True) as cold,
    ):
        environment = environment_store(warm).get(workload.library, workload.version)
        task = workload.task(warm, environment)
        for engine in (warm, alone):  # sandboxes are started once and not counted
            judge(engine, environment, workload, task, 2 * workers)
        own = own_seconds(alone, environment, workload)
        for number in range(repeats):
            rounds.append(
                (
                    judge(warm, environment, workload, task, samples),
                    judge(cold, environment, workload, task, few),
                    evalplus_shape(environment, workload, few, workers),
                    judge(alone, environment, workload, task, few),
                )
            )
            note(f"{workload.name}: {number + 1} of {repeats} repeats")
    return _row(workload, rounds, own, limits)


def _row(workload: Workload, rounds: Sequence[tuple[Timed, Timed, Timed, Timed]], own: float, limits: Limits) -> Row:
    warm, cold, shape, alone = zip(*rounds, strict=True)
    programs = sum(one.programs for one in warm) / sum(one.samples for one in warm)
    overheads = [1000 * (one.seconds - one.programs * own) / one.samples for one in alone]
    return Row(
        name=workload.name,
        release=f"{workload.library} {workload.version}",
        repeats=len(rounds),
        warm_samples=sum(one.samples for one in warm),
        cold_samples=sum(one.samples for one in cold),
        warm=spread([one.rate for one in warm]),
        cold=spread([one.rate for one in cold]),
        evalplus=spread([one.rate for one in shape]),
        warm_over_cold=spread([one.rate / other.rate for one, other in zip(warm, cold, strict=True)]),
        warm_over_evalplus=spread([one.rate / other.rate for one, other in zip(warm, shape, strict=True)]),
        programs=programs,
        own=1000 * own,
        overhead_sample=spread(overheads),
        overhead_program=spread([value / programs for value in overheads]),
        processes_left=processes_left(limits),
        groups_left=groups_left(),
    )


def spread(values: Sequence[float]) -> Spread:
    """Median and quartiles; the extremes where there are fewer than three values."""
    if len(values) < 3:
        return Spread(median=statistics.median(values), low=min(values), high=max(values))
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median=median, low=low, high=high)
