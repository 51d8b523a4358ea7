"""Two models' answers to API-Bank against each other: paired by task, per level, calls and replies apart."""

from pathlib import Path

import pytest

from apigap.analysis.compare import compare
from apigap.benchmarks.apibank.dialogues import LEVELS, load_bank
from apigap.benchmarks.apibank.judge import ApiBankJudge
from apigap.evaluation.gains import MeasuredGain
from apigap.records.result import Prediction
from apigap.records.store import write_records
from tests.benchmarks.runs import apibank, summary_of


def gold_answers() -> dict[str, str]:
    bank = load_bank(Path("own"))
    adapter = ApiBankJudge(bank)
    return {task.task_id: adapter.gold(task) for level in LEVELS for task in bank.tasks(level)}


def results(path: Path, known: set[str] | None = None, asked: set[str] | None = None, mode: str = "released") -> Path:
    """Verdicts on the right answer where the task is in `known` (default: everywhere), else on a helpless one."""
    rows = [
        Prediction(task_id=task_id, samples=(text if known is None or task_id in known else "I do not know.",))
        for task_id, text in gold_answers().items()
        if asked is None or task_id in asked
    ]
    answers = path.with_suffix(".answers.jsonl")
    write_records(answers, rows)
    summary_of(apibank(mode=mode), answers, path)
    return path


def gains(before: Path, after: Path) -> tuple[MeasuredGain, ...]:
    return compare(before, after).gains


def test_gains_are_those_of_the_tasks_that_both_have_answered(tmp_path: Path) -> None:
    gold = sorted(gold_answers())
    before = results(tmp_path / "before.jsonl", set(), mode="corrected")
    after = results(tmp_path / "after.jsonl", asked=set(gold[::2]), mode="corrected")
    found = gains(before, after)
    calls = [gain for gain in found if gain.part.endswith("calls")]
    assert {gain.part for gain in calls} == {"level-1 calls", "level-2 calls", "level-3 calls"}
    assert sum(gain.difference.n for gain in found) == len(gold[::2])
    assert all((gain.before, gain.after, gain.difference.difference) == (0, 1, 1) for gain in calls)
    assert max(gain.difference.low for gain in calls) > 0
    assert all(gain.adjusted >= gain.difference.p_value for gain in found)


def test_the_same_answers_gain_nothing_and_turned_round_the_sign_turns(tmp_path: Path) -> None:
    gold = sorted(gold_answers())
    some = results(tmp_path / "some.jsonl", set(gold[::3]))
    more = results(tmp_path / "more.jsonl", set(gold[::3] + gold[1::3]))
    assert all(gain.difference.difference == 0 for gain in gains(some, some))
    forth, back = gains(some, more), gains(more, some)
    assert [g.difference.difference for g in forth] == pytest.approx([-g.difference.difference for g in back])
    assert any(gain.difference.difference > 0 for gain in forth)
