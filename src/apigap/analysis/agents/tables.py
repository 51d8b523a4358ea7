"""The tables on agents of a study: what each cell's agents.jsonl comes to."""

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.agent.anytime import AGENTS, AgentRecord
from apigap.agent.evidence import STATES, state_of
from apigap.agent.waste import WASTES
from apigap.analysis.agents.curves import AXES, Floats, area_row, curve_rows, judged, places
from apigap.analysis.agents.rows import AgentAreaRow, AgentCurveRow, AgentEvidenceRow, AgentWasteRow
from apigap.analysis.contrasts import Contrast, gain_rows, pairs
from apigap.analysis.rows import GainRow
from apigap.analysis.study import Study, StudyCell
from apigap.records.experiment import BASELINE
from apigap.records.store import load_records

_Axis = tuple[str, Floats]


@dataclass(frozen=True)
class AgentTables:
    """The tables, by cell in the order of the grid; `missing` says in words which cells have none.

    `gains` are those of agents over the cell without knowledge and tools, paired by task.
    """

    curves: tuple[AgentCurveRow, ...] = ()
    areas: tuple[AgentAreaRow, ...] = ()
    waste: tuple[AgentWasteRow, ...] = ()
    evidence: tuple[AgentEvidenceRow, ...] = ()
    missing: tuple[str, ...] = ()
    gains: tuple[GainRow, ...] = ()


def agent_tables(study: Study, draws: int) -> AgentTables:
    """The tables of all agents of a study that have been judged on their way."""
    cells = [cell for cell in study.run if cell.delivery == "agent"]
    found = [(cell, _records(cell)) for cell in cells if _path(cell).exists()]
    return AgentTables(
        curves=tuple(row for cell, own in found for at in _axes(found, cell) for row in _curve(cell, own, at, draws)),
        areas=tuple(area_row(cell, judged(own), *at, draws) for cell, own in found for at in _axes(found, cell)),
        waste=tuple(row for cell, own in found for row in waste_rows(cell, own)),
        evidence=tuple(row for cell, own in found for row in evidence_rows(cell, own)),
        missing=tuple(
            f"{cell.experiment}/{cell.name} has no verdicts on its way; judge it again (apigap run --steps eval)"
            for cell in cells
            if not _path(cell).exists()
        ),
        gains=tuple(gain_rows(agent_contrasts(study), study, draws)),
    )


def agent_contrasts(study: Study) -> list[Contrast]:
    """Every agent against the model without knowledge and tools."""
    found: list[Contrast] = []
    for cells in map(study.of, study.experiments):
        wanted = [(name, BASELINE.name) for name, cell in cells.items() if cell.delivery == "agent"]
        found += pairs("agents", cells, wanted)
    return found


def waste_rows(cell: StudyCell, records: Sequence[AgentRecord]) -> list[AgentWasteRow]:
    """A row per class of waste and label."""
    counted = Counter((one.waste, one.label or "") for one in records if one.waste)
    ordered = sorted(counted.items(), key=lambda row: (WASTES.index(row[0][0]), row[0][1]))
    of = sum(counted.values())
    return [
        AgentWasteRow(cell.experiment, cell.name, cell.title, waste, label, count, of)
        for (waste, label), count in ordered
    ]


def evidence_rows(cell: StudyCell, records: Sequence[AgentRecord]) -> Iterator[AgentEvidenceRow]:
    """A row per API; a sample of a task on several counts for each of them."""
    every = [(known, one) for one in records for known in one.known]
    for api in sorted({known.api for known, _ in every}):
        own = [(known, one) for known, one in every if known.api == api]
        states = Counter(known.state for known, _ in own)
        after = [known.after for known, _ in own if known.after is not None]
        tools = Counter(known.by for known, _ in own if known.by)
        unaided, found, not_found = (states[state] for state in STATES)
        yield AgentEvidenceRow(
            cell.experiment, cell.name, cell.title, api, own[0][1].library, state_of(known.state for known, _ in own),
            samples=len(own), unaided=unaided, found=found, not_found=not_found,
            passed=sum(one.outcome == "pass" for _, one in own), after=statistics.median(after) if after else None,
            by=", ".join(f"{tool} {count}" for tool, count in tools.most_common()),
        )  # fmt: skip


def _path(cell: StudyCell) -> Path:
    return cell.judged.path.with_name(AGENTS)


def _records(cell: StudyCell) -> list[AgentRecord]:
    return load_records(_path(cell), AgentRecord)


def _curve(cell: StudyCell, own: Sequence[AgentRecord], at: _Axis, draws: int) -> Iterator[AgentCurveRow]:
    return curve_rows(cell, judged(own), *at, draws)


def _axes(found: Sequence[tuple[StudyCell, Sequence[AgentRecord]]], cell: StudyCell) -> Iterator[_Axis]:
    """The axes of a cell on which anything was used, with their places: the same for all cells of an experiment."""
    experiment = [one for other, own in found if other.experiment == cell.experiment for one in own]
    if any(judged(own) for other, own in found if other is cell):
        for axis in AXES:
            at = places(experiment, axis)
            if len(at) > 1:
                yield axis, at
