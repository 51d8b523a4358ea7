"""Evaluation: answers per cell, then verdicts per cell, each in a file of its own."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from apigap.benchmarks.novelapi import Item, NovelApi
from apigap.benchmarks.prompting import Prompter
from apigap.pipeline.answers import Ask, answered, collect
from apigap.pipeline.progress import Advance, Progress
from apigap.records.base import canonical_json, content_hash
from apigap.records.configuration import GenerationSettings
from apigap.records.manifest import Stage, file_hash
from apigap.records.result import Prediction, Result
from apigap.records.store import Journal, load_records, write_text
from apigap.records.task import Task
from apigap.statistics import clustered_wilson

PREDICTIONS = "predictions.jsonl"
RESULTS = "results.jsonl"


def generate_cells(
    adapters: Mapping[Path, Prompter],
    tasks: Sequence[Task],
    settings: GenerationSettings,
    ask: Ask,
    known: Mapping[str, Prediction],
    made_from: dict[str, Any],
    progress: Progress,
) -> None:
    """Write the predictions of every cell (folder: adapter); a cell that is complete is left as it is.

    Answers come task by task, all conditions of a task together: a local model reads what they share once.
    """
    made_from = {**made_from, "tasks": content_hash([task.task_id for task in tasks])}
    stages = {f: Stage(f / "predictions.manifest.json", "predictions", made_from) for f in adapters}
    requests = {
        folder: [
            adapter.request(task, adapter.condition, settings.samples, settings.temperature, settings.seed)
            for task in tasks
            if adapter.applies(task)
        ]
        for folder, adapter in adapters.items()
        if not stages[folder].complete
    }
    paths = {folder: folder / PREDICTIONS for folder in requests}
    found = collect({paths[f]: rows for f, rows in requests.items()}, ask, known, progress.step("answers"))
    for folder, rows in requests.items():
        counts = {"predictions": len(rows), "not applicable": len(tasks) - len(rows)}
        assert len(rows) == sum(request.key in found for request in rows)
        stages[folder].finish(counts)


def score_cell(
    adapter: NovelApi, tasks: Sequence[Task], folder: Path, made_from: dict[str, Any], progress: Progress
) -> list[Result]:
    """Judge the predictions of one cell; write its results and summary; return the results in order.

    A cell in which a verdict is wanting (`infra`) stays open: the next run tries those samples again.
    """
    path = folder / RESULTS
    predictions = list(answered(folder / PREDICTIONS).values())
    made_from = {**made_from, "predictions": file_hash(folder / PREDICTIONS)}
    stage = Stage(folder / "results.manifest.json", "results", made_from)
    if not stage.complete:
        score_predictions(adapter, tasks, predictions, path, progress)
        results = load_records(path, Result)
        write_text(folder / "summary.json", canonical_json(summarise(results, tasks)) + "\n")
        if all(result.outcome != "infra" for result in results):
            stage.finish({"results": len(results)})
    return load_records(path, Result)


def score_predictions(
    adapter: NovelApi, tasks: Sequence[Task], predictions: Sequence[Prediction], path: Path, progress: Progress
) -> None:
    """Append a result per sample to `path`; samples that have a verdict are not judged again."""
    by_id = {task.task_id: task for task in tasks}

    def judge(samples: Sequence[Sample], ready: Callable[[Result], None]) -> None:
        chosen = [(by_id[sample.task_id], sample) for sample in samples]
        adapter.score_all([Item(task, s.number, adapter.parse(s.text, task)) for task, s in chosen], ready)

    judge_samples(predictions, path, progress.step(f"verdicts: {adapter.condition}"), judge)


class Sample(NamedTuple):
    """One answer to judge: the `number`-th to its task."""

    task_id: str
    number: int
    text: str


def judge_samples(
    predictions: Sequence[Prediction],
    path: Path,
    step: Advance,
    judge: Callable[[Sequence[Sample], Callable[[Result], None]], None],
) -> None:
    """Append to `path` what `judge` finds of each sample that has no verdict there yet, and sort the whole."""
    with Journal(path, Result, again=lambda result: result.outcome == "infra") as journal:
        done = {(result.task_id, result.sample) for result in journal.done}
        samples = [
            Sample(prediction.task_id, number, text)
            for prediction in predictions
            for number, text in enumerate(prediction.samples)
            if (prediction.task_id, number) not in done
        ]
        step(len(done), len(done) + len(samples))

        def ready(result: Result) -> None:
            journal.append(result)
            step(len(journal.done), len(done) + len(samples))

        judge(samples, ready)
        journal.finish(lambda result: (result.task_id, result.sample))


class Named(Protocol):
    """A task of any benchmark, by its id and the API that it is about."""

    @property
    def task_id(self) -> str:
        """The id."""
        ...

    @property
    def api_name(self) -> str:
        """The qualified name."""
        ...


def summarise(results: Sequence[Result], tasks: Iterable[Named]) -> dict[str, Any]:
    """pass@1 with its interval clustered by API, outcomes and labels; samples without a verdict do not count."""
    apis = {task.task_id: task.api_name for task in tasks}
    judged = [result for result in results if result.outcome != "infra"]
    interval = clustered_wilson([r.passed for r in judged], [apis[r.task_id] for r in judged]) if judged else None
    return {
        "n_tasks": len({result.task_id for result in results}),
        "pass_at_1": sum(r.passed for r in judged) / len(judged) if judged else None,
        "interval": [interval.low, interval.high] if interval else None,
        "outcomes": dict(sorted(Counter(r.outcome for r in results).items())),
        "labels": dict(sorted(Counter(r.label for r in results if r.label).items())),
        "evaluators": sorted({result.evaluator for result in results}),
    }
