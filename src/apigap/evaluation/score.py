"""Predictions of any source judged and summed up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apigap.evaluation.benchmark import Benchmark
from apigap.evaluation.judged_samples import items_of, judge_samples
from apigap.evaluation.paths import manifest_path, summary_path
from apigap.evaluation.summary import Summary, cut_by, no_verdict
from apigap.models.spending.cell_cost import CellCost, cost_of, read_times
from apigap.records.errors import CheckFailed
from apigap.records.manifest import Stage, file_hash, read_manifest
from apigap.records.parsing.json_shapes import is_object
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_text


@dataclass(frozen=True)
class Scored:
    """The results of a run, a sample each, their summary, and how many samples have no verdict, by reason.

    `cut` counts the answers that were ended before they were whole, by what ended them.
    """

    summary: Summary
    results: tuple[Result, ...]
    no_verdict: dict[str, int]
    cut: dict[str, int] = field(default_factory=dict[str, int])


def score(
    benchmark: Benchmark[Any, Any], predictions: Path, out: Path, progress: Progress, *, answered_only: bool = False
) -> Scored:
    """Judge a predictions file; a result per sample goes to `out`, a summary beside it; both can be resumed.

    Tasks without an answer count as wrong, unless `answered_only`.

    Raises:
        CheckFailed: when the file answers nothing at all.
        CorruptRecord: when the tasks are not what they must be, a prediction is of an unknown task, or two are of one.
        UsageError: when `out` was made from something else.
        ModelUnavailable: when a model that is to review the results cannot be asked.
    """
    tasks = benchmark.load()
    answers = benchmark.predictions(predictions, tasks)
    if not answers.predictions and not answers.strangers:
        raise CheckFailed(
            f"{predictions} answers none of the {len(tasks)} tasks of {benchmark.name}: nothing is judged; give the "
            f"file that `apigap predict {benchmark.name}` wrote for these tasks"
        )
    benchmark.try_reviewer(out, progress)
    with benchmark.judging(tasks, progress) as judging:
        made_from = {
            **benchmark.judged_with(),
            "predictions": file_hash(predictions),
            "evaluator": benchmark.evaluator.digest,
            **judging.terms,
        }
        stage = Stage(manifest_path(out), f"score {benchmark.name}", made_from, files=(out,))
        if not stage.complete:
            responses = items_of({task.task_id: task for task in tasks}, answers.predictions)
            judge_samples(responses, benchmark.parse, judging.judge, out, progress.step("verdicts"))
        results = load_records(out, Result)
        if not stage.complete and all(result.outcome != "infra" for result in results):
            stage.finish({"samples": len(results), "strangers": answers.strangers, **judging.facts})
    counting = results if benchmark.counts_cut else [result for result in results if result.outcome != "cut"]
    summary = benchmark.summarise(tasks, counting, answers, answered_only)
    summary = benchmark.review(summary, out)
    if answers.predictions:
        summary = summary.model_copy(update={"cost": _cost(predictions, answers.predictions)})
    write_text(summary_path(out), summary.to_line() + "\n")
    return Scored(summary, tuple(results), no_verdict(results), cut_by(results))


def _cost(path: Path, predictions: Sequence[Prediction]) -> CellCost:
    """What the predictions of a file took, at the price of the model that the manifest beside it names."""
    manifest = manifest_path(path)
    model: Any = read_manifest(manifest).made_from.get("model") if manifest.exists() else None
    return cost_of(predictions, read_times(path), str(model["model"]) if is_object(model) and "model" in model else "")
