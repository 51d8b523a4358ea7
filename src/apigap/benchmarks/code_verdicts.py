"""Results of judged code: the record of a verdict on an answer, and answers by the place where they run."""

from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

from apigap.diagnosis import Diagnosis
from apigap.evaluation.item import BenchmarkTask, Item
from apigap.models.extraction import Extraction
from apigap.records.result import Judged, Result
from apigap.sandbox.verdict.judge import Verdict


class CodeTask(BenchmarkTask, Protocol):
    """A task that code answers."""

    @property
    def library(self) -> str:
        """The library of the API."""
        ...

    @property
    def context_code(self) -> str:
        """The code that stands before the answer."""
        ...


T = TypeVar("T", bound=CodeTask)
K = TypeVar("K", bound=Hashable)


def code_result(item: Item[T, Extraction], verdict: Verdict, finding: Diagnosis | None, evaluator: str) -> Result:
    """The record of a verdict; `finding` is the diagnosis of a fail."""
    detail = {**verdict.detail, "extraction": item.artifact.rule}
    if finding is not None:
        detail = {**detail, "why": finding.reason, "evidence": finding.evidence}
    return Result(
        task_id=item.task.task_id,
        sample=item.sample,
        outcome=verdict.outcome,
        passed=verdict.outcome == "pass",
        score=verdict.score,
        label=finding.label if finding else None,
        detail=detail,
        evaluator=evaluator,
        seconds=round(sum(run.seconds for run in verdict.runs), 3),
        judged=Judged.of(item.artifact.code),
        about=item.task.api_name,
        part=item.task.library,
    )


def places_by(items: Sequence[Item[T, Extraction]], key: Callable[[T], K]) -> dict[K, list[int]]:
    """The places of the items in their list, by a key of their tasks."""
    places: dict[K, list[int]] = {}
    for place, item in enumerate(items):
        places.setdefault(key(item.task), []).append(place)
    return places
