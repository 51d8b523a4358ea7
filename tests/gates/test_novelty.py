"""C2 and C3 decide from verdicts; what was not judged is evidence of nothing."""

from itertools import pairwise

import pytest

from apigap.gates.novelty import novelty_of, novelty_record
from apigap.gates.record import not_run
from apigap.gates.solvability import solvability_record
from apigap.records.result import Outcome, Result
from tests.records.test_task import make_task

TASK = make_task()


def results(*outcomes: Outcome) -> list[Result]:
    return [
        Result(
            task_id=TASK.task_id, sample=n, outcome=outcome, passed=outcome == "pass", score=0.0, label=None,
            detail={}, evaluator="e", seconds=0.0,
        )
        for n, outcome in enumerate(outcomes)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("outcomes", "status", "reason"),
    [
        (("fail", "fail"), "passed", None),
        (("fail", "suspect"), "passed", None),
        (("fail", "pass"), "failed", "passes 1 of 2 times"),
        (("fail", "infra"), "not run", "1 of 2 answers could not be judged"),
        (("fail", "cut"), "passed", None),
        (("cut", "pass"), "failed", "passes 1 of 2 times"),
        (("cut", "cut"), "failed", "no answer is whole (2 cut)"),
    ],
)
def test_c2(outcomes: tuple[Outcome, ...], status: str, reason: str | None) -> None:
    record = novelty_record(TASK, results(*outcomes))
    assert record.status == status
    assert (reason is None) == (record.reason is None)
    assert reason is None or reason in (record.reason or "")


def test_c3_needs_one_pass_and_is_never_passed_when_it_did_not_run() -> None:
    assert solvability_record(TASK, "solver", results("fail", "pass")).status == "passed"
    assert solvability_record(TASK, "solver", results("fail", "fail")).status == "failed"
    assert solvability_record(TASK, "solver", results("fail", "infra")).status == "not run"
    cut = solvability_record(TASK, "solver", results("fail", "cut"))
    assert (cut.status, "1 answers were cut" in (cut.reason or "")) == ("failed", True)
    (record,) = not_run([TASK], "c3", "no solver")
    assert (record.status, record.reason) == ("not run", "no solver")


def test_novelty_grows_with_every_failure_and_shrinks_with_a_pass() -> None:
    seen = [novelty_of(failed, 0) for failed in range(9)]
    assert [round(one.estimate, 2) for one in seen[:3]] == [0.5, 0.75, 0.83]
    assert all(a.probability_new < b.probability_new and a.low < b.low for a, b in pairwise(seen[1:]))
    assert all(one.low <= one.estimate <= one.high == 1.0 for one in seen)
    three, eight = seen[3], seen[8]
    assert round(three.probability_new, 2) == 0.77
    assert round(eight.probability_new, 2) == 0.95
    assert novelty_of(7, 1).probability_new < eight.probability_new
    assert novelty_of(0, 1).low == 0.0
