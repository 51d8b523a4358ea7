"""Two models' answers to API-Bank compared task by task: before and after a training, for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Literal

from apigap.benchmarks.apibank.adapter import ApiBank, Mode, load_bank
from apigap.benchmarks.apibank.api_search import RECORDED
from apigap.benchmarks.apibank.dialogues import Level, Task
from apigap.benchmarks.apibank.prompts import Protocol
from apigap.benchmarks.apibank.score import LEVELS, answers_of, judge_answers
from apigap.evaluation.paired_gain import PairedGain, corrected, paired_gain
from apigap.records.errors import UsageError
from apigap.records.progress import Progress

Kind = Literal["calls", "replies"]
_KINDS: tuple[Kind, ...] = ("calls", "replies")
Scores = dict[str, float]


@dataclass(frozen=True)
class Gain(PairedGain):
    """What the second answers gain over the first on the tasks that both have answered.

    Means are the share of right calls or the ROUGE-L of replies; clusters are whole dialogues.
    """

    level: Level
    kind: Kind


def compare_apibank(
    data: Path, before: Path, after: Path, progress: Progress, mode: Mode = "released", protocol: Protocol = "text",
    search: str = RECORDED,
) -> list[Gain]:  # fmt: skip
    """Judge two predictions files and compare them per level, calls and replies apart.

    Raises:
        CorruptRecord: when a prediction is of an unknown task, or two are of one.
        UsageError: when the files share no task.
    """
    bank = load_bank(data)
    adapter = ApiBank(bank, mode, protocol, search, progress.note)
    first, second = (_scores(adapter, path, progress) for path in (before, after))
    gains = [
        _gain(level, kind, tasks, first, second)
        for level in LEVELS
        for kind in _KINDS
        if (tasks := _shared(level, kind, adapter, first, second))
    ]
    if not gains:
        raise UsageError(f"{before} and {after} answer no task of API-Bank that is the same; ask both for the same")
    return corrected(gains)


def _scores(adapter: ApiBank, path: Path, progress: Progress) -> Scores:
    """The mean score over samples, by task."""
    values: dict[str, list[float]] = {}
    for result in judge_answers(adapter, answers_of(adapter.bank, path), progress):
        values.setdefault(result.task_id, []).append(result.score)
    return {task_id: fmean(scores) for task_id, scores in values.items()}


def _shared(level: Level, kind: Kind, adapter: ApiBank, first: Scores, second: Scores) -> list[Task]:
    return [
        task
        for task in adapter.bank.tasks(level)
        if task.is_call == (kind == "calls") and task.task_id in first and task.task_id in second
    ]


def _gain(level: Level, kind: Kind, tasks: Sequence[Task], first: Scores, second: Scores) -> Gain:
    before, after = ([scores[task.task_id] for task in tasks] for scores in (first, second))
    found = paired_gain(before, after, [task.api_name for task in tasks], smoothed=kind == "calls")
    return Gain(found.before, found.after, found.difference, found.adjusted, level, kind)
