"""The numbers: by hand on small reports, and laws on larger ones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigap.reporting.cells import api_rows, cells_of
from apigap.reporting.headline import headline
from apigap.reporting.model import AuditReport, Condition, SampleEntry, TaskEntry
from apigap.reporting.page import build_page
from apigap.reporting.tables import cut_lines, summary_rows
from tests.reporting.sample_report import sample_report

CONDITIONS = (
    Condition(name="baseline", title="nothing"),
    Condition(name="s", title="signature"),
    Condition(name="full", title="full bundle"),
)
_PROMPT = {"baseline": 100, "s": 150, "full": 900}
Marks = dict[str, dict[str, str]]


def report(marks: Marks, conditions: tuple[Condition, ...] = CONDITIONS, change: str = "added") -> AuditReport:
    """`marks` gives per task ("api/difficulty") and condition the outcomes of its samples: p, f, i or s."""
    outcomes: dict[str, Any] = {"p": "pass", "f": "fail", "i": "infra", "s": "suspect", "c": "cut"}
    tasks = [
        TaskEntry(
            task_id=name,
            api_name=name.partition("/")[0],
            library="lib",
            change=change,  # type: ignore[arg-type]
            difficulty="easy",
            description="",
            context_code="",
            reference_solution="",
        )
        for name in marks
    ]
    samples = [
        SampleEntry(
            condition=condition,
            task_id=name,
            sample=number,
            outcome=outcomes[mark],
            label="WrongLogic" if mark == "f" else None,
            prompt="x" * _PROMPT[condition],
            answer="",
            code="",
        )
        for name, row in marks.items()
        for condition, letters in row.items()
        for number, mark in enumerate(letters)
    ]
    return AuditReport(
        title="t",
        model="q",
        libraries=(),
        conditions=conditions,
        tasks=tuple(tasks),
        samples=tuple(samples),
        isolation="",
        evaluator="",
    )


def test_a_summary_counts_by_hand() -> None:
    rows = summary_rows(
        report({"a/1": {"baseline": "pf", "s": "pp"}, "a/2": {"baseline": "fi", "s": "sp"}, "b": {"baseline": "ii"}})
    )
    baseline, signature, full = rows
    assert (baseline.samples, baseline.passed, baseline.failed, baseline.infra) == (6, 1, 2, 3)
    assert (baseline.tasks, baseline.apis, baseline.labels["WrongLogic"]) == (2, 1, 2)
    assert baseline.pass_at_1 == pytest.approx(0.25)  # (1/2 + 0/1) / 2; what infra stopped does not count
    assert baseline.gain is None and baseline.p_adjusted is None
    assert (signature.pass_at_1, signature.suspect) == (pytest.approx(0.75), 1)
    assert signature.gain and signature.gain.difference == pytest.approx(0.5)
    assert signature.pass_at_k == {1: pytest.approx(0.75), 2: pytest.approx(1.0)}
    assert (full.pass_at_1, full.low, full.high, full.gain) == (None, 0.0, 1.0, None)


def test_cut_answers_count_nowhere_and_are_told_with_bounds() -> None:
    audit = report({"a": {"baseline": "pc", "s": "pp"}, "b": {"baseline": "fc", "s": "pp"}})
    baseline, signature, *_ = rows = summary_rows(audit)
    assert (baseline.samples, baseline.cut, baseline.failed, baseline.pass_at_1) == (4, 2, 1, 0.5)
    assert (baseline.lowest, baseline.highest, signature.cut) == (0.25, 0.75, 0)
    (line,) = cut_lines(rows)
    assert "2 of 4 answers were cut" in line and "between 25%" in line and "75%" in line
    assert build_page(audit).cut == (line,)
    states = [cells_of(report({"a": {"baseline": marks}}))["a", "baseline"].state for marks in ("c", "cp", "cf")]
    assert states == ["infra", "pass", "fail"]


def test_the_cheapest_cure_has_the_shortest_prompt() -> None:
    audit = report({"a": {"baseline": "f", "s": "p", "full": "p"}, "b": {"baseline": "f", "s": "f", "full": "p"}})
    cures = [row.cheapest.name if row.cheapest else None for row in api_rows(audit, cells_of(audit))]
    assert cures == ["s", "full"]


def test_page_and_tables_agree() -> None:
    audit = sample_report()
    top, rows = headline(audit), summary_rows(audit)
    assert top.best and top.helped == max(row.passed for row in rows[1:])
    assert (top.asked, top.passed) == (rows[0].passed + rows[0].failed + rows[0].suspect, rows[0].passed)
    assert [row.condition for row in rows] == [condition.name for condition in audit.conditions]
    for row in rows:
        assert row.samples == row.passed + row.failed + row.infra + row.suspect == len(audit.tasks)
        assert sum(row.labels.values()) == row.failed
        assert row.pass_at_1 is not None and row.low <= row.pass_at_1 <= row.high


@given(st.randoms())
def test_the_order_of_samples_does_not_matter(shuffle: Any) -> None:
    audit = report({"a/1": {"baseline": "pf", "s": "pp"}, "a/2": {"baseline": "fi", "s": "sp"}, "b": {"s": "pf"}})
    samples = list(audit.samples)
    shuffle.shuffle(samples)
    assert summary_rows(audit.model_copy(update={"samples": tuple(samples)})) == summary_rows(audit)
