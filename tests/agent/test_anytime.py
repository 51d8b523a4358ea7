"""The answer at any time: every code on the way is judged, at what had been spent by then."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from apigap.agent.anytime import AGENTS, AgentRecord, CodeItem, write_agents
from apigap.agent.session import Session
from apigap.evaluation.item import Item
from apigap.models.extraction import extract_code
from apigap.records.result import Result
from apigap.records.store import load_records

from .desk import blocks
from .test_evidence import NEW, traced


def verdict(item: CodeItem) -> Result:
    right = "slugify" in item.artifact.code
    return Result(
        task_id=item.task.task_id, sample=item.sample, outcome="pass" if right else "fail", passed=right,
        score=float(right), label=None if right else "WrongLogic", detail={}, evaluator="e", seconds=0.0,
    )  # fmt: skip


class Desk:
    """A judge that counts what it is asked."""

    def __init__(self) -> None:
        self.judged: list[str] = []

    def __call__(self, items: Sequence[CodeItem]) -> list[Result]:
        self.judged += [item.artifact.code for item in items]
        return [verdict(item) for item in items]


def written(folder: Path, one: Session, desk: Desk) -> AgentRecord:
    last = verdict(Item(one.task, 0, extract_code(f"```python\n{one.code}\n```")))
    write_agents(folder, [one], {one.key: last}, desk, {"evaluator": "e"})
    (row,) = load_records(folder / AGENTS, AgentRecord)
    return row


def test_every_code_is_judged_once_at_its_price(tmp_path: Path) -> None:
    one = traced(
        NEW,
        (blocks(("run_code", "y = 1")), ["1"]),
        (blocks(("search_docs", "a"), ("run_code", "y = slugify(x)")), ["-", "'a'"]),
        (blocks(("run_code", "y = 1")), ["1"]),
        (blocks(("submit", "y = slugify(x)")), [""]),
    )
    desk = Desk()
    row = written(tmp_path, one, desk)
    assert desk.judged == ["y = 1", "y = slugify(x)"]
    assert [(point.calls, point.tokens, point.outcome) for point in row.points] == [
        (1, 15, "fail"), (3, 30, "pass"), (4, 45, "fail"), (4, 60, "pass"),
    ]  # fmt: skip
    assert (row.outcome, row.waste, row.known[0].state, row.over) == ("pass", None, "unaided", "submitted")
    again = Desk()
    assert written(tmp_path, one, again) == row
    assert again.judged == []


def test_another_trace_is_judged_anew(tmp_path: Path) -> None:
    written(tmp_path, traced(NEW, (blocks(("submit", "y = slugify(x)")), [""])), Desk())
    desk = Desk()
    row = written(tmp_path, traced(NEW, (blocks(("submit", "y = 2")), [""])), desk)
    assert desk.judged == ["y = 2"]
    assert (row.outcome, row.label, row.waste) == ("fail", "WrongLogic", "used no tool")


def test_who_wrote_no_code_has_no_point(tmp_path: Path) -> None:
    row = written(tmp_path, traced(NEW, ("no", []), ("no", [])), Desk())
    assert (row.points, row.over, row.waste) == ((), "gave up", "gave up")


@pytest.mark.parametrize("text", ["```python\ny = slugify(x)\n```"])
def test_code_beside_a_call_that_was_not_made_is_a_point(tmp_path: Path, text: str) -> None:
    (point,) = written(tmp_path, traced(NEW, (text, []), ("no", [])), Desk()).points
    assert (point.step, point.calls, point.tokens, point.outcome) == (0, 0, 15, "pass")
