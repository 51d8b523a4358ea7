"""What a report shows, put together from the records of a run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.task_environment import Home
from apigap.gates.record import Gate, GateRecord, undecided_counts
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Prediction, Result
from apigap.records.task import Task
from apigap.reporting.entries import TITLES, facts_in_words, quoted_licence, sample_entry, task_entry
from apigap.reporting.model import AuditReport, Condition, Drop, LibraryAudit, SampleEntry
from apigap.stages.chain import Target


@dataclass
class LibraryRun:
    """One target's records; `gates` grows as the gates are run."""

    target: Target
    home: Home
    candidates: Sequence[Candidate]
    bundles: Sequence[KnowledgeBundle]
    tasks: Sequence[Task]
    gates: list[GateRecord] = field(default_factory=list[GateRecord])

    @property
    def task_ids(self) -> set[str]:
        """Ids of all tasks that were written."""
        return {task.task_id for task in self.tasks}

    def passing(self, gate: str) -> list[Task]:
        """Tasks that passed `gate`, in the order of the tasks file."""
        passed = {record.task_id for record in self.gates if record.gate == gate and record.status == "passed"}
        return [task for task in self.tasks if task.task_id in passed]

    @property
    def wanting(self) -> str:
        """What infrastructure has kept from being decided so far, in words; empty where nothing is."""
        return ", ".join(f"{name}: {count}" for name, count in undecided_counts(self.gates).items())

    def filtered(self) -> list[Task]:
        """Tasks that passed C1 and C2, and C3 where a solver was asked."""
        stopped = {record.task_id for record in self.gates if record.gate == "c3" and not record.lets_pass}
        return [task for task in self.passing("c2") if task.task_id not in stopped]


@dataclass(frozen=True)
class Audited:
    """A finished audit."""

    model: str
    model_facts: Mapping[str, Any]
    settings: Settings
    runs: Sequence[LibraryRun]
    tasks: Sequence[Task]
    predictions: Mapping[str, Mapping[str, Prediction]]
    results: Mapping[str, Sequence[Result]]
    isolation: str


def build_report(audited: Audited) -> AuditReport:
    """The report's records."""
    names = ", ".join(f"{r.target.library} {r.target.old or '(nothing)'} → {r.target.new}" for r in audited.runs)
    return AuditReport(
        title=names,
        model=audited.model,
        model_facts=facts_in_words(audited.model_facts),
        libraries=tuple(_library(run) for run in audited.runs),
        conditions=tuple(Condition(name=name, title=TITLES[name]) for name in audited.settings.audit.conditions),
        tasks=tuple(task_entry(task) for task in audited.tasks),
        samples=tuple(sample for name in audited.settings.audit.conditions for sample in _samples(audited, name)),
        isolation=audited.isolation,
        evaluator=evaluator_hash(),
        facts=_facts(audited),
        notes=_notes(audited),
    )


def _notes(audited: Audited) -> tuple[str, ...]:
    """What a reader must know where there is nothing to show."""
    if audited.tasks:
        return ()
    if not any(run.passing("c1") for run in audited.runs):
        return (
            "No task passed C1: these releases leave nothing that can be tested. The reasons are in the "
            "stage2_usages, stage3_log and stage4_c1 files of the data folder.",
        )
    return (f"{audited.model} passes every task without knowledge: there is no gap to explain.",)


def _facts(audited: Audited) -> tuple[tuple[str, str], ...]:
    generation, most = audited.settings.generation, audited.model_facts["decoding"]["max_tokens"]
    locks = [(f"environment of {r.target.library} {r.target.new}", r.home.environment.lock) for r in audited.runs]
    return (
        ("prompt layout", generation.layout + (", answer begun" if generation.begin_answer else "")),
        ("decoding", f"temperature {generation.temperature:g}, at most {most} tokens"),
        ("seed", str(generation.seed)),
        *locks,
        *(licence for run in audited.runs if (licence := quoted_licence(run.target.library, run.bundles))),
    )


def _library(run: LibraryRun) -> LibraryAudit:
    changes = Counter(candidate.change for candidate in run.candidates)
    counts = {
        gate: sum(r.status == "passed" for r in run.gates if r.gate == gate)
        for gate in ("c1", "c2", "c3")
        if any(r.status != "not run" for r in run.gates if r.gate == gate)
    }
    return LibraryAudit(
        library=run.target.library,
        old_version=run.target.old,
        new_version=run.target.new,
        added=changes["added"],
        modified=changes["modified"],
        moved=changes["moved"],
        bundles=len(run.bundles),
        tasks=len(run.tasks),
        c1=counts.get("c1"),
        c2=counts.get("c2"),
        c3=counts.get("c3"),
        drops=_drops(run),
    )


def _drops(run: LibraryRun) -> tuple[Drop, ...]:
    asked = {record.task_id for record in run.gates if record.gate == "c2"}
    beyond = sum(task.task_id not in asked for task in run.passing("c1"))
    failed: list[tuple[Gate, str]] = [(r.gate, r.reason or "") for r in run.gates if r.status == "failed"]
    reasons = Counter(failed)
    drops = [Drop(stage=gate, reason=reason, count=count) for (gate, reason), count in sorted(reasons.items())]
    if beyond:
        drops.append(Drop(stage="c2", reason="beyond this run's limit of tasks (audit.max_tasks)", count=beyond))
    return tuple(drops)


def _samples(audited: Audited, condition: str) -> list[SampleEntry]:
    tasks = {task.task_id: task for task in audited.tasks}
    by_task = {prediction.task_id: prediction for prediction in audited.predictions[condition].values()}
    return [
        sample_entry(condition, tasks[result.task_id], by_task[result.task_id], result)
        for result in audited.results[condition]
    ]
