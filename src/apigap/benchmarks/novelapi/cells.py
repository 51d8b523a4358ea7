"""Evaluation: answers per cell, then verdicts per cell, each in a file of its own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.evaluation.answers import Ask, answered, collect
from apigap.evaluation.judged_samples import items_of, judge_samples
from apigap.evaluation.summary import summarise_cell
from apigap.models.extraction import extract_code
from apigap.models.request import GenerationRequest
from apigap.models.spending.cell_cost import cost_of, read_times
from apigap.records.base import content_hash
from apigap.records.configuration import GenerationSettings
from apigap.records.manifest import Manifest, Stage, read_manifest
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, read_bytes, write_text
from apigap.records.task import Task

PREDICTIONS = "predictions.jsonl"
RESULTS = "results.jsonl"
SUMMARY = "summary.json"


class Adapter(Protocol):
    """The prompts of one cell; `condition` is the last part of their keys. A `Prompter` is one."""

    condition: str

    def applies(self, task: Task) -> bool:
        """False where the cell has nothing to ask about a task."""
        ...

    def request(self, task: Task, name: str, samples: int, temperature: float, seed: int) -> GenerationRequest:
        """The request with the key `task_id/name`."""
        ...

    def cut(self, task: Task) -> tuple[int, int] | None:
        """The numbers of characters of the knowledge that are shown, and of all; None where all of it is."""
        ...


def generate_cells(
    adapters: Mapping[Path, Adapter],
    tasks: Sequence[Task],
    settings: GenerationSettings,
    ask: Ask,
    known: Mapping[str, Prediction],
    made_from: dict[str, Any],
    progress: Progress,
) -> None:
    """Write the predictions of every cell (folder: adapter); a cell that is complete for `tasks` is left as it is.

    Answers come task by task, all conditions of a task together: a local model reads what they share once. A cell may
    be asked about more tasks, or fewer, than before: answers to others stay in its file.
    """
    asked = content_hash([task.task_id for task in tasks])
    stages = {
        f: Stage(f / "predictions.manifest.json", "predictions", made_from, files=(f / PREDICTIONS,)) for f in adapters
    }
    requests = {
        folder: requests_of(adapter, tasks, settings)
        for folder, adapter in adapters.items()
        if not (stages[folder].complete and stages[folder].manifest.counts.get("tasks") == asked)
    }
    paths = {folder: folder / PREDICTIONS for folder in requests}
    wanted = {paths[folder]: rows for folder, rows in requests.items()}
    found = collect(wanted, ask, known, progress.step("answers"), shared=True)
    for folder, rows in requests.items():
        cut = {task.task_id: cut for task in tasks if (cut := adapters[folder].cut(task))}
        counts = {"tasks": asked, "predictions": len(rows), "not applicable": len(tasks) - len(rows)}
        assert len(rows) == sum(request.key in found for request in rows)
        stages[folder].finish({**counts, **({"cut": cut} if cut else {})})


def requests_of(adapter: Adapter, tasks: Sequence[Task], settings: GenerationSettings) -> list[GenerationRequest]:
    """The requests of a cell: one for each task to which its condition applies."""
    return [
        adapter.request(task, adapter.condition, settings.samples, settings.temperature, settings.seed)
        for task in tasks
        if adapter.applies(task)
    ]


def complete_for(folder: Path, tasks: Sequence[Task]) -> bool:
    """True if the cell in `folder` has been answered for just these tasks."""
    path = folder / "predictions.manifest.json"
    if not path.exists() or not (folder / PREDICTIONS).exists():
        return False
    manifest = Manifest.model_validate_json(read_bytes(path))
    return manifest.complete and manifest.counts.get("tasks") == content_hash([task.task_id for task in tasks])


def score_cell(
    judge: NovelApiJudge,
    tasks: Sequence[Task],
    folder: Path,
    made_from: dict[str, Any],
    progress: Progress,
    model: str = "",
) -> list[Result]:
    """Judge the predictions of one cell, of `model`; write its results and summary; return the results in order.

    A cell in which a verdict is wanting (`infra`) stays open: the next run tries those samples again. Where it has been
    asked about other tasks since, or was judged by another evaluator or under other limits, its results begin anew;
    answers are never lost by that.
    """
    path, manifest = folder / RESULTS, folder / "results.manifest.json"
    asked = {task.task_id for task in tasks}
    predictions = [found for found in answered(folder / PREDICTIONS).values() if found.task_id in asked]
    made_from = {
        **made_from,
        "tasks": content_hash([task.task_id for task in tasks]),
        "predictions": content_hash([found.to_line() for found in predictions]),
    }
    _begin_anew(manifest, made_from, path, progress)
    stage = Stage(manifest, "results", made_from, files=(path,))
    if not stage.complete:
        items = items_of({task.task_id: task for task in tasks}, predictions)
        step = progress.step(f"verdicts: {folder.name}")
        judge_samples(items, lambda text, task: extract_code(text, task.context_code), judge.score_all, path, step)
        results = load_records(path, Result)
        cost = cost_of(predictions, read_times(folder / PREDICTIONS), model)
        write_text(folder / SUMMARY, summarise_cell(results, tasks, predictions, cost).to_line() + "\n")
        if all(result.outcome != "infra" for result in results):
            stage.finish({"results": len(results)})
    return load_records(path, Result)


def _begin_anew(manifest: Path, made_from: Mapping[str, Any], path: Path, progress: Progress) -> None:
    """Remove results that were made from something else; what they were made of is still there."""
    known = read_manifest(manifest).made_from if manifest.exists() else made_from
    if known != made_from:
        changed = [key for key in sorted(made_from) if known.get(key) != made_from[key]]
        progress.note(f"{path.parent.name}: its verdicts are reached anew, since what decides them changed: {changed}")
        manifest.unlink()
        path.unlink(missing_ok=True)
