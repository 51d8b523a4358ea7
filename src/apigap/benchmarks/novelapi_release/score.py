"""Answers to the tasks of the public NovelAPIBench release, and the calibration of its tests."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from apigap.benchmarks.novelapi.cells import Sample, judge_samples
from apigap.benchmarks.novelapi_release.adapter import NovelApiRelease, Probe, ReleaseItem
from apigap.benchmarks.novelapi_release.files import EXPECTED, load_expected, load_predictions, load_tasks, select
from apigap.benchmarks.novelapi_release.versions import Pin, pins_for
from apigap.benchmarks.task_environment import Home, warm_names
from apigap.discovery.distribution import modules_of
from apigap.evaluation.summary import summarise
from apigap.packages.workshop import environment_store
from apigap.records.base import content_hash
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.release import ExpectedCalls, ReleaseTask
from apigap.records.result import Result
from apigap.records.store import load_records
from apigap.sandbox.engine import Engine
from apigap.sandbox.task_supplied_test.judge import IN_PROCESS
from apigap.sandbox.verdict.evaluator import evaluator_hash


@dataclass(frozen=True)
class ReleaseSource:
    """Where a release's tasks come from: `instance` takes some of them, `versions` are as `pins_for` has them."""

    tasks: Path
    instance: Path | None = None
    versions: tuple[str, ...] = ()

    def read(self) -> "ReleaseTasks":
        """Read the files; the expected calls are those that lie beside the tasks, if any do."""
        tasks = load_tasks(self.tasks)
        beside = self.tasks.with_name(EXPECTED)
        expected = load_expected(beside, tasks) if beside.exists() else {}
        chosen = select(tasks, self.instance)
        return ReleaseTasks(tasks, chosen, expected, pins_for(chosen.values(), self.versions))


class ReleaseTasks(NamedTuple):
    """All tasks by id, the `chosen` among them, the expected calls by task, and the pin of each library."""

    tasks: dict[str, ReleaseTask]
    chosen: dict[str, ReleaseTask]
    expected: dict[str, ExpectedCalls]
    pins: dict[str, Pin]


def score_release(
    source: ReleaseSource, predictions_path: Path, out: Path, engine: Engine, progress: Progress
) -> dict[str, Any]:
    """Judge a predictions file; results go to `out`, resumable; returns the summary, which says `trust: in-process`.

    Raises:
        CorruptRecord: for a line that is no such record, naming it, and for a prediction of an unknown task.
        UsageError: when the version of a library is not known.
    """
    every, tasks, expected, pins = source.read()
    answered = load_predictions(predictions_path, every)
    predictions = {task_id: answered[task_id] for task_id in tasks if task_id in answered}
    homes = _homes(tasks, pins, engine)
    made_from = {
        "tasks": file_hash(source.tasks),
        "instance": content_hash(sorted(tasks)),
        "predictions": file_hash(predictions_path),
        "expected calls": file_hash(source.tasks.with_name(EXPECTED)) if expected else None,
        "environments": {library: homes[library].environment.lock for library in sorted(homes)},
        "evaluator": evaluator_hash(),
        **engine.terms,
    }
    stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "score novelapi release", made_from, files=(out,))
    if not stage.complete:
        adapter = NovelApiRelease(engine, homes, expected)
        judge_samples(list(predictions.values()), out, progress.step("verdicts"), _judge(adapter, tasks))
        if all(result.outcome != "infra" for result in load_records(out, Result)):
            stage.finish({"samples": sum(len(p.samples) for p in predictions.values())})
    results = load_records(out, Result)
    missing = [t for t in tasks if t not in predictions or not predictions[t].samples]
    return {**summarise(results, tasks.values()), **_beyond(results), "missing": missing}


def calibrate_release(
    source: ReleaseSource, engine: Engine, progress: Progress
) -> tuple[list[dict[str, Any]], int, list[dict[str, str]]]:
    """Try every task's scorer with answers whose score is known.

    Returns the probes that got another score than they must, how many probes there are, and the weaknesses of the
    tasks themselves: tests that pass where nothing was written or where the reference's results were lost, and
    expected calls that any call would satisfy.
    """
    _, tasks, expected, pins = source.read()
    adapter = NovelApiRelease(engine, _homes(tasks, pins, engine), expected)
    probes = [(task, probe) for task in tasks.values() for probe in adapter.probes(task)]
    step = progress.step("probes")
    done: list[Result] = []

    def ready(result: Result) -> None:
        done.append(result)
        step(len(done), len(probes))

    items = [ReleaseItem(task, n, adapter.parse(probe.response, task)) for n, (task, probe) in enumerate(probes)]
    tried = list(zip(probes, adapter.score_all(items, ready), strict=True))
    wrong = [
        {"task_id": task.task_id, "response": probe.response, "expected": probe.expected, "outcome": result.outcome,
         "reason": result.detail["reason"]}
        for (task, probe), result in tried
        if _is_wrong(probe, result)
    ]  # fmt: skip
    weak = [
        {"task_id": task.task_id, "weakness": probe.weakness}
        for (task, probe), result in tried
        if probe.weakness and result.detail["test"] == "passed"
    ]
    vague = [
        {"task_id": task.task_id, "weakness": "its expected calls hold for any call of the target"}
        for task in tasks.values()
        if adapter.says_nothing(task)
    ]
    return wrong, len(probes), [*weak, *vague]


def _is_wrong(probe: Probe, result: Result) -> bool:
    if probe.expected is None:
        return False
    return float(result.passed) != probe.expected or result.outcome in ("infra", "suspect")


def _judge(
    adapter: NovelApiRelease, tasks: Mapping[str, ReleaseTask]
) -> Callable[[Sequence[Sample], Callable[[Result], None]], None]:
    def judge(samples: Sequence[Sample], ready: Callable[[Result], None]) -> None:
        chosen = [(tasks[sample.task_id], sample) for sample in samples]
        items = [ReleaseItem(task, sample.number, adapter.parse(sample.text, task)) for task, sample in chosen]
        adapter.score_all(items, ready)

    return judge


def _homes(tasks: Mapping[str, ReleaseTask], pins: Mapping[str, Pin], engine: Engine) -> dict[str, Home]:
    homes: dict[str, Home] = {}
    for library, pin in sorted(pins.items()):
        environment = environment_store(engine).get(pin.package, pin.version)
        names = [task.api_name for task in tasks.values() if task.library == library]
        homes[library] = Home(environment, warm_names(modules_of(pin.package, environment.site_packages).tops, names))
    return homes


def _beyond(results: Sequence[Result]) -> dict[str, Any]:
    """What the summary of such results says on top of the usual."""
    compared: Counter[str] = Counter()
    for result in results:
        compared.update(result.detail.get("expected calls", {}))
    return {"trust": IN_PROCESS, "expected_calls": dict(sorted(compared.items()))}
