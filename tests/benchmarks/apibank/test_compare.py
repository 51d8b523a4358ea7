"""Two predictions files against each other: paired by task, per level, calls and replies apart."""

from pathlib import Path

import pytest

from apigap.benchmarks.apibank.adapter import ApiBank, load_bank
from apigap.benchmarks.apibank.compare import compare_apibank
from apigap.benchmarks.apibank.score import LEVELS
from apigap.records.errors import UsageError
from apigap.records.result import Prediction
from apigap.records.store import write_records
from tests.silent import Silent

OWN = Path("own")


def gold_answers() -> dict[str, str]:
    bank = load_bank(OWN)
    adapter = ApiBank(bank)
    return {task.task_id: adapter.gold(task) for level in LEVELS for task in bank.tasks(level)}


def answers(path: Path, known: set[str] | None = None, asked: set[str] | None = None) -> Path:
    """The right answer where the task is in `known` (default: everywhere), else a helpless one."""
    gold = gold_answers()
    rows = [
        Prediction(task_id=task_id, samples=(text if known is None or task_id in known else "I do not know.",))
        for task_id, text in gold.items()
        if asked is None or task_id in asked
    ]
    write_records(path, rows)
    return path


def test_gains_are_those_of_the_tasks_that_both_have_answered(tmp_path: Path) -> None:
    gold = sorted(gold_answers())
    before, after = answers(tmp_path / "before", set()), answers(tmp_path / "after", asked=set(gold[::2]))
    gains = compare_apibank(OWN, before, after, Silent(), "corrected")
    calls = [gain for gain in gains if gain.kind == "calls"]
    assert {gain.level for gain in calls} == {"level-1", "level-2", "level-3"}
    assert sum(gain.difference.n for gain in gains) <= len(gold[::2])
    assert all((gain.before, gain.after, gain.difference.difference) == (0, 1, 1) for gain in calls)
    assert max(gain.difference.low for gain in calls) > 0
    assert all(gain.adjusted >= gain.difference.p_value for gain in gains)


def test_the_same_answers_gain_nothing_and_turned_round_the_sign_turns(tmp_path: Path) -> None:
    gold = sorted(gold_answers())
    some, more = answers(tmp_path / "some", set(gold[::3])), answers(tmp_path / "more", set(gold[::3] + gold[1::3]))
    assert all(g.difference.difference == 0 for g in compare_apibank(OWN, some, some, Silent()))
    forth, back = compare_apibank(OWN, some, more, Silent()), compare_apibank(OWN, more, some, Silent())
    assert [g.difference.difference for g in forth] == pytest.approx([-g.difference.difference for g in back])
    assert any(g.difference.difference > 0 for g in forth)


def test_files_without_a_common_task_are_refused(tmp_path: Path) -> None:
    gold = sorted(gold_answers())
    one, other = answers(tmp_path / "one", asked=set(gold[:3])), answers(tmp_path / "other", asked=set(gold[3:5]))
    with pytest.raises(UsageError, match="no task of API-Bank that is the same"):
        compare_apibank(OWN, one, other, Silent())
