"""The report as the template shows it: numbers counted, cells in order, an anchor for each sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from apigap.models.spending.cell_cost import COLUMNS, cost_rows
from apigap.records.result import FAILURE_LABELS, FailureLabel
from apigap.reporting.cells import ApiRow, Cell, Cells, Chip, Need, api_rows, cells_of
from apigap.reporting.figures import Rated, label_figure, pass_rate_figure
from apigap.reporting.headline import SAID, Headline, headline
from apigap.reporting.ladder_model import Ladder, LadderApi
from apigap.reporting.ladder_page import LadderView, ladder_view
from apigap.reporting.model import AuditReport, Condition, LibraryAudit, SampleEntry, TaskEntry
from apigap.reporting.tables import ConditionSummary, cut_lines, named_costs, summary_rows

LABEL_NAMES: dict[FailureLabel, tuple[str, str, str]] = {
    "WrongAPISelection": ("API", "wrong API", "used another, an invented or a home-made API"),
    "WrongImport": ("IMP", "wrong import", "meant the right API, looked for it in the wrong place"),
    "WrongSyntax": ("SYN", "syntax", "wrote nothing that can run"),
    "WrongParam": ("PAR", "wrong parameter", "called it with arguments that it refuses or the task does not want"),
    "WrongShapeDtype": ("SHP", "shape or type", "gave or made data of the wrong type, dtype, shape or keys"),
    "WrongLogic": ("LOG", "logic", "called it acceptably; something else is wrong"),
}


@dataclass(frozen=True)
class SampleView:
    """One sample with its anchor."""

    anchor: str
    condition: Condition
    entry: SampleEntry
    same_code: bool


@dataclass(frozen=True)
class TaskView:
    """One task: its chips, one per condition, and all its samples in the order of the conditions."""

    anchor: str
    entry: TaskEntry
    chips: tuple[Chip, ...]
    samples: tuple[SampleView, ...]
    failed: int


@dataclass(frozen=True)
class ApiView:
    """One API with its tasks. `cure` says what cures it, in words; `kind` is what the page filters by."""

    row: ApiRow
    tasks: tuple[TaskView, ...]
    kind: Need
    cure: str
    labels: str


@dataclass(frozen=True)
class FunnelRow:
    """One stage of one library: what is left, and what was dropped and why."""

    stage: str
    left: str
    share: int
    drops: tuple[str, ...]


@dataclass(frozen=True)
class Tile:
    """A count of the page's head: `count` of `of`, and what stands beside it."""

    title: str
    count: int
    of: int
    beside: str


@dataclass(frozen=True)
class Page:
    """All that the template needs."""

    report: AuditReport
    headline: Headline
    rows: tuple[ConditionSummary, ...]
    apis: tuple[ApiView, ...]
    funnels: tuple[tuple[LibraryAudit, tuple[FunnelRow, ...]], ...]
    labels: dict[FailureLabel, tuple[str, str, str]]
    totals: dict[FailureLabel, int]
    judged: int
    infra: int
    suspect: int
    cut: tuple[str, ...]
    costs: tuple[tuple[str, ...], ...]
    cost_columns: tuple[str, ...]
    pass_figure: Markup
    label_figure: Markup
    ladder: LadderView | None
    tiles: tuple[Tile, ...]

    def tasks_of(self, api: LadderApi) -> tuple[TaskView, ...]:
        """The tasks of an API on the ladder."""
        found = (one.tasks for one in self.apis if (one.row.library, one.row.api_name) == (api.library, api.api_name))
        return next(found, ())


def build_page(report: AuditReport) -> Page:
    """Count and arrange; the figures are drawn here."""
    rows, cells = summary_rows(report), cells_of(report)
    rates = [Rated(row.title, row.pass_at_1, row.low, row.high) for row in rows]
    return Page(
        report=report,
        headline=headline(report, rows),
        rows=tuple(rows),
        apis=_apis(report, cells),
        funnels=tuple((library, _funnel(library)) for library in report.libraries),
        labels=LABEL_NAMES,
        totals={label: sum(row.labels[label] for row in rows) for label in FAILURE_LABELS},
        judged=sum(row.samples - row.infra - row.cut for row in rows),
        infra=sum(row.infra + row.cut for row in rows),
        suspect=sum(row.suspect for row in rows),
        cut=tuple(cut_lines(rows)),
        costs=cost_rows(named_costs(report)),
        cost_columns=COLUMNS,
        # matplotlib escapes every text that it draws.
        pass_figure=Markup(pass_rate_figure(rates).inline()),  # noqa: S704
        label_figure=Markup(label_figure(rows).inline()),  # noqa: S704
        ladder=ladder_view(report.ladder) if report.ladder else None,
        tiles=_tiles(report.ladder),
    )


def _tiles(ladder: Ladder | None) -> tuple[Tile, ...]:
    """A tile per measure that the headline tells."""
    return tuple(
        Tile(
            SAID[one.measure].format("new APIs"),
            one.new.right,
            one.new.apis,
            f"old ones {one.control.right} of {one.control.apis}" if one.control.apis else "no old ones",
        )
        for one in (ladder.measures if ladder else ())
        if one.measure in SAID and not one.is_below_the_rung
    )


def _apis(report: AuditReport, cells: Cells) -> tuple[ApiView, ...]:
    anchors = {task.task_id: f"t{number}" for number, task in enumerate(report.tasks, start=1)}
    entries = {task.task_id: task for task in report.tasks}
    views: list[ApiView] = []
    for row in api_rows(report, cells):
        tasks = tuple(_task(entries[key], anchors[key], report.conditions, cells) for key in row.task_ids)
        kind, cure = _cure(row, report.conditions[0].name)
        seen = {sample.entry.label for task in tasks for sample in task.samples if sample.entry.label}
        views.append(ApiView(row, tasks, kind, cure, " ".join(sorted(seen))))
    return tuple(views)


def _cure(row: ApiRow, baseline: str) -> tuple[Need, str]:
    words = {"unknown": "not judged", "known": "needs no help", "open": "nothing that was tried"}
    need = row.need(baseline)
    return need, row.cheapest.title if row.cheapest else words[need]


def _task(task: TaskEntry, anchor: str, conditions: Sequence[Condition], cells: Cells) -> TaskView:
    chips: list[Chip] = []
    samples: list[SampleView] = []
    for number, condition in enumerate(conditions):
        cell = cells[task.task_id, condition.name]
        place = f"{anchor}-c{number}"
        chips.append(_chip(cell, place if cell.samples else anchor, f"{condition.title}, {task.difficulty}"))
        samples += [
            SampleView(place if n == 0 else f"{place}-{n}", condition, s, s.code.strip() == s.answer.strip())
            for n, s in enumerate(cell.samples)
        ]
    failed = sum(sample.entry.outcome == "fail" for sample in samples)
    return TaskView(anchor, task, tuple(chips), tuple(samples), failed)


def _chip(cell: Cell, anchor: str, where: str) -> Chip:
    state = cell.state
    if state == "pass":
        return Chip(anchor, "✓", "pass", f"{where}: pass")
    if state == "mixed":
        return Chip(anchor, f"{cell.passed}/{cell.judged}", "mixed", f"{where}: {cell.passed} of {cell.judged} pass")
    if state == "fail":
        label: FailureLabel | None = next((sample.label for sample in cell.samples if sample.label), None)
        if label is None:
            return Chip(anchor, "?", "suspect", f"{where}: suspect")
        code, name, _ = LABEL_NAMES[label]
        return Chip(anchor, code, f"label {label}", f"{where}: {name}")
    if state == "infra" and any(sample.outcome == "cut" for sample in cell.samples):
        return Chip(anchor, "…", "infra", f"{where}: no verdict (the answer was cut)")
    if state == "infra":
        return Chip(anchor, "!", "infra", f"{where}: no verdict (infrastructure)")
    return Chip(anchor, "·", "missing", f"{where}: not run")


def _funnel(library: LibraryAudit) -> tuple[FunnelRow, ...]:
    found = library.added + library.modified
    split = f"{found} ({library.added} added, {library.modified} modified; {library.moved} moved are left aside)"
    read = [("a reader finds it fit to publish", library.reading, "reading")] if library.reading is not None else []
    gates = (
        ("C1: reference is valid", library.c1, "c1"),
        *read,
        ("C2: the model fails without help", library.c2, "c2"),
        ("C3: solvable with the full bundle", library.c3, "c3"),
    )
    stages = [
        ("APIs found", found, split, found, "discovery"),
        ("knowledge bundles", library.bundles, str(library.bundles), found, "knowledge"),
        ("tasks written", library.tasks, str(library.tasks), library.tasks, "tasks"),
        *((name, left, "not run" if left is None else str(left), library.tasks, stage) for name, left, stage in gates),
    ]
    return tuple(
        FunnelRow(name, text, round(10 * (left or 0) / whole) if whole else 0, _drops(library, stage))
        for name, left, text, whole, stage in stages
    )


def _drops(library: LibraryAudit, stage: str) -> tuple[str, ...]:
    drops = sorted((d for d in library.drops if d.stage == stage), key=lambda d: (-d.count, d.reason))
    return tuple(f"{drop.count} × {drop.reason}" for drop in drops)
