"""Checks of verdicts against answers and tasks: one on each answer, every task there, the summary theirs."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.evaluation.summary import CellSummary, summarise_cell
from apigap.models.extraction import extract_code
from apigap.records.errors import CorruptRecord, InfrastructureError
from apigap.records.experiment import BASELINE
from apigap.records.result import Judged, Result
from apigap.records.store import read_bytes
from apigap.records.task import Task
from apigap.verification.checks import Check, check_of
from apigap.verification.submission import Submission, demand_plain, entries, made_from

CodeOf = Callable[[Result, str], str | None]
"""The code in the answer to a row; None where there was no time to look for it."""


def row_checks(run: Submission, tasks: Mapping[str, Task], minutes: float) -> list[Check]:
    """The checks of a run's rows; `tasks` are all that it must answer, by their ids.

    Answers are read for so many minutes at most: finding the code in one that was made to be slow takes seconds.
    """
    checks = [
        _verdicts(run, tasks, minutes),
        _all_tasks(run, tasks),
        _evaluator(run),
    ]
    if all(row.task_id in tasks for row in run.results) and run.results:
        checks.append(check_of("summary", _other_summary(run, tasks), "the figures are those of the verdicts"))
    return checks


def _verdicts(run: Submission, tasks: Mapping[str, Task], minutes: float) -> Check:
    name, until = "verdicts", time.monotonic() + 60 * minutes
    unread: list[Result] = []

    def code_of(row: Result, answer: str) -> str | None:
        if time.monotonic() > until:
            unread.append(row)
            return None
        return extract_code(answer, tasks[row.task_id].context_code).code

    faults = [*_disagreeing(run, tasks, code_of)]
    rows = len(run.results)
    if faults or not unread:
        return check_of(name, faults, f"{rows} verdicts, one on each answer, on what it holds")
    told = f"{len(unread)} of {rows} answers were not read: the {minutes:g} minutes of --judging-minutes were over"
    return Check(name=name, state="unchecked", told=told)


def _disagreeing(run: Submission, tasks: Mapping[str, Task], code_of: CodeOf) -> Iterator[str]:
    """The rows that do not belong to an answer, or that contradict themselves or it."""
    if not run.results:
        yield "there is no verdict"
    twice = [task for task, count in Counter(row.task_id for row in run.predictions).items() if count > 1]
    yield from (f"task {task} is answered twice" for task in twice)
    answers = {(row.task_id, number): text for row in run.predictions for number, text in enumerate(row.samples)}
    for (task, sample), count in Counter((row.task_id, row.sample) for row in run.results).items():
        if count > 1:
            yield f"there are {count} verdicts on task {task}, sample {sample}"
        if (task, sample) not in answers:
            yield f"there is a verdict on task {task}, sample {sample}, but no answer"
    judged = {(row.task_id, row.sample) for row in run.results}
    tasks_with_one = {task for task, _ in judged}
    missing = [key for key in answers if key not in judged and (not run.is_cell or key[0] in tasks_with_one)]
    yield from (f"there is no verdict on the answer to task {task}, sample {sample}" for task, sample in missing)
    for row in run.results:
        text = answers.get((row.task_id, row.sample))
        yield from (f"task {row.task_id}, sample {row.sample}: {fault}" for fault in _of_row(row, text, tasks, code_of))


def _of_row(row: Result, answer: str | None, tasks: Mapping[str, Task], code_of: CodeOf) -> Iterator[str]:
    """The faults of one verdict, without anything being run."""
    if row.passed != (row.outcome == "pass") or (row.passed and row.score != 1.0):
        yield f"its outcome is {row.outcome}, but it says passed {row.passed} with score {row.score:g}"
    if (row.label is not None) != (row.outcome == "fail"):
        yield f"its outcome is {row.outcome} with the label {row.label}"
    if row.passed and row.detail.get("limit"):
        yield f"it says that it passed and met a limit ({row.detail['limit']})"
    if row.outcome == "infra":
        yield "it has no verdict (infra)"
    if answer is None or row.task_id not in tasks:
        return
    task, code = tasks[row.task_id], code_of(row, answer)
    if code is not None and row.judged != Judged.of(code):
        yield "what was judged is not what the answer holds"
    if row.about != task.api_name:
        yield f"it is about {row.about or 'nothing'}, the task about {task.api_name}"


def _all_tasks(run: Submission, tasks: Mapping[str, Task]) -> Check:
    """Every task has as many verdicts as the others; tasks to which a condition does not apply are counted."""
    name = "tasks"
    there = Counter(row.task_id for row in run.results)
    strangers = [task for task in there if task not in tasks]
    missing = [task for task in tasks if task not in there]
    samples = max(there.values(), default=0)
    faults = [
        *(f"task {task} is none of the {len(tasks)} that had to be answered" for task in strangers),
        *(f"task {task} has {there[task]} of {samples} samples" for task in there if there[task] < samples),
    ]
    left_out = run.asked.counts.get("not applicable") if run.asked else None
    if missing and (run.condition == BASELINE.name or left_out != len(missing)):
        faults.append(f"{len(missing)} of {len(tasks)} tasks have no verdict, first {missing[0]}")
    if faults or not missing:
        return check_of(name, faults, f"all {len(tasks)} tasks are there, with {samples} samples each")
    told = f"the condition {run.condition} is said to show nothing for {left_out} of {len(tasks)} tasks"
    return Check(name=name, state="unchecked", told=told)


def _evaluator(run: Submission) -> Check:
    """One evaluator has judged everything, and it is the one that is installed here."""
    named = made_from(run.manifest).get("evaluator")
    told = None if named is None else str(named)
    rows = {row.evaluator for row in run.results}
    if rows - {told}:
        fault = f"verdicts are of {', '.join(sorted(rows))}, the manifest names {told or 'none'}"
        return Check(name="evaluator", state="wrong", told=fault)
    if run.manifest is None or told is None:
        return Check(name="evaluator", state="unchecked", told="nothing says which evaluator judged")
    if told != evaluator_hash():
        version = f"apigap {run.manifest.apigap}"
        return Check(
            name="evaluator",
            state="unchecked",
            told=f"judged by the evaluator {told} of {version}, here is {evaluator_hash()}: judge the answers again "
            "here, or verify with that version",
        )
    return Check(name="evaluator", state="sound", told=f"{told}, as here")


def _other_summary(run: Submission, tasks: Mapping[str, Task]) -> Iterator[str]:
    """The figures of the summary that are not those of the verdicts; the cost of answers is not looked at."""
    if not run.summary.is_file():
        yield f"there is no {run.summary.name}"
        return
    try:
        demand_plain(run.summary)
        told: Any = json.loads(read_bytes(run.summary))
    except (CorruptRecord, InfrastructureError, ValueError, RecursionError):
        told = None
    given = entries(told)
    if not given:
        yield f"{run.summary.name} is no summary"
        return
    judged = {row.task_id for row in run.results}
    predictions = [row for row in run.predictions if row.task_id in judged]
    found = json.loads(summarise_cell(run.results, list(tasks.values()), predictions).to_line())
    for key in sorted(CellSummary.model_fields.keys() - {"cost"}):
        if given.get(key) != found[key]:
            yield f"{run.summary.name} has {key} {_short(given.get(key))}, the verdicts give {_short(found[key])}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def board_rates(results: Sequence[Result]) -> dict[str, float]:
    """The share of each task's samples that pass; a cut answer is none of these: cutting could be chosen."""
    counts = Counter(row.task_id for row in results)
    passed = Counter(row.task_id for row in results if row.outcome == "pass")
    return {task: passed[task] / counts[task] for task in sorted(counts)}
