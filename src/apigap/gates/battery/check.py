"""Comparison of the judge's verdict on a case with the one that it must reach."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apigap.diagnosis import diagnose
from apigap.gates.battery.case import LEAK, PASS, Case
from apigap.records.result import FailureLabel
from apigap.records.run import RunRecord
from apigap.records.task import Task
from apigap.sandbox.verdict.judge import Verdict


@dataclass(frozen=True)
class Judged:
    """A case with its verdict; `problem` says what is wrong with that, None when it is as it must be."""

    case: Case
    verdict: Verdict
    label: FailureLabel | None
    problem: str | None


def with_references(task: Task, cases: Iterable[Case]) -> Iterator[Case]:
    """Each case; after each that must be contained the reference, which must pass as if nothing had been."""
    for case in cases:
        yield case
        if case.contained or case.exits:
            yield Case(case.family, f"the reference, after: {case.name}", task.masked_region, PASS, heavy=case.heavy)


def problem_of(task: Task, case: Case, verdict: Verdict) -> Judged:
    """Hold the verdict, its label and what the program printed against the case."""
    label = diagnose(task, case.code, verdict).label
    return Judged(case, verdict, label, _problem(case, verdict, label))


def _problem(case: Case, verdict: Verdict, label: FailureLabel | None) -> str | None:
    runs = [*verdict.runs, *([verdict.recorded] if verdict.recorded else [])]
    leak = next((line for run in runs for line in _leaks(run)), None)
    if leak is not None:
        return f"it could reach what it must not: {leak[:200]}"
    if verdict.outcome not in case.outcomes:
        return f"it is judged {verdict.outcome}, not {' or '.join(case.outcomes)} ({verdict.detail.get('reason')})"
    limit = next((run.limit for run in runs if run.limit), None)
    if case.exits and limit:
        return f"an early exit is told as the {limit} limit"
    if verdict.outcome == "fail" and case.labels and label not in case.labels:
        return f"the fail is labelled {label}, not {' or '.join(case.labels)} ({verdict.detail.get('reason')})"
    return None


def _leaks(run: RunRecord) -> list[str]:
    return [line for line in run.stdout.splitlines() if line.startswith(LEAK)]
