"""Readings of synthesised tasks that are kept, and what they come to: shares with intervals, agreement, reasons."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apigap.records.base import Record
from apigap.records.errors import UsageError
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from apigap.statistics import agreement, wilson
from tools.knowledge.reading_sheet import CRITERIA, Reading

FOLDER = Path(__file__).resolve().parents[2] / "studies" / "synthesised"
"""Tasks that were read, readings of them, and how many APIs of each pair of releases have a task."""
_LABELS = ("fit", "not fit")


class Yielded(Record):
    """A pair of releases: how many APIs were asked for, have a usage that runs, and got a task, before and now."""

    library: str
    old: str
    new: str
    apis: int
    used: int
    before: int
    now: int


class Read(NamedTuple):
    """Tasks that were read, with their readings by reader and task."""

    tasks: list[Task]
    readings: dict[str, dict[str, Reading]]


def kept_tasks() -> list[Task]:
    """The tasks that were read, in the order of the sheets."""
    return load_records(FOLDER / "tasks.jsonl", Task)


def kept_readings(tasks: Sequence[Task]) -> dict[str, dict[str, Reading]]:
    """The readings by reader and task.

    Raises:
        UsageError: for a reading of a task that is not kept, or two of one task by one reader.
    """
    known = {task.task_id for task in tasks}
    found: dict[str, dict[str, Reading]] = {}
    for one in load_records(FOLDER / "readings.jsonl", Reading):
        own = found.setdefault(one.reader, {})
        if one.id not in known or one.id in own:
            raise UsageError(f"{one.reader} read {one.id}, which is no kept task, or has been read already")
        own[one.id] = one
    return found


def of_sheet(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]], sheet: int) -> Read:
    """The tasks of one sheet and their readings."""
    own = {reader: {task: one for task, one in read.items() if one.sheet == sheet} for reader, read in readings.items()}
    own = {reader: read for reader, read in own.items() if read}
    ids = set[str]().union(*own.values())
    return Read([task for task in tasks if task.task_id in ids], own)


def share(hits: int, total: int) -> str:
    """`6 of 8 (75 %, 41 to 93)`, with the interval of Wilson at 95 %."""
    if not total:
        return "none"
    interval = wilson(hits, total)
    return f"{hits} of {total} ({100 * hits / total:.0f} %, {100 * interval.low:.0f} to {100 * interval.high:.0f})"


def yields_table(rows: Sequence[Yielded]) -> str:
    """How many APIs got a task, by pair of releases and together."""
    lines = [
        [f"{r.library} {r.old} → {r.new}", str(r.apis), str(r.used), str(r.before), str(r.now)]
        for r in sorted(rows, key=lambda r: (r.library, r.old, r.new))
    ]
    apis, used = sum(r.apis for r in rows), sum(r.used for r in rows)
    before, now = sum(r.before for r in rows), sum(r.now for r in rows)
    lines.append(["all", str(apis), str(used), share(before, apis), share(now, apis)])
    head = ("releases", "APIs", "used by a program that runs", "with a task before", "with a task now")
    return markdown_table(head, lines)


def readings_table(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """What every reader found fit, and what all of them did, with the first criterion that the others fail."""
    lines: list[list[str]] = []
    for reader, own in sorted(readings.items()):
        faults = counted(one.of or "other" for one in own.values() if not one.fit)
        lines.append([reader, share(sum(one.fit for one in own.values()), len(own)), faults])
    both = [task.task_id for task in tasks if all(task.task_id in own for own in readings.values())]
    if len(readings) > 1:
        fit = [sum(own[task].fit for own in readings.values()) for task in both]
        lines.append(["all of them", share(sum(n == len(readings) for n in fit), len(both)), ""])
        lines.append(["at least one", share(sum(n > 0 for n in fit), len(both)), ""])
    return markdown_table(("reader", "fit to publish", "of the others"), lines)


def kappa(readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """The agreement of the first two readers on the tasks that both read."""
    (_, first), (_, second) = sorted(readings.items())[:2]
    pairs = [(_LABELS[not first[task].fit], _LABELS[not second[task].fit]) for task in first if task in second]
    agreed = agreement(pairs, _LABELS)
    told = "none, as one of them gave one answer alone" if agreed.kappa is None else f"{agreed.kappa:.2f}"
    return f"They agree on {share(sum(a == b for a, b in pairs), len(pairs))}; kappa is {told}."


def by_library(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """The tasks of each library that every reader found fit."""
    read = Counter(task.library for task in tasks)
    fit = Counter(t.library for t in tasks if all(own[t.task_id].fit for own in readings.values() if t.task_id in own))
    lines = [[library, str(count), str(fit[library])] for library, count in sorted(read.items())]
    return markdown_table(("library", "tasks read", "fit to all readers"), lines)


def refusals(tasks: Sequence[Task], readings: Mapping[str, Mapping[str, Reading]]) -> str:
    """A line for every task that somebody found unfit: which, by whom, and why."""
    lines = [
        [f"`{task.api_name}`", reader, own[task.task_id].of or "other", own[task.task_id].why.replace("|", " ")]
        for task in tasks
        for reader, own in sorted(readings.items())
        if task.task_id in own and not own[task.task_id].fit
    ]
    return markdown_table(("task on", "reader", "fails", "why"), lines)


def counted(faults: Iterable[str]) -> str:
    """`new 2, data 1`: how often each criterion is failed, most first."""
    found = Counter(faults)
    order = (*CRITERIA, "other")
    return ", ".join(f"{name} {found[name]}" for name in sorted(found, key=lambda n: (-found[n], order.index(n))))
