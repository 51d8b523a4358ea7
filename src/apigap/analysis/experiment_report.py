"""The report of judged answers, task by task: of an audit, or of the cells of any experiment."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.analysis.agents.traces import traces_of
from apigap.analysis.stale import stale_uses
from apigap.analysis.study import read_study
from apigap.analysis.task_facts import task_files
from apigap.benchmarks.novelapi.cells import PREDICTIONS, RESULTS
from apigap.models.spending.cell_cost import kept_cost
from apigap.records.base import Json
from apigap.records.errors import UsageError
from apigap.records.experiment import BASELINE
from apigap.records.layout import Layout
from apigap.records.result import Prediction, Result
from apigap.records.retired import Retirement
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.entries import facts_in_words, sample_entry, task_entry
from apigap.reporting.ladder_model import Ladder
from apigap.reporting.model import AuditReport, Condition, LibraryAudit, SampleEntry

_NO_PROMPTS = "These answers are kept without their prompts: of several cures the first one of the table is named."


@dataclass(frozen=True)
class ReportedCell:
    """A column of a report, and the folder of its answers and verdicts."""

    condition: Condition
    folder: Path


def build_report(
    cells: Sequence[ReportedCell],
    tasks: Mapping[str, Task],
    *,
    title: str,
    model: str,
    model_facts: Mapping[str, Json],
    isolation: str,
    evaluator: str,
    facts: Sequence[tuple[str, str]] = (),
    libraries: Sequence[LibraryAudit] = (),
    notes: Sequence[str] = (),
    retired: Sequence[Retirement] = (),
    ladder: Ladder | None = None,
) -> AuditReport:
    """The report of `cells`, the baseline first, on `tasks` (by id); `libraries` are those whose stages were run.

    `retired` is what their releases took away, `ladder` what single questions say.

    Raises:
        CorruptRecord: when a cell's file holds something else than answers or verdicts.
    """
    samples = tuple(entry for cell in cells for entry in _samples(cell, tasks))
    untold = () if all(sample.prompt for sample in samples) else (_NO_PROMPTS,)
    return AuditReport(
        title=title,
        model=model,
        model_facts=facts_in_words(model_facts),
        libraries=tuple(libraries),
        conditions=tuple(cell.condition for cell in cells),
        tasks=tuple(map(task_entry, tasks.values())),
        samples=samples,
        isolation=isolation,
        evaluator=evaluator,
        facts=tuple(facts),
        notes=(*notes, *untold),
        stale=stale_uses(retired, samples, tasks),
        ladder=ladder,
        costs={cell.condition.name: cost for cell in cells if (cost := kept_cost(cell.folder / RESULTS))},
    )


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
    return build_report(
        [ReportedCell(Condition(name=cell.name, title=cell.title), cell.judged.path.parent) for cell in study.cells],
        tasks_named(study.facts, task_files(data, tasks)),
        title=experiment,
        model=first.model,
        model_facts=first.judged.asked.get("model", {}),
        isolation=_isolation(first.judged.made_from),
        evaluator=", ".join(sorted({name for cell in study.cells for name in cell.judged.evaluators})),
        facts=facts_in_words(first.judged.asked.get("generation", {})),
        retired=_retired_in(data, first.model),
    )


def _retired_in(data: Path, model: str) -> list[Retirement]:
    """The retirements that the stages of the data folder found in the releases that `model` was asked about."""
    files = sorted((data / "raw").glob(f"*/stage1_retired.{Layout(data, model).slug}.jsonl"))
    return [one for path in files for one in load_records(path, Retirement)]


def tasks_named(ids: Container[str], files: Sequence[Path]) -> dict[str, Task]:
    """The tasks with these ids, by id and in the order of the files.

    Raises:
        CorruptRecord: when a file holds something else than tasks.
    """
    found = (task for path in files for task in load_records(path, Task))
    return {task.task_id: task for task in found if task.task_id in ids}


def _samples(cell: ReportedCell, tasks: Mapping[str, Task]) -> Iterator[SampleEntry]:
    answers = {prediction.task_id: prediction for prediction in load_records(cell.folder / PREDICTIONS, Prediction)}
    traces = traces_of(cell.folder)
    for result in load_records(cell.folder / RESULTS, Result):
        entry = sample_entry(cell.condition.name, tasks[result.task_id], answers[result.task_id], result)
        yield entry.model_copy(update={"trace": traces.get((result.task_id, result.sample))})


def _isolation(made_from: Mapping[str, Json]) -> str:
    return str(made_from.get("execution", {}).get("isolation", {}).get("name", "not recorded"))
