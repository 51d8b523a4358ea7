"""The three questions as contrasts between cells: what is compared with what, and in which family."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ConfigDict

from apigap.adaptation.cost import COST, CostRecord
from apigap.adaptation.measure_run import MEASURES, read_controls
from apigap.analysis.bypass import MODES, BypassMode, bypass_mode
from apigap.analysis.contrasts import Contrast, pairs
from apigap.analysis.rows import BypassRow, ControlRow, CostRow, FixedRow, MeasureRow, RankRow
from apigap.analysis.study import Study, StudyCell
from apigap.analysis.verdicts import shared_rows
from apigap.models.adapted import Measure, folder_of, read_adapted
from apigap.records.base import Record
from apigap.records.result import FAILURE_LABELS, FailureLabel, Judged
from apigap.records.store import read_records
from apigap.statistics import estimate_cell

COMPONENTS = (
    ("e", "s"), ("e", "m_prose"), ("e", "m_code"), ("s_e", "e"), ("s_e", "s"), ("full", "s_e"), ("full", "e"),
)  # fmt: skip
"""RQ1: which knowledge adds to which, declared before any result."""
_RETRIEVAL = (
    ("rq2 retrieval", "rag", "oracle"),
    ("rq2 chunks", "chunked", "oracle"),
    ("rq2 search", "rag", "chunked"),
)
_SHOWN = {"oracle": "", "rag": ", retrieved"}
"""Ways in which knowledge comes into a prompt of the untuned model, and the names of the families of RQ1 then."""
_ADAPTED = ("baseline", "oracle.full", "rag.full")


class _Code(Record):
    """What of a `Result` says which way an answer took."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str
    label: FailureLabel | None
    judged: Judged | None = None


RANKS = ("1", "2 to 5", "beyond 5", "not found")


class Ranked(Record):
    """A line of what `apigap rag eval --out` writes, as far as it is needed here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    task_id: str
    condition: str
    searcher: str
    rank: int | None


def rq1_conditions(study: Study) -> list[Contrast]:
    """Every condition against the baseline: put in the prompt as it is; and retrieved, as the paper's grid has it."""
    found: list[Contrast] = []
    for delivery, family in _SHOWN.items():
        for cells in map(study.of, study.experiments):
            wanted = [(name, "baseline") for name, cell in cells.items() if cell.delivery == delivery]
            found += pairs(f"rq1 conditions{family}", cells, wanted)
    return found


def rq1_components(study: Study) -> list[Contrast]:
    """Conditions against each other, delivered alike."""
    found: list[Contrast] = []
    for delivery, family in _SHOWN.items():
        wanted = [(f"{delivery}.{one}", f"{delivery}.{other}") for one, other in COMPONENTS]
        for experiment in study.experiments:
            found += pairs(f"rq1 components{family}", study.of(experiment), wanted)
    return found


def rq2_retrieval(study: Study) -> list[Contrast]:
    """Per condition: what is found against what is given, and its two parts by way of the control.

    The control searches the own API's chunks alone: against what is given it tells what cutting into chunks costs,
    and what is found against it tells what the other APIs' chunks cost.
    """
    found: list[Contrast] = []
    for cells in map(study.of, study.experiments):
        for family, one, other in _RETRIEVAL:
            wanted = [(name, f"{other}.{cell.condition}") for name, cell in cells.items() if cell.delivery == one]
            found += pairs(family, cells, wanted)
    return found


def rq2_ranks(study: Study, ranks: Sequence[Path]) -> list[RankRow]:
    """Retrieved cells by the rank of the task's API, from files of `apigap rag eval --out`.

    The searcher is the one that the cell's manifest names; without a manifest the file must hold one searcher alone.
    """
    known = [rank for path in ranks for rank in read_records(path, Ranked)]
    rows: list[RankRow] = []
    for cell in study.run:
        of_cell = _ranks_of(cell, known) if cell.delivery == "rag" else {}
        oracle = study.of(cell.experiment).get(f"oracle.{cell.condition}")
        rows += [row for name in RANKS if (row := _rank_row(cell, oracle, of_cell, name, study))]
    return rows


def rq3_adaptation(study: Study, adapted: Mapping[str, str]) -> list[Contrast]:
    """Tuned cells against those of the untuned model; `adapted` maps a method to its experiment.

    An adapted model is compared without knowledge and with all of it, given and retrieved, with the same cells of the
    first experiment; beside it stands what retrieval does without any adaptation.
    """
    found: list[Contrast] = []
    base = study.of(study.experiments[0])
    for experiment in study.experiments:
        cells = study.of(experiment)
        tuned = [(name, cell.condition) for name, cell in cells.items() if cell.delivery == "sft"]
        both = [(name, cell.condition) for name, cell in cells.items() if cell.delivery == "rag_sft"]
        wanted = [(name, "baseline") for name, _ in tuned] + [(name, f"oracle.{c}") for name, c in tuned]
        found += pairs("rq3 tuned cells", cells, wanted + [(name, f"rag.{c}") for name, c in both])
    if adapted and "rag.full" in base and "baseline" in base:
        title = f"{base['rag.full'].title} − {base['baseline'].title}"
        found.append(Contrast("rq3 adapted models", base["rag.full"], base["baseline"], f"base, {title}"))
    for method, experiment in adapted.items():
        own = study.of(experiment)
        found += [
            Contrast("rq3 adapted models", own[name], base[name], f"{method}, {own[name].title} − base")
            for name in _ADAPTED
            if name in own and name in base
        ]
    return found


def rq3_measures(study: Study) -> list[MeasureRow]:
    """The measures of each adapted model that an experiment asks, where its folder is still there."""
    return [
        MeasureRow(experiment=experiment, method=method, **measured.model_dump())
        for experiment, method, folder in _adapted(study)
        if (folder / MEASURES).is_file()
        for measured in read_records(folder / MEASURES, Measure)
    ]


def rq3_controls(study: Study) -> list[ControlRow]:
    """The rates of each adapted model and its base on the control tasks, where they were asked."""
    return [
        ControlRow(experiment, method, kind, found.asked, found.passed, found.low, found.high)
        for experiment, method, folder in _adapted(study)
        for kind, found in read_controls(folder).items()
    ]


def rq3_costs(study: Study) -> list[CostRow]:
    """The cost of making each adapted model, where its folder is still there."""
    rows: list[CostRow] = []
    for experiment, method, folder in _adapted(study):
        for spent in read_records(folder / COST, CostRecord) if (folder / COST).is_file() else ():
            minutes = round((spent.load_seconds + spent.seconds + spent.export_seconds) / 60, 1)
            numbers = (spent.examples, minutes, spent.peak_mib, spent.processors, spent.values_reused)
            rows.append(CostRow(experiment, method, *numbers))
    return rows


def _adapted(study: Study) -> Iterator[tuple[str, str, Path]]:
    """Experiment, method and folder of the adapted models that are asked."""
    for experiment, model in dict.fromkeys((cell.experiment, cell.model) for cell in study.run):
        folder = folder_of(model)
        adapted = read_adapted(folder) if folder else None
        if folder is not None and adapted is not None:
            yield experiment, adapted.method, folder


def rq3_fixed(contrasts: list[Contrast]) -> list[FixedRow]:
    """The failures of the untuned model that pass after the adaptation, by label."""
    rows: list[FixedRow] = []
    for contrast in contrasts:
        before, after = shared_rows(contrast.against.judged.verdicts, contrast.cell.judged.verdicts)
        for number, label in enumerate(FAILURE_LABELS):
            failed = after.judged & (before.label == number)
            if failed.any():
                fixed = int(np.count_nonzero(after.passed & failed))
                names = (contrast.cell.name, contrast.against.name)
                rows.append(FixedRow(contrast.cell.experiment, *names, label, int(np.count_nonzero(failed)), fixed))
    return rows


def bypass_rows(cell: StudyCell, study: Study) -> list[BypassRow] | None:
    """The ways past the target in the answers of a cell that chose another API.

    None where its results do not hold the code that was judged, as those of earlier versions.
    """
    modes: list[BypassMode] = []
    label = "WrongAPISelection"
    for row in read_records(cell.judged.path, _Code, holding=label.encode()):
        if row.label == label:
            if row.judged is None:
                return None
            modes.append(bypass_mode(str(row.judged), study.facts[row.task_id].api_name))
    counts = [(mode, modes.count(mode)) for mode in MODES]
    return [BypassRow(cell.experiment, cell.name, mode, n, n / len(modes)) for mode, n in counts if n]


def _ranks_of(cell: StudyCell, known: Sequence[Ranked]) -> dict[str, int | None]:
    """The rank of each task's API under the cell's condition and searcher; None where it was not found."""
    settings: Mapping[str, Any] = cell.judged.asked.get("retrieval", {})
    rows = [row for row in known if row.condition == cell.condition]
    searchers = {row.searcher for row in rows}
    searcher = settings.get("searcher") or (searchers.pop() if len(searchers) == 1 else None)
    return {row.task_id: row.rank for row in rows if row.searcher == searcher}


def _group(rank: int | None) -> str:
    if rank is None:
        return "not found"
    return "1" if rank == 1 else "2 to 5" if rank <= 5 else "beyond 5"


def _rank_row(
    cell: StudyCell, oracle: StudyCell | None, ranks: Mapping[str, int | None], name: str, study: Study
) -> RankRow | None:
    def wanted(task_id: str) -> bool:
        return task_id in ranks and _group(ranks[task_id]) == name

    found = estimate_cell(cell.restricted(wanted).judged.counts(study.facts))
    if not found.tasks:
        return None
    beside = estimate_cell(oracle.restricted(wanted).judged.counts(study.facts)) if oracle else None
    return RankRow(
        cell.experiment, cell.name, name, found.tasks, found.interval.estimate, found.interval.low,
        found.interval.high, beside.interval.estimate if beside else None,
    )  # fmt: skip
