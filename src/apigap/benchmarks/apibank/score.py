"""API-Bank: predictions of any source judged and summed up, as the paper's tables have it."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.benchmarks.apibank.adapter import ApiBank, Bank, Mode, evaluator, load_bank
from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.dialogues import Level, Task
from apigap.benchmarks.apibank.prompts import Protocol
from apigap.records.errors import CorruptRecord
from apigap.records.manifest import Stage, file_hash
from apigap.records.progress import Progress
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records, write_records
from apigap.statistics import clustered_wilson

LEVELS: tuple[Level, ...] = ("level-1", "level-2", "level-3")
WEIGHTS: dict[Level, int] = {"level-1": 774, "level-2": 238, "level-3": 295}
"""What the paper's Total weighs each level by: all rows of the published files, calls and replies together."""


def score_apibank(
    data: Path, predictions: Path, out: Path, progress: Progress, mode: Mode, protocol: Protocol = "text",
    search: str = RECORDED, answered_only: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Judge a predictions file; a result per sample goes to `out`; returns the summary.

    For `search` see `SearchPlan`. What has no answer counts as wrong, or, with `answered_only`, not at all.

    Raises:
        CorruptRecord: when the data is not what it must be, a prediction is of an unknown task, or two are of one.
    """
    bank = load_bank(data)
    adapter = ApiBank(bank, mode, protocol, search, progress.note)
    given = answers_of(bank, predictions)
    stage = Stage(
        out.with_name(f"{out.stem}.manifest.json"), "score apibank",
        {
            "mode": mode, "protocol": protocol, **adapter.plan.described,
            "predictions": file_hash(predictions), "evaluator": evaluator(),
        },
    )  # fmt: skip
    results = judge_answers(adapter, given, progress)
    write_records(out, results)
    stage.finish({"samples": len(results)})
    return {**summarise_bank(bank, results, mode, answered_only), "search": search}


Answer = tuple[Task, Prediction]


def judge_answers(adapter: ApiBank, answers: Sequence[Answer], progress: Progress) -> list[Result]:
    """A result per sample of each answer."""
    step = progress.step("verdicts")
    results: list[Result] = []
    for number, (task, prediction) in enumerate(answers, start=1):
        results += [adapter.score(task, text, sample) for sample, text in enumerate(prediction.samples)]
        step(number, len(answers))
    return results


def answers_of(bank: Bank, path: Path) -> list[Answer]:
    """The tasks that a predictions file answers; those whose truth is a user's words are left out, as released.

    Raises:
        CorruptRecord: when a prediction is of an unknown task, or two are of one.
    """
    tasks = {task.task_id: task for level in LEVELS for task in bank.tasks(level)}
    spoken = {s.task_id for dialogue in bank.dialogues for s in dialogue.samples if s.truth.role == "User"}
    predictions = load_records(path, Prediction)
    for task_id, count in Counter(prediction.task_id for prediction in predictions).items():
        if task_id not in tasks and task_id not in spoken:
            raise CorruptRecord(
                f"{path} answers {task_id!r}, which API-Bank does not have; ids are FILE#SAMPLE_ID, "
                "level-3-SAMPLE_ID#API_ID or level-3-SAMPLE_ID#response"
            )
        if count > 1:
            raise CorruptRecord(f"{path} answers {task_id} {count} times; keep one line with all its samples")
    return [(tasks[one.task_id], one) for one in predictions if one.task_id in tasks]


def summarise_bank(bank: Bank, results: Sequence[Result], mode: Mode, answered_only: bool = False) -> dict[str, Any]:
    """Figures per level and the paper's weighted totals; tasks without an answer count as wrong, and are counted."""
    by_task: dict[str, list[Result]] = {}
    for result in results:
        by_task.setdefault(result.task_id, []).append(result)
    tasks = {level: [t for t in bank.tasks(level) if t.task_id in by_task or not answered_only] for level in LEVELS}
    levels = {level: _level(level, tasks[level], by_task) for level in LEVELS}
    weights: dict[Level, int] = {level: len(tasks[level]) for level in LEVELS}
    shares: dict[Level, float | None] = {level: levels[level]["paper_accuracy"] for level in LEVELS}
    rouge: dict[Level, float | None] = {level: levels[level]["rouge_l"] for level in LEVELS}
    return {
        "mode": mode,
        "evaluator": evaluator(),
        "levels": levels,
        "total": {"accuracy": weighted(shares, weights), "rouge_l": weighted(rouge, weights)},
    }


def weighted(values: Mapping[Level, float | None], weights: Mapping[Level, int] = WEIGHTS) -> float | None:
    """The paper's Total: the mean over levels, weighted by their rows; None where a level has no answer at all."""
    if any(values[level] is None for level in LEVELS):
        return None
    return math.fsum(weights[level] * (values[level] or 0.0) for level in LEVELS) / sum(weights.values())


def _level(level: Level, tasks: Sequence[Task], results: Mapping[str, Sequence[Result]]) -> dict[str, Any]:
    calls = [task for task in tasks if task.is_call]
    replies = [task for task in tasks if not task.is_call]
    distinct = [task for task in calls if getattr(task, "duplicate_of", None) is None]
    answered = [task for task in calls if task.task_id in results]
    rates = [_mean([float(r.passed) for r in results.get(task.task_id, ())]) or 0.0 for task in calls]
    interval = clustered_wilson(rates, [task.api_name for task in calls])
    wrong = {task.api_name for task, rate in zip(calls, rates, strict=True) if rate < 1}
    requirements = {task.api_name for task in calls}
    whole = 1 - len(wrong) / len(requirements) if level == "level-3" and requirements else None
    accuracy = math.fsum(rates) / len(calls) if answered else None
    said = [_mean([r.score for r in results.get(task.task_id, ())]) for task in replies]
    categories = Counter(
        r.detail["category"] for task in calls for r in results.get(task.task_id, ()) if r.detail.get("category")
    )
    return {
        "calls": len(calls),
        "distinct_calls": len(distinct),
        "answered": len(answered),
        "right": math.fsum(rates),
        "accuracy": accuracy,
        "interval": [interval.low, interval.high] if answered else None,
        "distinct_accuracy": _share(distinct, results) if answered else None,
        "whole_requirements": whole if answered else None,
        "paper_accuracy": (whole if level == "level-3" else accuracy) if answered else None,
        "categories": dict(sorted(categories.items())),
        "labels": dict(sorted(Counter(r.label for t in calls for r in results.get(t.task_id, ()) if r.label).items())),
        "replies": len(replies),
        "replies_answered": sum(1 for score in said if score is not None),
        "rouge_l": _mean([score or 0.0 for score in said]) if any(score is not None for score in said) else None,
    }


def _share(tasks: Sequence[Task], results: Mapping[str, Sequence[Result]]) -> float | None:
    return _mean([_mean([float(r.passed) for r in results.get(task.task_id, ())]) or 0.0 for task in tasks])


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def calibrate_apibank(data: Path, mode: Mode) -> tuple[list[dict[str, Any]], dict[str, list[str]], int]:
    """Judge every gold call, an empty answer and a call of another API.

    Returns:
        The probes with another verdict than they must have, the gold calls that the released evaluator judges wrong
        (by level; in the corrected mode they would be among the first), and how many probes there are.
    """
    bank = load_bank(data)
    adapter = ApiBank(bank, mode)
    wrong: list[dict[str, Any]] = []
    refused: dict[str, list[str]] = {level: [] for level in LEVELS}
    count = 0
    for level in LEVELS:
        for task in (task for task in bank.tasks(level) if task.is_call):
            probes = [("", False), ("[NoSuchApi(keywords='nothing')]", False), (adapter.gold(task), True)]
            count += len(probes)
            for answer, right in probes:
                if adapter.score(task, answer).passed != right:
                    if right and mode == "released":
                        refused[level].append(task.task_id)
                    else:
                        wrong.append({"task_id": task.task_id, "response": answer, "expected": float(right)})
    return wrong, refused, count
