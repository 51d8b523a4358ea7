"""An experiment answer by answer: the report that ends an audit, of the cells of any experiment."""

from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from apigap.analysis.study import StudyCell, read_study
from apigap.analysis.task_facts import task_files
from apigap.benchmarks.novelapi.cells import PREDICTIONS
from apigap.records.errors import UsageError
from apigap.records.experiment import BASELINE
from apigap.records.result import Prediction, Result
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.entries import facts_in_words, sample_entry, task_entry
from apigap.reporting.model import AuditReport, Condition, SampleEntry

_NO_PROMPTS = "These answers are kept without their prompts: of several cures the first one of the table is named."


def experiment_report(data: Path, experiment: str, tasks: Sequence[Path] = (), force: bool = False) -> AuditReport:
    """The report of an experiment's judged cells, the baseline first. `tasks` are as in `task_facts.task_files`.

    Raises:
        UsageError: see `read_study`; also when the baseline has not been judged, with which all else is compared.
        CorruptRecord: when a tasks file holds something else than tasks.
    """
    study = read_study(data, [experiment], tasks=tasks, force=force)
    first = study.of(experiment).get(BASELINE.name)
    if first is None:
        raise UsageError(
            f"{experiment} has no verdicts on its baseline, with which a report compares; get them with: "
            f"apigap run --experiment {experiment} --cells baseline --steps run eval"
        )
    whole = tasks_named(study.facts, task_files(data, tasks))
    samples = tuple(entry for cell in study.cells for entry in _samples(cell, whole))
    return AuditReport(
        title=experiment,
        model=first.model,
        model_facts=facts_in_words(first.judged.asked.get("model", {})),
        libraries=(),
        conditions=tuple(Condition(name=cell.name, title=cell.title) for cell in study.cells),
        tasks=tuple(task_entry(task) for task in whole.values()),
        samples=samples,
        isolation=_isolation(first.judged.made_from),
        evaluator=", ".join(sorted({name for cell in study.cells for name in cell.judged.evaluators})),
        facts=facts_in_words(first.judged.asked.get("generation", {})),
        notes=() if all(sample.prompt for sample in samples) else (_NO_PROMPTS,),
    )


def tasks_named(ids: Container[str], files: Sequence[Path]) -> dict[str, Task]:
    """The tasks with these ids, by id and in the order of the files.

    Raises:
        CorruptRecord: when a file holds something else than tasks.
    """
    found = (task for path in files for task in load_records(path, Task))
    return {task.task_id: task for task in found if task.task_id in ids}


def _samples(cell: StudyCell, tasks: Mapping[str, Task]) -> Iterator[SampleEntry]:
    folder = cell.judged.path.parent
    answers = {prediction.task_id: prediction for prediction in load_records(folder / PREDICTIONS, Prediction)}
    for result in load_records(cell.judged.path, Result):
        yield sample_entry(cell.name, tasks[result.task_id], answers[result.task_id], result)


def _isolation(made_from: Mapping[str, Any]) -> str:
    return str(made_from.get("execution", {}).get("isolation", {}).get("name", "not recorded"))
