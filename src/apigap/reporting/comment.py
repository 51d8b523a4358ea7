"""A report in a few lines of Markdown, for the comment on a release or a pull request."""

from collections.abc import Sequence

from apigap.reporting.headline import headline
from apigap.reporting.ladder_tables import MEASURES, measure_rows
from apigap.reporting.markdown import escaped, markdown_table
from apigap.reporting.model import AuditReport
from apigap.reporting.tables import ConditionSummary, cut_lines, stale_lines, summary_rows
from apigap.reporting.text import percent

_HEADS = ("the model was shown", "pass@1", "95 % interval", "answers that pass", "that fail", "without verdict")


def comment(report: AuditReport, fail_below: float | None = None) -> str:
    """The finding, its figures with intervals, and what became of the gate `fail_below` (0..1), where there is one."""
    rows = summary_rows(report)
    lines = [*(f"- {escaped(line)}\n" for line in (*cut_lines(rows), *stale_lines(report), *report.notes))]
    facts = f"Model {report.model}, isolation {report.isolation}, evaluator {report.evaluator}."
    parts = [f"### apigap: {escaped(report.title)}\n", f"**{escaped(headline(report, rows).text)}**\n"]
    if report.tasks:
        parts.append(markdown_table(_HEADS, map(_row, rows)))
    if report.ladder and (measures := measure_rows(report.ladder)):
        parts.append(markdown_table(MEASURES, measures))
    if fail_below is not None:
        parts.append(f"{gate_words(rows[0], fail_below)}\n")
    details = "".join([f"{escaped(facts)}\n\n", *lines])
    parts.append(f"<details><summary>What this stands on</summary>\n\n{details}\n</details>\n")
    return "\n".join(parts)


def is_below(row: ConditionSummary, fail_below: float) -> bool:
    """True where the whole 95 % interval of pass@1 lies below `fail_below`; never of no task."""
    return row.pass_at_1 is not None and row.high < fail_below


def gate_words(row: ConditionSummary, fail_below: float) -> str:
    """The decision of the gate in a sentence; `row` is the condition without knowledge."""
    wanted = f"at least {fail_below:.0%} without knowledge"
    if row.pass_at_1 is None:
        return f"Gate: {wanted} is wanted, and no task was judged, so nothing can be said."
    told = f"pass@1 is {row.pass_at_1:.0%}, 95 % interval {row.low:.0%} to {row.high:.0%}"
    end = "surely less: the gate is closed" if is_below(row, fail_below) else "not surely less: the gate is open"
    return f"Gate: {wanted} is wanted; {told}, {end}."


def _row(row: ConditionSummary) -> Sequence[str]:
    other = str(row.infra + row.suspect + row.cut)
    return (
        row.title,
        percent(row.pass_at_1),
        f"{row.low:.0%} to {row.high:.0%}",
        str(row.passed),
        str(row.failed),
        other,
    )
