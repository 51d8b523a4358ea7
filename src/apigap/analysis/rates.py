"""Each cell by itself: rates, outcomes, and the tasks that all models share."""

import numpy as np

from apigap.analysis.rows import CellRow, SharedRow, ShareRow
from apigap.analysis.study import Study, StudyCell
from apigap.statistics import TaskCounts, estimate_cell, mean_over_tasks


def cell_row(cell: StudyCell, study: Study) -> CellRow:
    """The estimate of one cell."""
    counts = cell.judged.counts(study.facts)
    found = estimate_cell(counts)
    some = counts.judged[counts.judged > 0]
    k = int(some.min()) if len(some) else 1
    at_k = mean_over_tasks(counts.judged, counts.passed, counts.apis, k)
    macro, libraries = _macro(counts, study)
    hat_k = mean_over_tasks(counts.judged, counts.passed, counts.apis, k, "pass^k")
    return CellRow(
        experiment=cell.experiment, model=cell.model, cell=cell.name, title=cell.title,
        tasks=found.tasks, apis=found.apis, samples=found.samples,
        passed=found.passed, failed=found.failed, suspect=found.suspect, infra=found.infra, cut=found.cut,
        pass_at_1=found.interval.estimate, low=found.interval.low, high=found.interval.high,
        lowest=found.lowest, highest=found.highest, design_effect=found.design_effect,
        k=k, pass_at_k=at_k.interval.estimate, pass_hat_k=hat_k.interval.estimate,
        libraries=libraries, macro=macro,
    )  # fmt: skip


def _macro(counts: TaskCounts, study: Study) -> tuple[float | None, int]:
    """The mean of the libraries' pass@1, and how many libraries have a verdict."""
    libraries = np.array([study.facts[name].library if name in study.facts else "" for name in counts.tasks])
    names = np.unique(libraries[counts.judged > 0])
    rates = [estimate_cell(counts.where(libraries == name)).interval.estimate for name in names]
    known = [rate for rate in rates if rate is not None]
    return (sum(known) / len(known) if known else None), len(known)


def share_rows(cell: StudyCell) -> list[ShareRow]:
    """Outcomes of a cell, the commonest first."""
    counts = cell.judged.verdicts.counted()
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [ShareRow(cell.experiment, cell.name, name, n, n / len(cell.judged.verdicts)) for name, n in ordered]


def shared_rows(study: Study) -> list[SharedRow]:
    """Cells that every model has, on the tasks that it has a verdict on in each; none for one model."""
    if len(study.compared) < 2:
        return []
    by_experiment = [study.of(experiment) for experiment in study.compared]
    rows: list[SharedRow] = []
    for name in by_experiment[0]:
        if all(name in cells for cells in by_experiment):
            own = [cells[name] for cells in by_experiment]
            common = frozenset[str].intersection(*(cell.judged_tasks for cell in own))
            rows += [_shared(cell.restricted(common.__contains__), study) for cell in own if common]
    return rows


def _shared(cell: StudyCell, study: Study) -> SharedRow:
    found = estimate_cell(cell.judged.counts(study.facts))
    interval = found.interval
    return SharedRow(
        cell.name, cell.experiment, cell.model, found.tasks, interval.estimate, interval.low, interval.high
    )
