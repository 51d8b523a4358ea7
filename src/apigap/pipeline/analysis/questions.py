"""The three questions as contrasts between cells: what is compared with what, and in which family."""

from collections.abc import Mapping
from pathlib import Path

from apigap.models.extraction import extract_code
from apigap.pipeline.analysis.bypass import MODES, bypass_mode
from apigap.pipeline.analysis.contrasts import Contrast, pairs
from apigap.pipeline.analysis.rows import BypassRow, FixedRow, RankRow
from apigap.pipeline.analysis.study import Study, StudyCell
from apigap.pipeline.evaluate import PREDICTIONS
from apigap.records.result import FAILURE_LABELS, Prediction
from apigap.records.store import read_records
from apigap.statistics import estimate_cell

COMPONENTS = (("e", "s"), ("s_e", "e"), ("s_e", "s"), ("full", "s_e"), ("full", "e"))
"""RQ1: which knowledge adds to which, declared before any result."""
RANKS = ("1", "2 to 5", "beyond 5", "not found")


def rq1_conditions(study: Study) -> list[Contrast]:
    """Every condition, put in the prompt as it is, against the baseline."""
    found: list[Contrast] = []
    for experiment in study.experiments:
        cells = study.of(experiment)
        wanted = [(name, "baseline") for name, cell in cells.items() if cell.delivery == "oracle"]
        found += pairs("rq1 conditions", cells, wanted)
    return found


def rq1_components(study: Study) -> list[Contrast]:
    """Conditions against each other."""
    wanted = [(f"oracle.{one}", f"oracle.{other}") for one, other in COMPONENTS]
    return [c for experiment in study.experiments for c in pairs("rq1 components", study.of(experiment), wanted)]


def rq2_retrieval(study: Study) -> list[Contrast]:
    """What retrieval finds against the bundle itself, per condition."""
    found: list[Contrast] = []
    for experiment in study.experiments:
        cells = study.of(experiment)
        wanted = [(name, f"oracle.{cell.condition}") for name, cell in cells.items() if cell.delivery == "rag"]
        found += pairs("rq2 retrieval", cells, wanted)
    return found


def rq2_ranks(study: Study) -> list[RankRow]:
    """Retrieved cells by the rank of the target; only where the predictions say it (`target_rank`)."""
    rows: list[RankRow] = []
    for cell in study.cells:
        if cell.delivery == "rag" and (ranks := _ranks(cell.judged.path)):
            oracle = study.of(cell.experiment).get(f"oracle.{cell.condition}")
            rows += [row for name in RANKS if (row := _rank_row(cell, oracle, ranks, name, study))]
    return rows


def rq3_adaptation(study: Study, adapted: Mapping[str, str]) -> list[Contrast]:
    """Tuned cells against those of the untuned model; `adapted` maps a method to its experiment.

    An adapted model is compared without knowledge and with all of it, with the same cells of the first experiment.
    """
    found: list[Contrast] = []
    base = study.of(study.experiments[0])
    for experiment in study.experiments:
        cells = study.of(experiment)
        tuned = [(name, cell.condition) for name, cell in cells.items() if cell.delivery == "sft"]
        both = [(name, cell.condition) for name, cell in cells.items() if cell.delivery == "rag_sft"]
        wanted = [(name, "baseline") for name, _ in tuned] + [(name, f"oracle.{c}") for name, c in tuned]
        found += pairs("rq3 tuned cells", cells, wanted + [(name, f"rag.{c}") for name, c in both])
    for method, experiment in adapted.items():
        own = study.of(experiment)
        found += [
            Contrast("rq3 adapted models", own[name], base[name], f"{method}, {own[name].title} − base")
            for name in ("baseline", "oracle.full")
            if name in own and name in base
        ]
    return found


def rq3_fixed(contrasts: list[Contrast]) -> list[FixedRow]:
    """Which failures of the untuned model pass after the adaptation, by label."""
    rows: list[FixedRow] = []
    for contrast in contrasts:
        before, after = contrast.against.judged.verdicts, contrast.cell.judged.verdicts
        shared = [(before[key], after[key]) for key in before.keys() & after.keys() if after[key].judged]
        for label in FAILURE_LABELS:
            failed = [new for old, new in shared if old.label == label]
            if failed:
                fixed = sum(new.passed for new in failed)
                names = (contrast.cell.name, contrast.against.name)
                rows.append(FixedRow(contrast.cell.experiment, *names, label, len(failed), fixed))
    return rows


def bypass_rows(cell: StudyCell, study: Study) -> list[BypassRow]:
    """How the answers of a cell that chose another API go past the target; none without its answers."""
    path = cell.judged.path.with_name(PREDICTIONS)
    wrong = {key for key, verdict in cell.judged.verdicts.items() if verdict.label == "WrongAPISelection"}
    if not wrong or not path.exists():
        return []
    modes: list[str] = []
    for prediction in read_records(path, Prediction):
        for number, text in enumerate(prediction.samples):
            if (prediction.task_id, number) in wrong:
                facts = study.facts[prediction.task_id]
                modes.append(bypass_mode(extract_code(text, facts.context_code).code, facts.api_name))
    counts = [(mode, modes.count(mode)) for mode in MODES]
    return [BypassRow(cell.experiment, cell.name, mode, n, n / len(modes)) for mode, n in counts if n]


def _ranks(results: Path) -> dict[str, int | None]:
    """The rank of the target's first chunk by task; None where it was not found at all."""
    path = results.with_name(PREDICTIONS)
    if not path.exists():
        return {}
    extras = ((prediction.task_id, prediction.model_extra or {}) for prediction in read_records(path, Prediction))
    return {task_id: extra["target_rank"] for task_id, extra in extras if "target_rank" in extra}


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
