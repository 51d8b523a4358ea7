"""Results that a person should look at: right values with evidence against them, beside the task's reference."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apigap.benchmarks.novelapi.cells import RESULTS
from apigap.records.errors import UsageError
from apigap.records.result import Result
from apigap.records.store import read_records
from apigap.records.task import Task


@dataclass(frozen=True)
class Suspect:
    """One suspect answer. `where` is the cell's folder or the results file, `dependence` the evidence by its kind."""

    where: str
    task_id: str
    sample: int
    api_name: str
    reason: str
    dependence: dict[str, str]
    reference: str
    answer: str


def suspects_of_run(data: Path) -> list[Suspect]:
    """The suspects in all cells of a data folder.

    Raises:
        UsageError: when the folder holds no results.
    """
    cells = sorted(path.parent for path in (data / "results").rglob(RESULTS))
    if not cells:
        raise UsageError(f"{data} holds no results; give the folder that `apigap audit --data` wrote")
    tasks = sorted((data / "raw").rglob("stage3_tasks.*.jsonl"))
    names = {cell: str(cell.relative_to(data / "results")) for cell in cells}
    return [suspect for cell in cells for suspect in suspects_of_files(tasks, cell / RESULTS, names[cell])]


def suspects_of_files(tasks: list[Path], results: Path, where: str) -> list[Suspect]:
    """The suspects of one results file, with the tasks that belong to it."""
    by_id = {task.task_id: task for path in tasks for task in read_records(path, Task)}
    found = [result for result in read_records(results, Result) if result.outcome == "suspect"]
    return list(_suspects(found, by_id, where))


def _suspects(found: list[Result], tasks: dict[str, Task], where: str) -> Iterator[Suspect]:
    for result in found:
        task = tasks.get(result.task_id)
        if task is None:
            raise UsageError(f"{where}: no tasks file holds task {result.task_id}; give the right one with --tasks")
        detail: dict[str, Any] = result.detail
        yield Suspect(
            where=where,
            task_id=task.task_id,
            sample=result.sample,
            api_name=task.api_name,
            reason=str(detail.get("reason", "")),
            dependence=dict(detail.get("dependence") or {}),
            reference=task.masked_region,
            answer=result.judged_text,
        )
