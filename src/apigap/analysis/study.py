"""The judged cells of one or more experiments, and what of them is missing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from apigap.analysis.cell_words import DELIVERIES, cell_named, cell_order, cell_title
from apigap.analysis.judged import JudgedCell, read_cell
from apigap.analysis.task_facts import TaskFacts, facts_of, find_tasks
from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.knowledge.conditions import PUBLISHED
from apigap.records.errors import UsageError
from apigap.records.experiment import Cell, Delivery
from apigap.records.names import path_part

Pool = Literal["", "all groups", "all models"]
"""What an experiment is taken together over; nothing of one that was run."""


@dataclass(frozen=True)
class StudyCell:
    """The verdicts of one cell of one experiment; of several, where it is of a `pool`. Then only verdicts are there."""

    experiment: str
    model: str
    cell: Cell
    judged: JudgedCell
    pool: Pool = ""

    @property
    def delivery(self) -> Delivery:
        """The delivery of the knowledge."""
        return self.cell.delivery

    @property
    def condition(self) -> str:
        """The condition: which knowledge was given."""
        return self.cell.condition

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.cell.name

    @property
    def title(self) -> str:
        """The name in words."""
        return cell_title(self.cell)

    @property
    def judged_tasks(self) -> frozenset[str]:
        """The tasks that it has a verdict on."""
        return self.judged.verdicts.judged_tasks

    def restricted(self, keep: Callable[[str], bool]) -> "StudyCell":
        """The same cell with the tasks that `keep` wants."""
        return replace(self, judged=replace(self.judged, verdicts=self.judged.verdicts.restricted(keep)))


@dataclass(frozen=True)
class Study:
    """Cells in the order of the grid, facts of their tasks, and in words what is not there.

    `compared` are the experiments of which each stands for a model, all its groups together; without pools all are.
    """

    experiments: tuple[str, ...]
    cells: tuple[StudyCell, ...]
    facts: Mapping[str, TaskFacts]
    missing: tuple[str, ...]
    compared: tuple[str, ...] = ()

    @property
    def run(self) -> list[StudyCell]:
        """The cells that were run: those of no pool."""
        return [cell for cell in self.cells if not cell.pool]

    @property
    def drawn(self) -> frozenset[str]:
        """The experiments that figures show: pools and what stands beside them, where there are any."""
        pools = {cell.experiment for cell in self.cells if cell.pool}
        return frozenset({*pools, *self.compared} if pools else self.experiments)

    def of(self, experiment: str) -> dict[str, StudyCell]:
        """The cells of one experiment by name."""
        return {cell.name: cell for cell in self.cells if cell.experiment == experiment}


def read_study(
    data: Path,
    experiments: Sequence[str],
    adapted: Sequence[str] = (),
    tasks: Sequence[Path] = (),
    force: bool = False,
) -> Study:
    """Read all cells that have verdicts; `adapted` are experiments of adapted models, whose grid need not be whole.

    Raises:
        UsageError: for an experiment without any, tasks whose API is unknown, or (without `force`) verdicts of
            different evaluators.
    """
    cells: list[StudyCell] = []
    missing: list[str] = []
    gaps: dict[str, list[str]] = {}
    for experiment in dict.fromkeys((*experiments, *adapted)):
        found, wanting = _read_experiment(data, experiment)
        cells += sorted(found, key=lambda cell: cell_order(cell.cell))
        missing += wanting
        missing += _incomplete_cells(experiment, found)
        for gap in _missing_cells(found) if experiment in experiments else ():
            gaps.setdefault(gap, []).append(experiment)
    missing += [f"{'each of ' * (len(names) > 1)}{', '.join(names)} {gap}" for gap, names in gaps.items()]
    _check_evaluators(cells, force)
    ids = {task_id for cell in cells for task_id in cell.judged.verdicts.task_ids}
    facts = facts_of(ids, find_tasks(data, tasks), ", ".join(experiments))
    return Study(tuple(experiments), tuple(cells), facts, tuple(missing), tuple(experiments))


def _other(data: Path, experiment: str) -> str:
    """What there is in place of an experiment, in words: the folder of an audit that has it, or other experiments."""
    if not data.is_dir():
        return f"{data} is no folder; name the folder of the run with --data"
    audits = [path.parent for path in sorted((data / "audits").glob("*/results")) if (path / experiment).is_dir()]
    if audits:
        return f"an audit has it: {' or '.join(f'--data {folder}' for folder in audits)}"
    known = sorted(path.name for path in (data / "results").glob("*") if path.is_dir())
    return f"it has {', '.join(known)}" if known else "it has none at all; name the folder of the run with --data"


def _read_experiment(data: Path, experiment: str) -> tuple[list[StudyCell], list[str]]:
    folder = data / "results" / path_part(experiment, "an experiment")
    if not folder.is_dir():
        raise UsageError(f"{data} has no experiment {experiment!r}; {_other(data, experiment)}")
    cells: list[StudyCell] = []
    missing: list[str] = []
    for path in sorted(child for child in folder.iterdir() if child.is_dir()):
        cell = cell_named(path.name)
        if cell is None:
            missing.append(f"{experiment}/{path.name} is no cell of the grid and is left out")
        elif not (path / RESULTS).exists() or not (path / RESULTS).stat().st_size:
            missing.append(f"{experiment}/{path.name} has no verdicts yet")
        else:
            judged = read_cell(path)
            cells.append(StudyCell(experiment, judged.model or experiment, cell, judged))
    if not cells:
        raise UsageError(f"{folder} holds no verdicts; judge its answers first (apigap run --steps eval)")
    return cells, missing


def _missing_cells(cells: Sequence[StudyCell]) -> list[str]:
    """Conditions of the grid without a cell."""
    names = {cell.name for cell in cells}
    gaps: list[str] = [] if "baseline" in names else ["has no baseline, so no gain can be told"]
    for delivery in (name for name in DELIVERIES if name != "agent"):
        wanted = [name for name in PUBLISHED if name != "baseline"]
        absent = [name for name in wanted if f"{delivery}.{name}" not in names]
        if len(absent) == len(wanted):
            gaps.append(f"has no {delivery} cell")
        elif absent:
            gaps.append(f"lacks {len(absent)} {delivery} cells: {', '.join(absent)}")
    return gaps


def _incomplete_cells(experiment: str, cells: Sequence[StudyCell]) -> list[str]:
    """Cells without a verdict on tasks that others have."""
    every = {task_id for cell in cells for task_id in cell.judged.verdicts.task_ids}
    gaps: list[str] = []
    for cell in cells:
        lacking = every - cell.judged.verdicts.task_ids
        if lacking:
            gaps.append(f"{experiment}/{cell.name} has verdicts on {len(every) - len(lacking)} of {len(every)} tasks")
        infra = int(cell.judged.verdicts.is_("infra").sum())
        if infra:
            gaps.append(f"{experiment}/{cell.name}: {infra} samples have no verdict (infra); judge it again")
        cut = int(cell.judged.verdicts.is_("cut").sum())
        if cut:
            gaps.append(f"{experiment}/{cell.name}: {cut} answers were cut before they were whole, and count nowhere")
    return gaps


def _check_evaluators(cells: Sequence[StudyCell], force: bool) -> None:
    evaluators = {name: cell for cell in cells for name in cell.judged.evaluators}
    if len(evaluators) > 1 and not force:
        where = ", ".join(f"{name} in {cell.experiment}/{cell.name}" for name, cell in sorted(evaluators.items()))
        raise UsageError(
            f"the verdicts are of different evaluators ({where}); judge the cells again with one version, "
            "or give --force to read them all the same"
        )
