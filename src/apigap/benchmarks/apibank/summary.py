"""The figures of API-Bank as the paper's tables have them, per level and in all."""

import math
from collections.abc import Iterable, Mapping, Sequence

from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.dialogues import LEVELS, Bank, Level, Task
from apigap.benchmarks.apibank.judge import EVALUATOR, Mode
from apigap.benchmarks.apibank.scoring.corrected_scorer import SEARCHER
from apigap.benchmarks.call_figures import CallFigures, call_figures
from apigap.evaluation.summary import Summary, Table, counted, mean_of, number
from apigap.records.base import Record
from apigap.records.result import Result
from apigap.statistics import clustered_wilson

WEIGHTS: dict[Level, int] = {"level-1": 774, "level-2": 238, "level-3": 295}
"""The weight of each level in the paper's Total: all rows of the published files, calls and replies together."""
Results = Mapping[str, Sequence[Result]]
"""By task id."""


class Part(Record):
    """The samples of some calls that have an answer, how many are right, and the rate."""

    answered: int
    right: int
    accuracy: float | None

    @classmethod
    def of(cls, results: Sequence[Result]) -> "Part":
        """The figures of these samples."""
        right = sum(result.passed for result in results)
        return cls(answered=len(results), right=right, accuracy=right / len(results) if results else None)

    def __str__(self) -> str:
        """Right of answered, with the rate."""
        return f"{self.right} of {self.answered} ({number(self.accuracy, 100)} %)"


class LevelFigures(Record):
    """The figures of one level; rates are None where no call, or no reply, has an answer.

    Where APIs are searched for, `searches` and `after_search` tell the searches and the calls after a right search
    apart: each task is asked after the recorded calls before it.
    """

    calls: int
    distinct_calls: int
    answered: int
    right: float
    accuracy: float | None
    interval: tuple[float, float] | None
    distinct_accuracy: float | None
    whole_requirements: float | None
    paper_accuracy: float | None
    categories: dict[str, int]
    labels: dict[str, int]
    searches: Part | None
    after_search: Part | None
    replies: int
    replies_answered: int
    rouge_l: float | None

    def row(self, level: str) -> tuple[str, ...]:
        """The level's row in a table."""
        return (
            level, f"{self.answered} of {self.calls}", number(self.accuracy, 100),
            "-" if not self.interval else "-".join(number(end, 100) for end in self.interval),
            number(self.distinct_accuracy, 100), number(self.whole_requirements, 100),
            f"{self.replies_answered} of {self.replies}", number(self.rouge_l, digits=4),
        )  # fmt: skip


class Total(Record):
    """The paper's weighted totals; None where a level has no answer at all."""

    accuracy: float | None
    rouge_l: float | None


class BankSummary(Summary):
    """Figures by level, and the paper's totals."""

    mode: Mode
    evaluator: str
    levels: dict[Level, LevelFigures]
    total: Total
    calls: CallFigures
    search: str

    def tables(self) -> list[Table]:
        """A row per level."""
        columns = (
            "level", "calls answered", "accuracy", "95 % (by dialogue)", "distinct calls", "whole requirements",
            "replies", "ROUGE-L",
        )  # fmt: skip
        rows = tuple(found.row(level) for level, found in self.levels.items())
        apart = tuple(
            (level, str(found.searches), str(found.after_search))
            for level, found in self.levels.items()
            if found.searches and found.after_search and found.answered
        )
        search = Table("Searches and calls apart, samples", ("level", "searches", "calls after a right search"), apart)
        whole = Table(f"API-Bank, {self.mode} mode, {self.search} search", columns, rows)
        return [whole, *([search] if apart else []), *self.calls.tables()]

    def notes(self) -> list[str]:
        """The totals, and the categories of errors."""
        accuracy, rouge = number(self.total.accuracy, 100), number(self.total.rouge_l, digits=4)
        total = f"the paper's weighted total: accuracy {accuracy}, ROUGE-L {rouge}"
        return [total, *(f"{level}: {one.categories}" for level, one in self.levels.items() if one.categories)]


def summarise_bank(
    bank: Bank, results: Iterable[Result], mode: Mode, answered_only: bool = False, search: str = RECORDED
) -> BankSummary:
    """Figures per level and the paper's weighted totals; tasks without an answer count as wrong, and are counted."""
    by_task: dict[str, list[Result]] = {}
    for result in results:
        by_task.setdefault(result.task_id, []).append(result)
    tasks = {level: [t for t in bank.tasks(level) if t.task_id in by_task or not answered_only] for level in LEVELS}
    levels: dict[Level, LevelFigures] = {level: _level(level, tasks[level], by_task) for level in LEVELS}
    weights: dict[Level, int] = {level: len(tasks[level]) for level in LEVELS}
    return BankSummary(
        mode=mode,
        evaluator=EVALUATOR.digest,
        levels=levels,
        total=Total(
            accuracy=weighted({level: found.paper_accuracy for level, found in levels.items()}, weights),
            rouge_l=weighted({level: found.rouge_l for level, found in levels.items()}, weights),
        ),
        calls=call_figures(
            result for own in tasks.values() for task in own for result in by_task.get(task.task_id, ())
        ),
        search=search,
    )


def weighted(values: Mapping[Level, float | None], weights: Mapping[Level, int] = WEIGHTS) -> float | None:
    """The paper's Total: the mean over levels, weighted by their rows; None where a level has no answer at all."""
    if any(values[level] is None for level in LEVELS):
        return None
    return math.fsum(weights[level] * (values[level] or 0.0) for level in LEVELS) / sum(weights.values())


def _level(level: Level, tasks: Sequence[Task], results: Results) -> LevelFigures:
    calls = [task for task in tasks if task.is_call]
    replies = [task for task in tasks if not task.is_call]
    distinct = [task for task in calls if getattr(task, "duplicate_of", None) is None]
    answered = [task for task in calls if task.task_id in results]
    rates = [_rate(task, results) for task in calls]
    interval = clustered_wilson(rates, [task.api_name for task in calls])
    wrong = {task.api_name for task, rate in zip(calls, rates, strict=True) if rate < 1}
    requirements = {task.api_name for task in calls}
    whole = 1 - len(wrong) / len(requirements) if level == "level-3" and requirements else None
    accuracy = math.fsum(rates) / len(calls) if answered else None
    scores = [mean_of(result.score for result in results.get(task.task_id, ())) for task in replies]
    judged = [result for task in calls for result in results.get(task.task_id, ())]
    searching = level != "level-1"
    return LevelFigures(
        calls=len(calls),
        distinct_calls=len(distinct),
        answered=len(answered),
        right=math.fsum(rates),
        accuracy=accuracy,
        interval=(interval.low, interval.high) if answered else None,
        distinct_accuracy=mean_of(_rate(task, results) for task in distinct) if answered else None,
        whole_requirements=whole if answered else None,
        paper_accuracy=(whole if level == "level-3" else accuracy) if answered else None,
        categories=counted(result.detail["category"] for result in judged if result.detail.get("category")),
        labels=counted(result.label for result in judged if result.label),
        searches=Part.of([r for r in judged if r.detail["api"] == SEARCHER]) if searching else None,
        after_search=Part.of([r for r in judged if r.detail["api"] != SEARCHER]) if searching else None,
        replies=len(replies),
        replies_answered=sum(1 for score in scores if score is not None),
        rouge_l=mean_of(score or 0.0 for score in scores) if any(score is not None for score in scores) else None,
    )


def _rate(task: Task, results: Results) -> float:
    """The share of a task's samples that are right; 0 without an answer."""
    return mean_of(float(result.passed) for result in results.get(task.task_id, ())) or 0.0
