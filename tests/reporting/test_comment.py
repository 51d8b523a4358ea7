"""The comment on a release: figures with intervals, the gate in words, and nothing of it acts as Markdown."""

import re

import pytest

from apigap.reporting.comment import comment, gate_words, is_below
from apigap.reporting.tables import summary_rows
from tests.reporting.sample_report import sample_report


def test_every_condition_stands_there_with_its_interval() -> None:
    report = sample_report()
    text = comment(report)
    for row in summary_rows(report):
        assert f"| {row.title} | {100 * (row.pass_at_1 or 0):.0f} % | {row.low:.0%} to {row.high:.0%} |" in text
    assert "Gate" not in text
    assert report.evaluator in text


@pytest.mark.parametrize(("share", "closed"), [(0.0, False), (0.5, None), (1.0, True)])
def test_the_gate_is_closed_where_the_whole_interval_is_below(share: float, closed: bool | None) -> None:
    report = sample_report()
    row = summary_rows(report)[0]
    assert 0 < row.high < 1, "the sample decides nothing here"
    below = is_below(row, share)
    assert below == (row.high < share) and (closed is None or below == closed)
    assert (f"surely less: the gate is {'closed' if below else 'open'}") in comment(report, share)


def test_without_a_task_the_gate_says_nothing() -> None:
    report = sample_report().model_copy(update={"tasks": (), "samples": ()})
    row = summary_rows(report)[0]
    assert not is_below(row, 1.0)
    assert "nothing can be said" in gate_words(row, 1.0)
    assert "| pass@1 |" not in comment(report, 1.0)


def test_what_comes_from_elsewhere_ends_no_line_and_no_cell() -> None:
    report = sample_report().model_copy(update={"title": "lib | 1\n# heading", "notes": ("a\n| b",)})
    text = comment(report)
    assert "\n# heading" not in text
    assert "- a \\| b\n" in text
    tables = re.findall(r"^\|.*\|$", text, re.MULTILINE)
    assert len({line.count("|") for line in tables[:2]}) == 1
