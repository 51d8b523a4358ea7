"""Verdicts on disk: results are appended as they come, and what has a verdict is not judged again."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from apigap.evaluation.cut_answers import settling
from apigap.evaluation.item import Item, OnResult
from apigap.records.columns import write_columns_of_many
from apigap.records.progress import Advance
from apigap.records.result import Prediction, Result
from apigap.records.store import Journal

T = TypeVar("T")
A = TypeVar("A")


def items_of(tasks: Mapping[str, T], predictions: Sequence[Prediction]) -> dict[tuple[str, int], Item[T, str]]:
    """Every response as an item, by task id and the sample's number; `tasks` are by their ids."""
    return {
        (prediction.task_id, number): Item(tasks[prediction.task_id], number, text, ended)
        for prediction in predictions
        for number, (text, ended) in enumerate(zip(prediction.samples, prediction.endings, strict=True))
    }


def judge_samples(
    responses: Mapping[tuple[str, int], Item[T, str]],
    parse: Callable[[str, T], A],
    judge: Callable[[Sequence[Item[T, A]], OnResult], object],
    path: Path,
    step: Advance,
) -> None:
    """Append to `path` what `judge` finds of each response that has no verdict there yet, and sort the whole.

    A response without a verdict for want of the machine (`infra`) is judged again.
    """
    with Journal(path, Result, again=lambda result: result.outcome == "infra") as journal:
        done = {(result.task_id, result.sample) for result in journal.done}
        items = [
            Item(item.task, item.sample, parse(item.artifact, item.task), item.ended)
            for key, item in responses.items()
            if key not in done
        ]
        total = len(done) + len(items)
        step(len(done), total)

        def ready(result: Result) -> None:
            journal.append(result)
            step(len(journal.done), total)

        judge(items, settling(items, ready))
        journal.finish(lambda result: (result.task_id, result.sample))
    write_columns_of_many(path, total)
