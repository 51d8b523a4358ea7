"""One cell per task and condition, and what the cells say of each API."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from apigap.records.result import WITHOUT_VERDICT
from apigap.reporting.model import AuditReport, Condition, SampleEntry

CellState = Literal["pass", "mixed", "fail", "infra", "missing"]

API_USABLE = 0.5
"""A model can use an API when at least this share of the judged samples of its tasks pass (mean over tasks)."""


@dataclass(frozen=True)
class Chip:
    """A cell as a page shows it: `code` is its sign, `tone` its class, `words` its meaning, `anchor` its details."""

    anchor: str
    code: str
    tone: str
    words: str


@dataclass(frozen=True)
class Cell:
    """All samples of one task under one condition. `rate` is None where none of them was judged.

    A suspect sample counts as judged and not passed; one that the infrastructure stopped, or whose answer
    was cut, does not count.
    """

    samples: tuple[SampleEntry, ...]

    @property
    def judged(self) -> int:
        """Samples with a verdict."""
        return sum(sample.outcome not in WITHOUT_VERDICT for sample in self.samples)

    @property
    def passed(self) -> int:
        """Samples that passed."""
        return sum(sample.outcome == "pass" for sample in self.samples)

    @property
    def rate(self) -> float | None:
        """Share of the judged samples that passed."""
        return self.passed / self.judged if self.judged else None

    @property
    def state(self) -> CellState:
        """The state on a chip: every sample passed, some did, none did, none was judged, there is none."""
        if not self.samples:
            return "missing"
        if self.rate is None:
            return "infra"
        if self.rate == 1:
            return "pass"
        return "mixed" if self.passed else "fail"


Need = Literal["unknown", "known", "cured", "open"]
"""Of an API: not judged without help; used without help; used with some condition; with none that was tried."""
Cells = dict[tuple[str, str], Cell]


def cells_of(report: AuditReport) -> Cells:
    """The cell of every (task_id, condition) pair; an empty one where the report has no sample."""
    samples: defaultdict[tuple[str, str], list[SampleEntry]] = defaultdict(list)
    for sample in report.samples:
        samples[sample.task_id, sample.condition].append(sample)
    return {
        (task.task_id, condition.name): Cell(
            tuple(sorted(samples[task.task_id, condition.name], key=lambda entry: entry.sample))
        )
        for task in report.tasks
        for condition in report.conditions
    }


@dataclass(frozen=True)
class ApiRow:
    """One API: the cells of its tasks and what cures it.

    `usable` maps each condition to whether the model can use the API there, None where nothing was judged.
    `cheapest` is the condition with the shortest prompt among those that cure; None when the model can use
    the API without help, or with none of the conditions.
    """

    api_name: str
    library: str
    change: Literal["added", "modified"]
    task_ids: tuple[str, ...]
    usable: dict[str, bool | None]
    cheapest: Condition | None

    def is_gap(self, baseline: str) -> bool:
        """True when the model was seen to be unable to use the API under `baseline`."""
        return self.usable[baseline] is False

    def need(self, baseline: str) -> Need:
        """The model's need of help for the API, where `baseline` is the condition without help."""
        if self.usable[baseline] is None:
            return "unknown"
        if not self.is_gap(baseline):
            return "known"
        return "cured" if self.cheapest else "open"


def api_rows(report: AuditReport, cells: Cells) -> list[ApiRow]:
    """One row per API, in the order of library and name."""
    tasks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    change: dict[tuple[str, str], Literal["added", "modified"]] = {}
    for task in report.tasks:
        tasks[task.library, task.api_name].append(task.task_id)
        change[task.library, task.api_name] = task.change
    rows: list[ApiRow] = []
    for key in sorted(tasks):
        usable = {c.name: _usable(tasks[key], c.name, cells) for c in report.conditions}
        cheapest = _cheapest(report.conditions, tasks[key], usable, cells)
        rows.append(ApiRow(key[1], key[0], change[key], tuple(tasks[key]), usable, cheapest))
    return rows


def prompt_length(task_ids: Sequence[str], condition: str, cells: Cells) -> float:
    """Mean length of the prompts in characters; 0 where there is no sample."""
    lengths = [len(s.prompt) for task_id in task_ids for s in cells[task_id, condition].samples]
    return sum(lengths) / len(lengths) if lengths else 0.0


def _usable(task_ids: Sequence[str], condition: str, cells: Cells) -> bool | None:
    rates = [rate for task_id in task_ids if (rate := cells[task_id, condition].rate) is not None]
    return sum(rates) / len(rates) >= API_USABLE if rates else None


def _cheapest(
    conditions: Sequence[Condition], task_ids: Sequence[str], usable: dict[str, bool | None], cells: Cells
) -> Condition | None:
    baseline, *others = conditions
    if usable[baseline.name] is not False:
        return None
    cures = [condition for condition in others if usable[condition.name] and not condition.is_agent]
    return min(cures, key=lambda condition: prompt_length(task_ids, condition.name, cells), default=None)
