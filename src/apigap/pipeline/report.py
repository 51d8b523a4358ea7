"""What a report shows, put together from the records of a run."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apigap.benchmarks.novelapi import Home
from apigap.gates.record import Gate, GateRecord, undecided_counts
from apigap.models.extraction import extract_code
from apigap.pipeline.stages import Target
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.result import Prediction, Result
from apigap.records.task import Task
from apigap.reporting.model import AuditReport, Comparison, Condition, Drop, LibraryAudit, SampleEntry, TaskEntry
from apigap.sandbox.verdict.judge import evaluator_hash

TITLES = {
    "baseline": "no knowledge",
    "s_name": "name",
    "s": "signature",
    "e": "example",
    "e_masked": "example without the name",
    "m_prose": "prose",
    "m_code": "source code",
    "s_e": "signature + example",
    "s_m_prose": "signature + prose",
    "s_m_code": "signature + source code",
    "s_m_prose_m_code": "signature + prose + source code",
    "s_e_m_code": "signature + example + source code",
    "full": "everything",
}


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


def quoted_licence(library: str, bundles: Iterable[KnowledgeBundle]) -> tuple[str, str] | None:
    """Under which licence a library is quoted, as a fact of a report; None where no bundle has excerpts."""
    quoted = next((bundle for bundle in bundles if bundle.has_excerpts), None)
    if quoted is None:
        return None
    licence = quoted.licence
    told = licence.text if licence and licence.text else "unknown"
    stays = "; do not pass this page on" if quoted.is_local_only else ""
    return f"licence of what is quoted of {library}", told + stays


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


def task_entry(task: Task) -> TaskEntry:
    """A task as a report shows it."""
    return TaskEntry(
        task_id=task.task_id,
        api_name=task.api_name,
        library=task.library,
        change=task.change,
        difficulty=task.difficulty,
        description=task.description,
        context_code=task.context_code,
        reference_solution=task.masked_region,
    )


def _samples(audited: Audited, condition: str) -> list[SampleEntry]:
    tasks = {task.task_id: task for task in audited.tasks}
    by_task = {prediction.task_id: prediction for prediction in audited.predictions[condition].values()}
    return [
        sample_entry(condition, tasks[result.task_id], by_task[result.task_id], result)
        for result in audited.results[condition]
    ]


def sample_entry(condition: str, task: Task, prediction: Prediction, result: Result) -> SampleEntry:
    """An answer and its verdict as a report shows them."""
    answer = prediction.samples[result.sample]
    exception = result.detail.get("exception")
    return SampleEntry(
        condition=condition,
        task_id=task.task_id,
        sample=result.sample,
        outcome=result.outcome,
        label=result.label,
        reason=str(result.detail.get("why") or result.detail.get("reason") or ""),
        score=result.score,
        prompt=str((prediction.model_extra or {}).get("prompt", "")),
        answer=answer,
        code=extract_code(answer, task.context_code).code,
        comparisons=tuple(_comparison(difference) for difference in result.detail.get("differences", [])),
        exception=f"{exception['type']}: {exception['message']}" if exception else None,
    )


def _comparison(difference: Mapping[str, Any]) -> Comparison:
    return Comparison(
        what=str(difference.get("path", "")),
        expected=str(difference.get("expected", "")),
        observed=str(difference.get("observed", "")),
    )


def facts_in_words(facts: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Pairs of a name and a value in words, by name."""
    return tuple((key, _plain(value)) for key, value in sorted(facts.items()))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(entry)}" for key, entry in value.items())  # pyright: ignore
    return str(value)
