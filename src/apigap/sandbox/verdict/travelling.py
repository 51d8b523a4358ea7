"""Trials and verdicts as bytes of our own schema, for a judge on another machine."""

from collections.abc import Sequence
from typing import Any, Self

from apigap.records.base import Record, canonical_json
from apigap.records.result import Outcome
from apigap.records.run import RunRecord
from apigap.records.task import Task
from apigap.sandbox.elsewhere import Elsewhere, Order, Piece
from apigap.sandbox.verdict.trials import Trial, cost_of
from apigap.sandbox.verdict.verdict import OnVerdict, Verdict


class VerdictRecord(Record):
    """A verdict as one line of a file or message."""

    outcome: Outcome
    score: float
    detail: dict[str, Any]
    runs: tuple[RunRecord, ...]
    recorded: RunRecord | None

    @classmethod
    def of(cls, verdict: Verdict) -> Self:
        """The record of a verdict."""
        return cls(
            outcome=verdict.outcome, score=verdict.score, detail=verdict.detail,
            runs=verdict.runs, recorded=verdict.recorded,
        )  # fmt: skip

    @property
    def verdict(self) -> Verdict:
        """The verdict that was recorded."""
        return Verdict(self.outcome, self.score, self.detail, self.runs, self.recorded)


class _Code(Record):
    code: str


def pieces_of(trials: Sequence[Trial]) -> list[Piece]:
    """Each trial as a piece of work, whose shared part is its task."""
    lines: dict[int, bytes] = {}  # by identity: the samples of a task are trials of one object
    for trial in trials:
        if id(trial.task) not in lines:
            lines[id(trial.task)] = trial.task.to_line().encode()
    return [
        Piece(lines[id(trial.task)], canonical_json({"code": trial.code}).encode(), cost_of(trial)) for trial in trials
    ]


def task_in(shared: bytes) -> Task:
    """The task that is the shared part of pieces."""
    return Task.from_line(shared)


def trial_in(task: Task, own: bytes) -> Trial:
    """The trial of a task whose own part this is."""
    return Trial(task, _Code.from_line(own).code)


def tell_elsewhere(elsewhere: Elsewhere, order: Order, trials: Sequence[Trial], on_result: OnVerdict) -> None:
    """Tell the verdicts that other machines reach on `trials`, as they come.

    A trial that no machine outlived has no verdict (`infra`).

    Raises:
        InfrastructureError: when no machine is left that can judge.
    """
    elsewhere.do(
        order,
        pieces_of(trials),
        lambda number, line: on_result(number, VerdictRecord.from_line(line).verdict),
        lambda number, reason: on_result(number, _without(reason)),
    )


def _without(reason: str) -> Verdict:
    return Verdict("infra", 0.0, {"phase": "start", "reason": reason}, (), None)
