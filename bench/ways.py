"""Three ways to judge the same samples: the warm engine, the cold one, and evalplus' shape."""

import json
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from apigap.records.errors import InfrastructureError
from apigap.records.run import Program
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from bench.workloads import Workload

_SCRIPT = Path(__file__).with_name("evalplus_shape.py")


@dataclass(frozen=True)
class Timed:
    """Wall seconds for a number of samples, and the programs that they took."""

    samples: int
    seconds: float
    programs: int

    @property
    def rate(self) -> float:
        """Samples per second."""
        return self.samples / self.seconds


def judge(engine: Engine, environment: Environment, workload: Workload, task: Task, samples: int) -> Timed:
    """Judge `samples` right answers, none of which is the reference to the letter, as a model's are not.

    Raises:
        InfrastructureError: when one of them does not pass: then the figures would be of something else.
    """
    trials = [Trial(task, f"{workload.answer}# answer {number}\n") for number in range(samples)]
    started = time.perf_counter()
    verdicts = judge_trials(engine, environment, trials, preload=workload.preload)
    seconds = time.perf_counter() - started
    for verdict in verdicts:
        if verdict.outcome != "pass":
            raise InfrastructureError(f"{workload.name}: a right answer ended as {verdict.outcome}: {verdict.detail}")
    return Timed(samples, seconds, sum(map(_programs, verdicts)))


def _programs(verdict: Verdict) -> int:
    """How many programs a verdict took: one per scenario, a watched one that is none of these, and the evidence."""
    recorded = verdict.recorded is not None and not any(verdict.recorded is run for run in verdict.runs)
    return len(verdict.runs) + recorded + len(verdict.detail.get("dependence", ()))


def own_seconds(engine: Engine, environment: Environment, workload: Workload) -> float:
    """The time that the program itself takes in a warm process: the median of five first runs."""
    program = f"exec(compile({workload.contexts()[0] + workload.answer!r}, 'program', 'exec'), {{}})"
    timing = f"import time\nstarted = time.perf_counter()\n{program}\nown = time.perf_counter() - started\n"
    records = engine.run(
        environment, [Program(context="", completion=timing, observe=("own",))] * 5, preload=workload.preload
    )
    return sorted(record.observations["own"] for record in records)[2]


def evalplus_shape(environment: Environment, workload: Workload, samples: int, workers: int) -> Timed:
    """The baseline, which has neither isolation nor evidence: one process per sample.

    Raises:
        InfrastructureError: when a sample does not pass.
    """
    request = {"contexts": workload.contexts(), "answer": workload.answer, "samples": samples, "workers": workers}
    done = subprocess.run(
        [str(environment.python), "-I", str(_SCRIPT)], input=json.dumps(request), capture_output=True, text=True,
        timeout=1800, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise InfrastructureError(f"{workload.name}: the baseline failed: {done.stderr[-500:]}")
    answer = json.loads(done.stdout)
    if answer["passed"] != samples:
        raise InfrastructureError(f"{workload.name}: only {answer['passed']} of {samples} samples pass the baseline")
    return Timed(samples, answer["seconds"], samples)
