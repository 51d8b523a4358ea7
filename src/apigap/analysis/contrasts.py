"""Pairs of cells, and Holm's correction over the families that they are declared in."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from apigap.analysis.compare import SEED, compare_cells, rates, tasks_of
from apigap.analysis.rows import GainRow, InteractionRow
from apigap.analysis.study import Study, StudyCell
from apigap.analysis.task_facts import TaskFacts
from apigap.analysis.verdicts import shared_rows
from apigap.statistics import holm, interaction

Tested = TypeVar("Tested", GainRow, InteractionRow)


@dataclass(frozen=True)
class Contrast:
    """`cell` against `against`, as one test of `family`; `title` is what it says in words."""

    family: str
    cell: StudyCell
    against: StudyCell
    title: str
    scope: str = "all"


def pairs(family: str, cells: dict[str, StudyCell], wanted: Iterable[tuple[str, str]]) -> list[Contrast]:
    """The contrasts (cell, against) of one experiment that can be made, by the names of cells."""
    pool = next((f", {cell.pool}" for cell in cells.values() if cell.pool), "")
    return [
        Contrast(f"{family}{pool}", cells[name], cells[other], f"{cells[name].title} − {cells[other].title}")
        for name, other in wanted
        if name in cells and other in cells
    ]


def by_change(contrasts: Sequence[Contrast], study: Study) -> list[Contrast]:
    """Each contrast on the tasks of added APIs alone, and on those of modified ones; a family for each."""

    def keeps(kind: str) -> Callable[[str], bool]:
        return lambda task_id: study.facts[task_id].change == kind

    return [
        Contrast(
            f"{c.family}, {kind}", c.cell.restricted(keeps(kind)), c.against.restricted(keeps(kind)), c.title, kind
        )
        for kind in ("added", "modified")
        for c in contrasts
    ]


def gain_rows(contrasts: Sequence[Contrast], study: Study, draws: int) -> list[GainRow]:
    """The rows of the contrasts that share a judged sample; the others are left out."""
    rows = [row for contrast in contrasts if (row := _gain(contrast, study, draws)) is not None]
    return _corrected(rows)


def interaction_rows(contrasts: Sequence[Contrast], study: Study, draws: int) -> list[InteractionRow]:
    """The interaction of each contrast with the kind of change; left out where a kind has fewer than two APIs."""
    rows = [row for contrast in contrasts if (row := _interaction(contrast, study, draws)) is not None]
    return _corrected(rows)


def mixed_apis(study: Study) -> frozenset[str]:
    """APIs with tasks of both kinds of change: no kind can be dealt to them."""
    kinds: dict[str, set[str | None]] = {}
    for facts in study.facts.values():
        kinds.setdefault(facts.api_name, set()).add(facts.change)
    return frozenset(name for name, found in kinds.items() if len(found) > 1)


def _gain(contrast: Contrast, study: Study, draws: int) -> GainRow | None:
    before, after = contrast.against.judged, contrast.cell.judged
    if not len(shared_rows(before.verdicts, after.verdicts)[0]):
        return None
    found = compare_cells(before, after, study.facts, draws=draws, with_flips=False)
    if found.gain is None:
        return None
    return GainRow(
        family=contrast.family, experiment=contrast.cell.experiment, model=contrast.cell.model, scope=contrast.scope,
        cell=contrast.cell.name, against=contrast.against.name, title=contrast.title,
        tasks=found.gain.n, apis=found.gain.clusters, difference=found.gain.difference,
        low=found.gain.low, high=found.gain.high, p=found.gain.p_value, p_holm=found.gain.p_value,
        mcnemar=found.mcnemar, detectable=found.gain.detectable, lowest=found.lowest, highest=found.highest,
    )  # fmt: skip


def _interaction(contrast: Contrast, study: Study, draws: int) -> InteractionRow | None:
    before, after = shared_rows(contrast.against.judged.verdicts, contrast.cell.judged.verdicts)
    mixed = mixed_apis(study)
    known = [name in study.facts and _kind_is_known(study.facts[name], mixed) for name in before.names]
    chosen = before.judged & after.judged & np.array(known, dtype=np.bool_)[before.task]
    before, after = before.where(chosen), after.where(chosen)
    tasks, old, new = tasks_of(before), rates(before, before.passed), rates(after, after.passed)
    facts = [study.facts[task] for task in tasks]
    modified = [fact.change == "modified" for fact in facts]
    found = interaction(old, new, [fact.api_name for fact in facts], modified, SEED, draws)
    if found is None:
        return None
    return InteractionRow(
        family=contrast.family, experiment=contrast.cell.experiment, model=contrast.cell.model,
        cell=contrast.cell.name, against=contrast.against.name,
        modified_apis=found.clusters[0], added_apis=found.clusters[1],
        difference=found.difference, low=found.low, high=found.high, p=found.p_value, p_holm=found.p_value,
    )  # fmt: skip


def _kind_is_known(facts: TaskFacts, mixed: frozenset[str]) -> bool:
    return facts.change is not None and facts.api_name not in mixed


def _corrected(rows: list[Tested]) -> list[Tested]:
    """Holm within each family, over all experiments."""
    adjusted = list(rows)
    for family in {row.family for row in rows}:
        places = [place for place, row in enumerate(rows) if row.family == family]
        for place, value in zip(places, holm([rows[place].p for place in places]), strict=True):
            adjusted[place] = replace(rows[place], p_holm=value)
    return adjusted
