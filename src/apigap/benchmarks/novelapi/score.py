"""Predictions of any source, and the scorer's own calibration."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi.adapter import NovelApi
from apigap.benchmarks.novelapi.cells import score_predictions
from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_at_hand, locks_of
from apigap.benchmarks.task_environment import Homes
from apigap.evaluation.item import Item
from apigap.evaluation.summary import summarise_cell
from apigap.records.configuration import load_settings
from apigap.records.errors import CorruptRecord
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache


def score_file(
    tasks_path: Path, predictions_path: Path, out: Path, engine: Engine, progress: Progress, cached: bool = True
) -> dict[str, Any]:
    """Judge a predictions file; results go to `out`, resumable; returns the summary, missing tasks named in it.

    Verdicts are taken from memory where they may be `cached`. A cold engine is asked for to check the warm one, so it
    takes none.

    Raises:
        CorruptRecord: for a prediction of an unknown task, or two of one task.
    """
    tasks = NovelApi.load(tasks_path)
    predictions = load_records(predictions_path, Prediction)
    _check_ids(tasks, predictions, predictions_path)
    homes = homes_at_hand(tasks, engine, progress)
    made_from = {
        "tasks": file_hash(tasks_path),
        "predictions": file_hash(predictions_path),
        "evaluator": evaluator_hash(),
        **engine.terms,
    }
    stage = Stage(out.with_name(f"{out.stem}.manifest.json"), "score novelapi", made_from, files=(out,))
    if not stage.complete:
        score_predictions(_adapter(homes, engine, cached and not engine.cold), tasks, predictions, out, progress)
        if all(result.outcome != "infra" for result in load_records(out, Result)):
            stage.finish({"samples": sum(len(p.samples) for p in predictions), "environments": locks_of(homes)})
    answered = {prediction.task_id for prediction in predictions if prediction.samples}
    missing = [task.task_id for task in tasks if task.task_id not in answered]
    summary = summarise_cell(load_records(out, Result), tasks, predictions)
    return {**summary, "missing": missing, "pass_at_1_of_all": _of_all(summary, len(missing))}


def calibrate_file(tasks_path: Path, engine: Engine, progress: Progress) -> tuple[list[dict[str, Any]], int]:
    """Score every probe of every task; the probes that got another score than they must, and how many there are."""
    tasks = NovelApi.load(tasks_path)
    homes = homes_at_hand(tasks, engine, progress)
    adapter = _adapter(homes, engine, False)  # what is to be proved is not taken from memory
    probes = [(task, response, expected) for task in tasks for response, expected in adapter.probes(task)]
    step = progress.step("probes")
    done: list[Result] = []

    def ready(result: Result) -> None:
        done.append(result)
        step(len(done), len(probes))

    items = [Item(task, number, adapter.parse(response, task)) for number, (task, response, _) in enumerate(probes)]
    results = adapter.score_all(items, ready)
    wrong = [
        {"task_id": task.task_id, "response": response, "expected": expected, "outcome": result.outcome,
         "reason": result.detail["reason"]}
        for (task, response, expected), result in zip(probes, results, strict=True)
        if float(result.passed) != expected or result.outcome in ("infra", "suspect")
    ]  # fmt: skip
    return wrong, len(probes)


def _adapter(homes: Homes, engine: Engine, cached: bool) -> NovelApi:
    verdicts = VerdictCache(engine) if cached else None
    return NovelApi(engine, homes, {}, load_settings().generation, verdicts=verdicts)


def _of_all(summary: Mapping[str, Any], missing: int) -> float | None:
    """pass@1 over every task of the file but those without a verdict: one without an answer has not passed."""
    rate = summary["pass_at_1"]
    judged = summary["n_judged"]
    return (rate or 0.0) * judged / (judged + missing) if judged + missing else None


def _check_ids(tasks: list[Task], predictions: list[Prediction], path: Path) -> None:
    known = {task.task_id for task in tasks}
    counts = Counter(prediction.task_id for prediction in predictions)
    unknown = [task_id for task_id in counts if task_id not in known]
    twice = [task_id for task_id, count in counts.items() if count > 1]
    if unknown:
        raise CorruptRecord(f"{path} answers {_named(unknown)} that the tasks file does not hold")
    if twice:
        raise CorruptRecord(f"{path} answers {_named(twice)} more than once; keep one line with all its samples")


def _named(ids: Sequence[str]) -> str:
    """How many, and the first few of them."""
    some = ", ".join(ids[:3])
    more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
    return f"{len(ids)} task{'s' if len(ids) > 1 else ''} ({some}{more})"
