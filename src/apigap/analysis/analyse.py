"""An analysis from results to tables, figures and one page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from apigap.analysis import questions, rates
from apigap.analysis.agents.tables import AgentTables, agent_tables
from apigap.analysis.compare import SEED
from apigap.analysis.contrasts import by_change, gain_rows, interaction_rows, mixed_apis
from apigap.analysis.pools import ALL_MODELS, with_pools
from apigap.analysis.rows import (
    BypassRow,
    CellRow,
    ControlRow,
    CostRow,
    FixedRow,
    GainRow,
    InteractionRow,
    MeasureRow,
    RankRow,
    SharedRow,
    ShareRow,
)
from apigap.analysis.study import Study, StudyCell, read_study
from apigap.analysis.write import write_table
from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.experiments.named import read_grid
from apigap.records.errors import UsageError
from apigap.version import __version__


@dataclass(frozen=True)
class Analysis:
    """All tables of an analysis, and in words what could not be told."""

    study: Study
    draws: int
    cells: tuple[CellRow, ...]
    shares: tuple[ShareRow, ...]
    rq1_gains: tuple[GainRow, ...]
    rq1_components: tuple[GainRow, ...]
    rq1_interaction: tuple[InteractionRow, ...]
    rq1_shared: tuple[SharedRow, ...]
    rq2_retrieval: tuple[GainRow, ...]
    rq2_ranks: tuple[RankRow, ...]
    rq3_gains: tuple[GainRow, ...]
    rq3_bypass: tuple[BypassRow, ...]
    rq3_fixed: tuple[FixedRow, ...]
    rq3_measures: tuple[MeasureRow, ...]
    rq3_controls: tuple[ControlRow, ...]
    rq3_costs: tuple[CostRow, ...]
    missing: tuple[str, ...]
    agents: AgentTables = field(default_factory=AgentTables)

    @property
    def tables(self) -> dict[str, Sequence[Any]]:
        """The tables by the names of their files."""
        others = ("study", "draws", "missing", "agents")
        own = {field.name: getattr(self, field.name) for field in fields(self) if field.name not in others}
        of_agents = ("gains", "curves", "areas", "waste", "evidence")
        return {**own, **{f"agent_{name}": getattr(self.agents, name) for name in of_agents}}

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The origin of the numbers."""
        cells = self.study.run
        evaluators = sorted({name for cell in cells for name in cell.judged.evaluators})
        return (
            ("experiments", ", ".join(dict.fromkeys(cell.experiment for cell in cells))),
            ("models", ", ".join(dict.fromkeys(cell.model for cell in cells))),
            ("tasks and APIs", f"{len(self.study.facts)} on {len({f.api_name for f in self.study.facts.values()})}"),
            ("evaluator", ", ".join(evaluators)),
            ("bootstrap", f"{self.draws:,} draws, seed {SEED}"),
            ("apigap", __version__),
        )


def analyse(
    data: Path,
    experiments: Sequence[str],
    adapted: Mapping[str, str] | None = None,
    tasks: Sequence[Path] = (),
    ranks: Sequence[Path] = (),
    draws: int = 10_000,
    force: bool = False,
) -> Analysis:
    """Everything that can be told of what has been judged so far; `adapted` maps a method to its experiment.

    `ranks` are files that `apigap rag eval --out` wrote. Without `experiments` those of the folder's grid are read.

    Raises:
        UsageError: see `read_study`; also where there is no grid, or nothing of it is judged.
    """
    adapted = adapted or {}
    study = with_pools(read_study(data, experiments or grid_of(data, adapted), tuple(adapted.values()), tasks, force))
    conditions, components = questions.rq1_conditions(study), questions.rq1_components(study)
    adaptation = questions.rq3_adaptation(study, adapted)
    bypassing = {id(c): c for contrast in adaptation for c in (contrast.against, contrast.cell) if not c.pool}
    bypasses = [(cell, questions.bypass_rows(cell, study)) for cell in bypassing.values()]
    rated = [cell for cell in study.cells if cell.pool != ALL_MODELS]  # its samples are of different models
    found = Analysis(
        study=study,
        draws=draws,
        cells=tuple(rates.cell_row(cell, study) for cell in rated),
        shares=tuple(row for cell in rated for row in rates.share_rows(cell)),
        rq1_gains=tuple(gain_rows([*conditions, *by_change(conditions, study)], study, draws)),
        rq1_components=tuple(gain_rows([*components, *by_change(components, study)], study, draws)),
        rq1_interaction=tuple(interaction_rows([*conditions, *components], study, draws)),
        rq1_shared=tuple(rates.shared_rows(study)),
        rq2_retrieval=tuple(gain_rows(questions.rq2_retrieval(study), study, draws)),
        rq2_ranks=tuple(questions.rq2_ranks(study, ranks)),
        rq3_gains=tuple(gain_rows(adaptation, study, draws)),
        rq3_bypass=tuple(row for _, rows in bypasses for row in rows or ()),
        rq3_fixed=tuple(questions.rq3_fixed(adaptation)),
        rq3_measures=tuple(questions.rq3_measures(study)),
        rq3_controls=tuple(questions.rq3_controls(study)),
        rq3_costs=tuple(questions.rq3_costs(study)),
        missing=study.missing,
        agents=agent_tables(study, draws),
    )
    return replace(
        found,
        missing=(
            *study.missing,
            *found.agents.missing,
            *_untold(found),
            *_without_code(cell for cell, rows in bypasses if rows is None),
        ),
    )


def grid_of(data: Path, adapted: Mapping[str, str]) -> list[str]:
    """The experiments of a data folder's grid that have verdicts, without those of `adapted` models.

    Raises:
        UsageError: when there are none.
    """
    names = [spec.experiment for spec in read_grid(data).experiments if spec.experiment not in adapted.values()]
    judged = [name for name in names if any((data / "results" / name).glob(f"*/{RESULTS}"))]
    if not judged:
        what = f"none of the {len(names)} experiments of its grid is judged" if names else "it has no grid"
        raise UsageError(f"{data}: {what}; name experiments with --experiment, or run: apigap grid --data {data}")
    return judged


def write_tables(found: Analysis, output: Path) -> list[Path]:
    """Every table with a row, as CSV and Parquet; the paths written."""
    return [path for name, rows in found.tables.items() for path in write_table(output, name, rows)]


def _without_code(cells: Iterable[StudyCell]) -> list[str]:
    """A note per cell that the bypass table leaves out for want of the code that was judged."""
    return [
        f"RQ3: the bypass table leaves out {cell.experiment}/{cell.name}: its results have no code of "
        "their answers; judge these again (apigap run --steps eval)"
        for cell in cells
    ]


def _untold(found: Analysis) -> list[str]:
    """The questions that the cells at hand cannot answer, and why."""
    untold: list[str] = []
    if mixed := sorted(mixed_apis(found.study)):
        untold.append(f"{len(mixed)} APIs have added and modified tasks and are left out of interactions: {mixed[:3]}")
    if found.rq1_gains and not found.rq1_interaction:
        untold.append("RQ1: no interaction with the kind of change: fewer than two APIs of a kind")
    if any(cell.delivery == "rag" for cell in found.study.cells):
        if not found.rq2_retrieval:
            untold.append("RQ2: no retrieved cell has its oracle cell beside it")
        if not found.rq2_ranks:
            untold.append(
                "RQ2: no ranks of the tasks' APIs under these conditions (--ranks FILE, from apigap rag eval --out)"
            )
    if not found.rq3_gains:
        untold.append("RQ3: no tuned cell, and no adapted model's experiment was given (--adapted METHOD=EXPERIMENT)")
    return untold
