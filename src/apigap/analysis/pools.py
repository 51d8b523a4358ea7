"""Experiments taken together: all groups of a model as one, and all models on the tasks that they share."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from apigap.analysis.judged import JudgedCell
from apigap.analysis.study import Pool, Study, StudyCell
from apigap.analysis.verdicts import Verdicts
from apigap.records.base import canonical_json

ALL_MODELS = "all models"


def with_pools(study: Study) -> Study:
    """The study, with a further experiment for each model of several groups, and one over all models where several are.

    A task counts once for a model, in the first of its experiments that has it; so the same tasks under other settings
    (of knowledge, say) are never mixed. Answers to prompts of another form are another model here. Over all models a
    cell has the tasks on which each of them has a verdict; the models' answers to a task are its samples.
    """
    own: dict[tuple[str, str], list[str]] = defaultdict(list)
    for experiment in study.experiments:
        first = next(iter(study.of(experiment).values()))
        own[first.model, canonical_json(first.judged.asked.get("generation"))].append(experiment)
    cells: list[StudyCell] = []
    compared: list[str] = []
    notes: list[str] = []
    for (model, _), experiments in own.items():
        adding, repeating = _adding(study, experiments)
        notes += [f"{name} has no task that {adding[0]} and its like lack: it is in no pool" for name in repeating]
        if len(adding) < 2:
            compared += [*adding, *repeating]
            continue
        name = f"{len(adding)} groups: {model}"
        compared += [name, *repeating]
        cells += _over_groups(study, adding, name)
    whole = replace(study, cells=(*study.cells, *cells), compared=tuple(compared), missing=(*study.missing, *notes))
    whole = replace(whole, experiments=(*study.experiments, *dict.fromkeys(cell.experiment for cell in cells)))
    over = _over_models(whole) if len({model for model, _ in own}) == len(compared) > 1 else []
    names = (ALL_MODELS,) if over else ()
    return replace(whole, cells=(*whole.cells, *over), experiments=(*whole.experiments, *names))


def _adding(study: Study, experiments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The experiments that have a task which none before them has, and the others."""
    seen: set[str] = set()
    adding: list[str] = []
    for name in experiments:
        tasks = {task for cell in study.of(name).values() for task in cell.judged.verdicts.task_ids}
        if tasks - seen:
            adding.append(name)
        seen |= tasks
    return adding, [name for name in experiments if name not in adding]


def _over_groups(study: Study, experiments: Sequence[str], name: str) -> list[StudyCell]:
    """The cells that all of the experiments have, with the tasks of them all."""
    every = [study.of(experiment) for experiment in experiments]
    first_with: dict[str, int] = {}
    for number, cells in enumerate(every):
        for task in {task for cell in cells.values() for task in cell.judged.verdicts.task_ids}:
            first_with.setdefault(task, number)
    found: list[StudyCell] = []
    for cell in (cell for cell in every[0].values() if all(cell.name in cells for cells in every)):
        parts = [cells[cell.name] for cells in every]
        verdicts = Verdicts.joined(
            [
                part.judged.verdicts.restricted(lambda task, number=number: first_with[task] == number)
                for number, part in enumerate(parts)
            ]
        )
        found.append(_pooled(cell, parts, verdicts, name, cell.model, "all groups"))
    return found


def _over_models(study: Study) -> list[StudyCell]:
    """The cells that all models have, on the tasks that each has a verdict on."""
    every = [study.of(experiment) for experiment in study.compared]
    found: list[StudyCell] = []
    for cell in (cell for cell in every[0].values() if all(cell.name in cells for cells in every)):
        parts = [cells[cell.name] for cells in every]
        shared = frozenset[str].intersection(*(part.judged_tasks for part in parts))
        every_row = [part.judged.verdicts for part in parts]
        samples = 1 + max((int(rows.sample.max()) for rows in every_row if len(rows)), default=0)
        own = [rows.renumbered(number * samples + rows.sample) for number, rows in enumerate(every_row)]
        verdicts = Verdicts.joined([rows.restricted(shared.__contains__) for rows in own])
        if len(verdicts):
            found.append(_pooled(cell, parts, verdicts, ALL_MODELS, ALL_MODELS, "all models"))
    return found


def _pooled(
    cell: StudyCell,
    parts: Iterable[StudyCell],
    verdicts: Verdicts,
    experiment: str,
    model: str,
    pool: Pool,
) -> StudyCell:
    evaluators = frozenset(name for part in parts for name in part.judged.evaluators)
    judged = JudgedCell(cell.judged.path, verdicts, evaluators, {}, {})
    return replace(cell, experiment=experiment, model=model, judged=judged, pool=pool)
