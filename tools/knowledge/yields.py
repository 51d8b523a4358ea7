"""How many candidates get a bundle and a validated task, library by library, and why the others do not."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from apigap.discovery.discover import discover
from apigap.discovery.library import find_library
from apigap.discovery.versions import version_pair
from apigap.gates.record import GateRecord
from apigap.knowledge.extract import BundleLog
from apigap.knowledge.usages.verify import ApiUsages
from apigap.packages.environments import EnvironmentStore
from apigap.packages.workshop import environment_store
from apigap.records.base import Record, content_hash
from apigap.records.candidate import DATA_KINDS, Candidate
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.layout import Layout
from apigap.records.progress import Progress
from apigap.records.store import load_records, write_records
from apigap.records.target import Target
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.sandbox.engine import Engine
from apigap.stages.driver import Stages
from apigap.tasks.generate import ApiTasks
from tools.discovery.table import CUTOFF

LIBRARIES = ("pydantic", "numpy", "scipy", "pandas", "sqlalchemy", "django", "astropy", "langgraph")
BUNDLE_WANTED = 0.70
TASK_WANTED = 0.35


class Fate(Record):
    """What became of one candidate; a reason stands where a step gave nothing."""

    api_name: str
    kind: str
    change: str
    bundle: bool
    executed: bool
    usages: int
    tasks: int
    valid: int
    why_no_bundle: str | None = None
    why_no_task: str | None = None

    @property
    def callable(self) -> bool:
        """Tell whether it is more than a name to read."""
        return self.kind not in DATA_KINDS


class Yields(Record):
    """One library: how many candidates it has, and the fate of those in the sample."""

    library: str
    old: str | None
    new: str
    candidates: int
    fates: tuple[Fate, ...]


def sample(candidates: Sequence[Candidate], size: int) -> list[Candidate]:
    """`size` candidates (0: all) in an order that says nothing of them: by the hash of their names."""
    novel = [candidate for candidate in candidates if candidate.change != "moved"]
    ordered = sorted(novel, key=lambda candidate: content_hash(candidate.api_name))
    return sorted(ordered[: size or None], key=lambda candidate: candidate.api_name)


def measure(library: str, size: int, root: Path, settings: Settings, engine: Engine, progress: Progress) -> Yields:
    """Stages 1 to 3 and C1 of one library, into `root`; goes on where a killed run stopped.

    Raises:
        InfrastructureError: when the library cannot be read or installed.
    """
    store = environment_store(engine)
    config = find_library(library)
    old, new = version_pair(library, CUTOFF)
    layout = Layout(root, "yields")
    found = _candidates(layout.root / "candidates" / f"{library}.jsonl", library, old, new, engine, store)
    chosen = sample(found, size)
    write_records(layout.stage(library, "stage1_discovery"), chosen)
    stages = Stages(layout, settings, engine, progress, store=store)
    run = stages.run(Target(library, old, new, config.domain), first=2, last=4)
    usages = load_records(layout.stage(library, "stage2_usages"), ApiUsages)
    told = load_records(layout.stage(library, "stage2_log"), BundleLog)
    log = load_records(layout.stage(library, "stage3_log"), ApiTasks)
    return Yields(
        library=library, old=old, new=new, candidates=sum(c.change != "moved" for c in found),
        fates=tuple(fates(chosen, run.bundles, usages, told, log, run.tasks, run.gates)),
    )  # fmt: skip


def _candidates(
    path: Path, library: str, old: str | None, new: str, engine: Engine, store: EnvironmentStore
) -> list[Candidate]:
    if not path.exists():
        write_records(path, discover(library, old, new, engine=engine, store=store).candidates)
    return load_records(path, Candidate)


def fates(
    candidates: Sequence[Candidate],
    bundles: Iterable[KnowledgeBundle],
    usages: Iterable[ApiUsages],
    told: Iterable[BundleLog],
    log: Iterable[ApiTasks],
    tasks: Sequence[Task],
    gates: Sequence[GateRecord],
) -> list[Fate]:
    """The fate of every candidate, read from the files of stages 2 to 4."""
    bundle_of = {bundle.api_name: bundle for bundle in bundles}
    why_no_bundle = {entry.api_name: entry.reason for entry in told}
    usages_of = {found.api_name: found for found in usages}
    dropped = {entry.api_name: entry.dropped for entry in log}
    made = Counter(task.api_name for task in tasks)
    valid = Counter(gate.api_name for gate in gates if gate.status == "passed")
    refused = {gate.api_name: gate.reason or gate.status for gate in gates if gate.status != "passed"}
    found: list[Fate] = []
    for candidate in candidates:
        name = candidate.api_name
        bundle = bundle_of[name]
        executed = any(exemplar.status == "executed" for exemplar in bundle.exemplars)
        why = None if valid[name] else f"C1: {refused[name]}" if made[name] else next(iter(dropped.get(name, ())), None)
        found.append(
            Fate(
                api_name=name, kind=candidate.kind, change=candidate.change, bundle=not bundle.missing,
                executed=executed, usages=len(usages_of[name].usages), tasks=made[name], valid=valid[name],
                why_no_bundle=why_no_bundle[name],
                why_no_task=why or (None if valid[name] else _no_usage_left(usages_of[name], executed)),
            )
        )  # fmt: skip
    return found


def _no_usage_left(usages: ApiUsages, executed: bool) -> str:
    if usages.reason:
        return usages.reason
    return "its only usage is the exemplar" if executed else "no usage left"


def in_general(reason: str) -> str:
    """A reason without what is special to one API: places, numbers, values."""
    gate, told = ("C1: ", reason[4:]) if reason.startswith("C1: ") else ("", reason.rpartition(": ")[2])
    text = re.sub(r"\d+(?:\.\d+)?", "N", re.sub(r" \((?!\w+\)).*\)", "", told))
    return gate + re.sub(r"(it (?:also passes with|kills)).*", r"\1 ...", text)[:110]


def as_markdown(rows: Sequence[Yields]) -> str:
    """The table of yields, and under it the reasons of all drops, counted."""
    head = (
        "library", "old", "new", "candidates", "looked at", "callable", "bundle", "of the callable", "ran",
        "task", "of the callable", "validated", "of the callable",
    )  # fmt: skip
    every = [fate for row in rows for fate in row.fates]
    lines = [_line(row.library, row.old or "none", row.new, row.candidates, row.fates) for row in rows]
    lines.append(_line("all", "", "", sum(row.candidates for row in rows), every))
    parts = [markdown_table(head, lines)]
    for title, pick in (("bundle", _bundle_reason), ("validated task", _task_reason)):
        table = markdown_table(("reason", "all", "where"), _reasons(rows, pick))
        parts.append(f"Why callable candidates have no {title}:\n\n{table}")
    return "\n".join(parts)


def _line(library: str, old: str, new: str, candidates: int, found: Sequence[Fate]) -> list[str]:
    able = [fate for fate in found if fate.callable]
    cells = [library, old, new, f"{candidates:,}", str(len(found)), str(len(able))]
    tests: tuple[Callable[[Fate], bool], ...] = (lambda f: f.bundle, lambda f: f.tasks > 0, lambda f: f.valid > 0)
    shares = [[_share(found, test), _share(able, test)] for test in tests]
    shares[0].append(_share(able, lambda f: f.executed))
    return [*cells, *(cell for pair in shares for cell in pair)]


def _share(found: Sequence[Fate], test: Callable[[Fate], bool]) -> str:
    return f"{sum(map(test, found)) / len(found):.0%}" if found else ""


def _bundle_reason(fate: Fate) -> str | None:
    return fate.why_no_bundle


def _task_reason(fate: Fate) -> str | None:
    return fate.why_no_task


def _reasons(rows: Sequence[Yields], pick: Callable[[Fate], str | None], most: int = 30) -> list[list[str]]:
    counted: dict[str, Counter[str]] = {}
    for row in rows:
        for fate in row.fates:
            reason = pick(fate) if fate.callable else None
            if reason:
                counted.setdefault(in_general(reason), Counter())[row.library] += 1
    ordered = sorted(counted.items(), key=lambda entry: (-entry[1].total(), entry[0]))
    return [
        [reason.replace("|", " "), str(places.total()), ", ".join(f"{n} {c}" for n, c in places.most_common())]
        for reason, places in ordered[:most]
    ]
