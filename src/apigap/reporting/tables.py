"""The numbers of a report as plain data: terminal, JSON and HTML show the same ones."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from apigap.models.spending.cell_cost import CellCost
from apigap.records.result import FAILURE_LABELS, FailureLabel
from apigap.reporting.cells import ApiRow, Cells, api_rows, cells_of, prompt_length
from apigap.reporting.model import AuditReport, Condition, StaleUse
from apigap.statistics import (
    PairedDifference,
    TaskCounts,
    count_by_task,
    estimate_cell,
    holm,
    mean_over_tasks,
    paired_difference,
)

_SEED = 20260912


@dataclass(frozen=True)
class ConditionSummary:
    """One condition over all tasks.

    `pass_at_1` is the mean over tasks of the share of judged samples that pass, with a 95 % interval that
    takes tasks of one API as related; None where no sample was judged. `pass_at_k` maps k to the unbiased
    mean over tasks. `usable` counts the APIs that the model can use (see `cells.API_USABLE`), `cured` those
    of them that it cannot use in the first condition. `gain` compares with the first condition, task by
    task, and `p_adjusted` is its p-value after Holm's correction over the conditions of the report.
    `prompt_characters` is the mean length of the prompts. `lowest` and `highest` are pass@1 were every sample without a
    clear verdict a fail, or each a pass.
    """

    condition: str
    title: str
    tasks: int
    apis: int
    samples: int
    passed: int
    failed: int
    infra: int
    suspect: int
    cut: int
    lowest: float | None
    highest: float | None
    pass_at_1: float | None
    low: float
    high: float
    pass_at_k: dict[int, float | None]
    labels: dict[FailureLabel, int]
    usable: int
    cured: int
    prompt_characters: float
    gain: PairedDifference | None = None
    p_adjusted: float | None = None


def summary_rows(report: AuditReport) -> list[ConditionSummary]:
    """One row per condition, in the order of the report. The same report gives the same numbers."""
    cells = cells_of(report)
    apis = api_rows(report, cells)
    rows = [_summary(report, condition, cells, apis) for condition in report.conditions]
    gains = [_gain(report, condition, cells) for condition in report.conditions]
    adjusted = iter(holm([gain.p_value for gain in gains if gain]))
    return [
        replace(row, gain=gain, p_adjusted=next(adjusted) if gain else None)
        for row, gain in zip(rows, gains, strict=True)
    ]


def named_costs(report: AuditReport) -> list[tuple[str, CellCost | None]]:
    """The cost of the answers by the titles of the conditions; None where it is not known."""
    return [(condition.title, report.costs.get(condition.name)) for condition in report.conditions]


def stale_lines(report: AuditReport) -> list[str]:
    """A line per condition on the answers that write what the release took away."""
    titles = {condition.name: condition.title for condition in report.conditions}
    return [_stale_line(titles[row.condition], row) for row in report.stale]


def cut_lines(rows: Sequence[ConditionSummary]) -> list[str]:
    """A line per condition in which answers were cut before they were whole, with what pass@1 could be for it."""
    return [
        f"{row.title}: {row.cut} of {row.samples} answers were cut before they were whole, and count nowhere; pass@1 "
        f"is between {row.lowest or 0:.0%}, had all without a clear verdict failed, and {row.highest or 0:.0%}, had "
        "they passed; answers that end at their most tokens get more with --set generation.max_tokens=N"
        for row in rows
        if row.cut
    ]


def _stale_line(title: str, row: StaleUse) -> str:
    often = f"; most often {', '.join(name for name, _ in row.names[:3])}" if row.names else ""
    span = f"95 % interval {row.low:.0%} to {row.high:.0%}"
    return f"{title}: {row.stale} of {row.answers} answers write what is gone ({span}){often}"


def _summary(report: AuditReport, condition: Condition, cells: Cells, apis: list[ApiRow]) -> ConditionSummary:
    rows = [(task, sample) for task in report.tasks for sample in cells[task.task_id, condition.name].samples]
    labels = Counter(sample.label for _, sample in rows if sample.outcome == "fail")
    tasks, names = [task.task_id for task, _ in rows], [task.api_name for task, _ in rows]
    counts = count_by_task(tasks, names, [sample.outcome for _, sample in rows])
    estimate = estimate_cell(counts)
    baseline = report.conditions[0].name
    return ConditionSummary(
        condition=condition.name,
        title=condition.title,
        tasks=estimate.tasks,
        apis=estimate.apis,
        samples=estimate.samples,
        passed=estimate.passed,
        failed=estimate.failed,
        infra=estimate.infra,
        suspect=estimate.suspect,
        cut=estimate.cut,
        lowest=estimate.lowest,
        highest=estimate.highest,
        pass_at_1=estimate.interval.estimate,
        low=estimate.interval.low,
        high=estimate.interval.high,
        pass_at_k=_means(counts),
        labels={label: labels[label] for label in FAILURE_LABELS},
        usable=sum(row.usable[condition.name] is True for row in apis),
        cured=sum(row.usable[condition.name] is True and row.is_gap(baseline) for row in apis),
        prompt_characters=prompt_length([task.task_id for task in report.tasks], condition.name, cells),
    )


def _means(counts: TaskCounts) -> dict[int, float | None]:
    """pass@1, and pass@k for the most samples that every judged task has."""
    some = counts.judged[counts.judged > 0]
    useful = sorted({1, int(some.min())}) if len(some) else []
    return {k: mean_over_tasks(counts.judged, counts.passed, counts.apis, k).interval.estimate for k in useful}


def _gain(report: AuditReport, condition: Condition, cells: Cells) -> PairedDifference | None:
    baseline = report.conditions[0].name
    if condition.name == baseline:
        return None
    pairs = [
        (before, after, task.api_name)
        for task in report.tasks
        if (before := cells[task.task_id, baseline].rate) is not None
        and (after := cells[task.task_id, condition.name].rate) is not None
    ]
    if not pairs:
        return None
    before, after, apis = zip(*pairs, strict=True)
    return paired_difference(before, after, apis, seed=_SEED)
