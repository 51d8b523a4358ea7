"""The proof of a scorer before any model is asked: answers whose verdict is known get it."""

from collections.abc import Sequence
from typing import Any

from apigap.evaluation.benchmark import Benchmark, Probe
from apigap.evaluation.item import Item
from apigap.records.base import Record
from apigap.records.progress import Progress
from apigap.records.result import Outcome, Result


class WrongProbe(Record):
    """A probe that got another verdict than it must; `expected` and `got` are scores, or whether it passes."""

    task_id: str
    response: str
    expected: float | bool
    got: float | bool
    outcome: Outcome
    reason: str

    def __str__(self) -> str:
        """One line for people."""
        return f"task {self.task_id}: {self.expected} was expected and {self.got} came ({self.outcome}: {self.reason})"


class Weakness(Record):
    """A task that cannot tell a right answer from a wrong one, and how that shows."""

    task_id: str
    weakness: str


class Calibration(Record):
    """The number of probes, those that are `wrong`, and the `weak` tasks."""

    probes: int
    wrong: tuple[WrongProbe, ...]
    weak: tuple[Weakness, ...]

    @property
    def undecided(self) -> dict[str, int]:
        """The number of probes that the machine gave no verdict on, by reason."""
        reasons = [probe.reason for probe in self.wrong if probe.outcome == "infra"]
        return {reason: reasons.count(reason) for reason in dict.fromkeys(reasons)}

    @property
    def decided(self) -> tuple[WrongProbe, ...]:
        """The wrong probes that have a verdict."""
        return tuple(probe for probe in self.wrong if probe.outcome != "infra")


def calibrate(benchmark: Benchmark[Any, Any], progress: Progress, tasks: Sequence[Any] | None = None) -> Calibration:
    """Judge every probe of every task (by default of all); what is to be proved is never taken from memory."""
    loaded = benchmark.load() if tasks is None else tasks
    probes = [(task, probe) for task in loaded for probe in benchmark.probes(task)]
    items = [Item(task, number, benchmark.parse(probe.response, task)) for number, (task, probe) in enumerate(probes)]
    results: dict[int, Result] = {}
    step = progress.step("probes")

    def ready(result: Result) -> None:
        results[result.sample] = result
        step(len(results), len(items))

    with benchmark.judging(loaded, progress, anew=True) as judging:
        judging.judge(items, ready)
    tried = [(task.task_id, probe, results[number]) for number, (task, probe) in enumerate(probes)]
    weak = [
        *((task_id, probe.weakness) for task_id, probe, result in tried if probe.weakness and probe.shows(result)),
        *((task.task_id, weakness) for task in loaded for weakness in benchmark.weaknesses(task)),
    ]
    return Calibration(
        probes=len(probes),
        wrong=tuple(wrong for task_id, probe, result in tried if (wrong := _wrong(task_id, probe, result))),
        weak=tuple(Weakness(task_id=task_id, weakness=weakness) for task_id, weakness in weak),
    )


def _wrong(task_id: str, probe: Probe, result: Result) -> WrongProbe | None:
    expected: float | bool
    if probe.score is not None and result.score != probe.score:
        expected, got = probe.score, result.score
    elif probe.passes is not None and (result.passed != probe.passes or result.outcome in ("infra", "suspect")):
        expected, got = probe.passes, result.passed
    else:
        return None
    reason = str(result.detail.get("reason") or result.outcome)
    return WrongProbe(
        task_id=task_id, response=probe.response, expected=expected, got=got, outcome=result.outcome, reason=reason
    )
