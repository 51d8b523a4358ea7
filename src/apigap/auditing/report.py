"""The part of an audit's report that its stages tell: what each library brought, and where its tasks went."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from apigap.discovery.importance.order import why_later
from apigap.gates.library_run import LibraryRun
from apigap.gates.record import GATES, Gate, GateRecord
from apigap.records.base import Json
from apigap.records.configuration import Settings
from apigap.reporting.entries import quoted_licence
from apigap.reporting.model import Drop, LibraryAudit

_MOST_REASONS = 5


def title_of(runs: Sequence[LibraryRun]) -> str:
    """The names of the releases."""
    return ", ".join(f"{r.target.library} {r.target.old or '(nothing)'} → {r.target.new}" for r in runs)


def notes_of(runs: Sequence[LibraryRun], model: str) -> tuple[str, ...]:
    """Notes on how the releases were read, and the reason why there is nothing to show, if no task is left."""
    notes = notes_of_runs(runs)
    if any(run.filtered() for run in runs):
        return notes
    return (*notes, _what_came_up_empty(runs) or _what_was_asked(runs, model))


def notes_of_runs(runs: Sequence[LibraryRun]) -> tuple[str, ...]:
    """Notes on how the releases were read."""
    return tuple(f"{run.target.library}: {note}" for run in runs for note in run.notes)


def of_few_tasks(runs: Sequence[LibraryRun], settings: Settings) -> tuple[str, ...]:
    """A note on how to get more tasks, where most APIs have none that is worth asking."""
    new = {c.api_name for run in runs for c in run.candidates if c.change != "moved"}
    with_task = {task.api_name for run in runs for task in run.tasks} & new
    if not settings.tasks.worth_asking or 2 * len(with_task) >= len(new):
        return ()
    return (
        f"{len(with_task)} of {_number([*new], 'API')} have a task that is worth asking. "
        "`--set tasks.worth_asking=false` makes one of about every third API; their data or outcomes say less.",
    )


def _what_was_asked(runs: Sequence[LibraryRun], model: str) -> str:
    """The count of valid tasks that the model was asked and passed, and why others were not asked: that is no pass."""
    records = [record for run in runs for record in run.gates if record.gate == "c2"]
    asked = [record for record in records if record.evidence.get("samples")]
    passed = [record for record in asked if record.evidence.get("passed")]
    unasked = Counter(record.reason or "no reason is kept" for record in records if record not in asked)
    left = "; ".join(f"{count} because {reason}" for reason, count in sorted(unasked.items()))
    if not asked:
        return f"Novelty (stage 4, C2): {model} was asked 0 of {_number(records, 'valid task')}: {left}."
    told = f"{model} passes {len(passed)} of {_number(asked, 'task')} that it was asked without knowledge"
    return f"{told}: no task is left to explain a gap with." + (f" Not asked: {left}." if left else "")


def _what_came_up_empty(runs: Sequence[LibraryRun]) -> str | None:
    """The first stage that left nothing to go on with; None where tasks were asked."""
    candidates = [c for run in runs for c in run.candidates if c.change != "moved"]
    bundles = [bundle for run in runs for bundle in run.bundles]
    tasks = [task for run in runs for task in run.tasks]
    if not candidates:
        return (
            "Discovery (stage 1) found 0 candidates: nothing public is new or called differently in these releases. "
            "`apigap discover` shows what it counts and leaves out."
        )
    if not any(example.status == "executed" for bundle in bundles for example in bundle.exemplars) and not tasks:
        return (
            f"Knowledge (stage 2) found 0 usages that run, of {_number(candidates, 'candidate')}. "
            "The reasons are in the stage2_usages files of the data folder."
        )
    if not tasks:
        return (
            f"Tasks (stage 3) could be made of 0 of {_number(candidates, 'candidate')}. "
            "The reasons are in the stage3_log files of the data folder."
        )
    if not any(run.passing("c1") for run in runs):
        return (
            f"Validity (stage 4, C1) was passed by 0 of {_number(tasks, 'task')}. "
            "The reasons are in the stage4_c1 files of the data folder."
        )
    return None


def _number(things: Sequence[object], name: str) -> str:
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def facts_of(
    runs: Sequence[LibraryRun], settings: Settings, model_facts: Mapping[str, Json]
) -> tuple[tuple[str, str], ...]:
    """The terms of the audit, as pairs of a name and a value."""
    generation, most = settings.generation, model_facts["decoding"]["max_tokens"]
    locks = [(f"environment of {run.target.library} {run.target.new}", _lock(run)) for run in runs]
    return (
        ("prompt layout", generation.layout + (", answer begun" if generation.begin_answer else "")),
        ("decoding", f"temperature {generation.temperature:g}, at most {most} tokens"),
        ("seed", str(generation.seed)),
        *locks,
        *(licence for run in runs if (licence := quoted_licence(run.target.library, run.bundles))),
    )


def _lock(run: LibraryRun) -> str:
    return run.new.lock + (", with the dependencies of today" if run.new.resolved == "today" else "")


def library_audit(run: LibraryRun) -> LibraryAudit:
    """The way of one library through the stages."""
    changes = Counter(candidate.change for candidate in (*run.candidates, *run.left_out))
    counts = {
        gate: sum(r.status == "passed" for r in run.gates if r.gate == gate)
        for gate in GATES
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
        reading=counts.get("reading"),
        c2=counts.get("c2"),
        c3=counts.get("c3"),
        drops=_drops(run),
    )


def _drops(run: LibraryRun) -> tuple[Drop, ...]:
    failed: list[tuple[Gate, str]] = [(r.gate, r.reason or "") for r in run.gates if r.status == "failed"]
    reasons = Counter(failed)
    drops = [Drop(stage=gate, reason=reason, count=count) for (gate, reason), count in sorted(reasons.items())]
    unchosen = Counter(f"left out by the settings of `selection`: {why_later(candidate)}" for candidate in run.left_out)
    drops += [Drop(stage="knowledge", reason=reason, count=count) for reason, count in sorted(unchosen.items())]
    drops += _without_task(run)
    beyond = Counter(_beyond(run))
    drops += [Drop(stage="c2", reason=reason, count=count) for reason, count in sorted(beyond.items())]
    return tuple(drops)


def _without_task(run: LibraryRun) -> list[Drop]:
    """The APIs of which no task was made, by the last reason without its particulars, the commonest alone."""
    counts = Counter(re.sub(r" \(.*\)$", "", reason) for reason in run.without_task.values())
    shown = counts.most_common(_MOST_REASONS)
    others = counts.total() - sum(count for _, count in shown)
    rows = [*shown, *([("another reason", others)] if others else [])]
    return [Drop(stage="tasks", reason=f"an API: {reason}", count=count) for reason, count in rows]


def why_no_task(run: LibraryRun) -> dict[str, str]:
    """The reason, by API, for which no task on it was asked: the gate or stage that its last one reached."""
    asked = {task.api_name for task in run.asked()}
    gates: dict[str, list[GateRecord]] = {}
    for record in run.gates:
        gates.setdefault(record.api_name, []).append(record)
    made = {task.api_name for task in run.tasks}
    reasons = {c.api_name: _why_not_asked(c.api_name in made, gates.get(c.api_name, [])) for c in run.candidates}
    reasons |= {c.api_name: "left out by the settings of `selection`" for c in run.left_out}
    return {api: reason for api, reason in reasons.items() if api not in asked}


def _why_not_asked(made: bool, records: Sequence[GateRecord]) -> str:
    if not made:
        return "no task could be made of it"
    c2 = [record for record in records if record.gate == "c2"]
    c1 = [record.reason for record in records if record.gate == "c1" and record.status == "failed"]
    c3 = [record.reason for record in records if record.gate == "c3" and not record.lets_pass]
    if c2:
        return str((c3 or [c2[0].reason])[0])
    return f"C1: {c1[0]}" if c1 and len(c1) == len(records) else "beyond this run's limit of tasks (audit.max_tasks)"


def _beyond(run: LibraryRun) -> Iterator[str]:
    """Reasons for each valid task that the limit left out: those of the APIs that matter most are asked first."""
    asked = {record.task_id for record in run.gates if record.gate == "c2"}
    asked_apis = {task.api_name for task in run.tasks if task.task_id in asked}
    reasons = {candidate.api_name: why_later(candidate) for candidate in run.candidates}
    for task in run.passing("c1"):
        if task.task_id not in asked:
            reason = "of an API that is asked" if task.api_name in asked_apis else reasons[task.api_name]
            yield f"beyond this run's limit of tasks (audit.max_tasks): {reason}"
