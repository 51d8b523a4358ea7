"""Answers of a model to tasks, kept in a file, and the verdicts on them: what every gate that asks a model needs."""

from collections.abc import Sequence
from pathlib import Path

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.evaluation.answers import Ask, collect
from apigap.evaluation.cut_answers import settled
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.models.request import GenerationRequest
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.task import Task


def judge_answers(
    judge: NovelApiJudge,
    tasks: Sequence[Task],
    requests: Sequence[GenerationRequest],
    ask: Ask,
    path: Path,
    progress: Progress,
    title: str,
    first: int = 0,
) -> list[Result]:
    """The verdicts on the answers to each task's request, whose samples are numbered from `first`.

    Answers that are in `path` are not asked again.

    Raises:
        ModelUnavailable: when the model cannot be asked; what was answered before is kept.
    """
    if not requests:
        return []
    predictions = collect({path: requests}, ask, {}, progress.step(title), shared=True)
    items = [
        Item(task, first + number, extract_code(text, task.context_code), ended)
        for task, request in zip(tasks, requests, strict=True)
        for number, (text, ended) in enumerate(_told(predictions[request.key]))
    ]
    step = progress.step(f"{title}: verdicts")
    judged: list[Result] = []

    def ready(result: Result) -> None:
        judged.append(result)
        step(len(judged), len(items))

    step(0, len(items))
    return [settled(result, item) for result, item in zip(judge.score_all(items, ready), items, strict=True)]


def _told(prediction: Prediction) -> list[tuple[str, str]]:
    """Each sample with what ended it."""
    return list(zip(prediction.samples, prediction.endings, strict=True))
