"""The figures of a grid: what is left to do and what it costs, and what has come of it so far."""

from collections.abc import Mapping, Sequence
from typing import Any

from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.experiments.experiment import Experiment
from apigap.experiments.grid_run import CellWork, Summaries
from apigap.models.spending.budget import purse
from apigap.models.spending.cell_cost import Asked, CellCost, cost_of_all, read_times
from apigap.models.spending.workload import Workload
from apigap.records.base import Record


class Left(Record):
    """What is left to do: requests, tokens, and the dollars that they cost.

    `write_at_most` is what all answers may have; where some are there, `dollars_likely` goes by their mean. None where
    a price is not known.
    """

    cells: int
    requests: int
    read: int
    write_at_most: int
    dollars_at_most: float | None
    dollars_likely: float | None

    @classmethod
    def of(cls, rows: Sequence[CellWork]) -> "Left":
        """The figures of some cells together."""
        whole = Workload.total(row.work for row in rows)
        models = {name: Workload.total(row.work for row in rows if row.model == name) for name in _models(rows)}
        dollars = [work.dollars(purse().price(name)) for name, work in models.items() if work.requests]
        return cls(
            cells=len(rows), requests=whole.requests, read=round(whole.read), write_at_most=whole.most,
            dollars_at_most=_sum([most for most, _ in dollars]),
            dollars_likely=_sum([likely for _, likely in dollars]),
        )  # fmt: skip


class ExperimentRow(Record):
    """What has come of an experiment: its cells, those that are answered and those that are judged (`cells`).

    `cost` is what its answers took, those of all cells together.
    """

    model: str
    group: str
    tasks: int
    asked: tuple[str, ...]
    answered: tuple[str, ...]
    skipped: dict[str, str]
    cost: CellCost
    cells: dict[str, Any]


def experiment_row(study: Experiment, summaries: Mapping[str, Summaries]) -> ExperimentRow:
    """The row of one experiment; `summaries` are those of the cells that were judged."""
    asked = [
        Asked(study.model_of(cell), tuple(study.answers(cell).values()), read_times(study.folder(cell) / PREDICTIONS))
        for cell in study.cells
    ]
    return ExperimentRow(
        model=study.plan.model, group=study.plan.group, tasks=len(study.plan.tasks),
        asked=tuple(cell.name for cell in study.cells), answered=study.answered, skipped=study.skipped,
        cost=cost_of_all(asked), cells=summaries.get(study.plan.experiment, {}),
    )  # fmt: skip


def _models(rows: Sequence[CellWork]) -> list[str]:
    return list(dict.fromkeys(row.model for row in rows))


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None
