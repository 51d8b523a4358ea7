"""Exports that close a gap: documentation for tools that write code (llms.txt), and a tuning set."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apigap.adaptation.examples import sft_examples
from apigap.analysis.experiment_report import experiment_report, tasks_named
from apigap.analysis.task_facts import task_files
from apigap.knowledge.bundle_files import read_bundles
from apigap.records.configuration import GenerationSettings
from apigap.records.errors import UsageError
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.store import load_records, write_records, write_text
from apigap.records.task import Task
from apigap.reporting.api_pages import ApiPage, api_pages, llms_files
from apigap.reporting.cells import api_rows, cells_of
from apigap.reporting.entries import quoted_licence
from apigap.reporting.model import AuditReport

_MANY = 3


@dataclass(frozen=True)
class KnowledgeGap:
    """Bundles; the `report` of an experiment where one is given; the `tasks` on what its model lacks, else all."""

    bundles: Sequence[KnowledgeBundle]
    report: AuditReport | None
    tasks: Sequence[Task]
    asked: Sequence[Task] = ()


def read_gap(
    root: Path, experiment: str | None, knowledge: Sequence[Path], tasks: Sequence[Path], *, bundles: bool = True
) -> KnowledgeGap:
    """The gap that an experiment in the data folder `root` shows, with the bundles and tasks that could close it.

    Without `knowledge` the bundles are those of the folder's stage 2 for the model, else of the starter benchmark;
    without `tasks` see `task_files`. Without an experiment, all of `knowledge` and all of `tasks`. Of an experiment the
    `bundles` may be left out.

    Raises:
        UsageError: see `experiment_report`; also without both an experiment and bundles.
    """
    if experiment is None:
        if not knowledge:
            raise UsageError("say what is to be written: --experiment NAME, or --knowledge FILE with bundles")
        own = [task for path in (task_files(None, tasks) if tasks else ()) for task in load_records(path, Task)]
        return KnowledgeGap(read_bundles(knowledge), None, own)
    report = experiment_report(root, experiment, tasks)
    asked = tasks_named({task.task_id for task in report.tasks}, task_files(root, tasks))
    slug = Layout(root, report.model).slug
    own = sorted((root / "raw").glob(f"*/stage2_knowledge.{slug}.jsonl"))
    every = list(asked.values())
    found = read_bundles(knowledge or own, every) if bundles else []
    return KnowledgeGap(found, report, gap_tasks(every, report), every)


def write_llms(folder: Path, bundles: Sequence[KnowledgeBundle], report: AuditReport | None = None) -> dict[str, int]:
    """Write llms.txt, llms-full.txt and a page per API; returns how many APIs need what (see `api_pages`)."""
    pages = api_pages(bundles, report)
    write_pages(folder, bundles, pages, report.model if report else None)
    return {"apis": len(pages), **Counter(page.need for page in pages)}


def write_pages(
    folder: Path, bundles: Sequence[KnowledgeBundle], pages: Sequence[ApiPage], model: str | None = None
) -> None:
    """Write llms.txt, llms-full.txt and the pages, which are about `bundles`; `model` is the one that was asked."""
    title, introduction = _title_and_introduction(bundles)
    for path, text in llms_files(title, introduction, pages, model).items():
        write_text(folder / path, text)


def write_tuning_set(
    out: Path, tasks: Sequence[Task], bundles: Sequence[KnowledgeBundle], condition: str, settings: GenerationSettings
) -> dict[str, int]:
    """Write a conversation per task: the prompt of `condition` and the reference as its answer.

    Raises:
        UsageError: when there is none to write.
    """
    examples = sft_examples(tasks, {bundle.api_name: bundle for bundle in bundles}, condition, settings)
    write_records(out, examples)
    return {"examples": len(examples), "apis": len({example.api_name for example in examples})}


def gap_tasks(tasks: Sequence[Task], report: AuditReport) -> list[Task]:
    """The tasks on APIs that the model of a report cannot use without help."""
    baseline = report.conditions[0].name
    gaps = {row.api_name for row in api_rows(report, cells_of(report)) if row.is_gap(baseline)}
    return [task for task in tasks if task.api_name in gaps]


def _title_and_introduction(bundles: Sequence[KnowledgeBundle]) -> tuple[str, list[str]]:
    """The title of an index, and what it says of its pages."""
    libraries = {bundle.library: bundle for bundle in bundles}
    names = [f"{name} {bundle.version}" for name, bundle in sorted(libraries.items())]
    title = ", ".join(names) if len(names) <= _MANY else f"{len(names)} libraries"
    since = [f"{name} {bundle.old_version}" for name, bundle in sorted(libraries.items()) if bundle.old_version]
    compared = f", compared with {', '.join(since)}" if since and len(names) <= _MANY else ""
    words = [f"What is new or changed in {', '.join(names)}{compared}: a page for each API, with what a model needs."]
    licences = {name: quoted_licence(name, (b for b in bundles if b.library == name)) for name in sorted(libraries)}
    quoted = [f"{name} ({licence[1]})" for name, licence in licences.items() if licence]
    return f"{title}: new and changed APIs", words + ([f"What is quoted: {', '.join(quoted)}."] if quoted else [])
