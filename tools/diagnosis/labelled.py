"""Hand-labelled answers through the whole evaluation, beside what the classifier says of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from apigap.benchmarks.novelapi.judge import NovelApiJudge
from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.diagnosis.judge import Failure
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.records.errors import CorruptRecord
from apigap.records.progress import Progress
from apigap.records.result import FAILURE_LABELS, Result
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.cache import VerdictCache
from apigap.statistics import Agreement, agreement
from apigap.tasks.starter_files import library_path
from apigap.tasks.task_files import load_tasks
from tools.diagnosis.labelled_answers import LabelledAnswer

EDITION = "2026.04"
"""The edition of the starter benchmark whose tasks were answered."""


@dataclass(frozen=True)
class Compared:
    """One labelled answer and its verdict."""

    library: str
    row: LabelledAnswer
    failure: Failure

    @property
    def result(self) -> Result:
        """The verdict."""
        return self.failure.result

    @property
    def agrees(self) -> bool:
        """Tell whether person and classifier give the same label."""
        return self.result.label == self.row.label


def compare_labelled(
    labelled: Mapping[str, Sequence[LabelledAnswer]], engine: Engine, progress: Progress, edition: str = EDITION
) -> list[Compared]:
    """Judge every answer to an edition's tasks, library by library; verdicts that are known are not reached again.

    Raises:
        CorruptRecord: for a row of a task that the starter benchmark does not have.
    """
    return [
        compared
        for library, rows in labelled.items()
        for compared in _compare(library, rows, engine, progress, edition)
    ]


def agreement_of(compared: Iterable[Compared]) -> Agreement:
    """The agreement of the classifier with the labels, over all answers that do fail."""
    pairs = [(one.row.label, one.result.label) for one in compared]
    return agreement([(truth, given) for truth, given in pairs if given is not None], FAILURE_LABELS)


def _compare(
    library: str, rows: Sequence[LabelledAnswer], engine: Engine, progress: Progress, edition: str
) -> list[Compared]:
    tasks = {task.task_id: task for task in load_tasks(library_path(library, edition))}
    for row in rows:
        if row.task_id not in tasks:
            raise CorruptRecord(f"the starter benchmark has no task {row.task_id} on {library}, and a label of it")
    wanted = [tasks[row.task_id] for row in rows]
    judge = NovelApiJudge(engine, homes_of(wanted, engine), VerdictCache(engine))
    items = [
        Item(task, number, extract_code(row.response, task.context_code))
        for number, (task, row) in enumerate(zip(wanted, rows, strict=True))
    ]
    step, done = progress.step(library), [0]

    def ready(_: Result) -> None:
        done[0] += 1
        step(done[0], len(items))

    results = judge.score_all(items, ready)
    return [
        Compared(library, row, Failure(item.task, item.artifact.code, result))
        for row, item, result in zip(rows, items, results, strict=True)
    ]
