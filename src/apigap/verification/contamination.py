"""Contamination: which tasks are on what a model may have seen, by the day since when each API is there."""

from collections.abc import Mapping, Sequence
from datetime import date

from apigap.models.model_facts import cutoff_of
from apigap.records.base import Record
from apigap.records.errors import ApigapError
from apigap.records.task import Task
from apigap.statistics import clustered_wilson
from apigap.verification.checks import Check
from apigap.verification.submission import names_a_file

_NAME = "contamination"


class DatedPart(Record):
    """pass@1 on the tasks of one side of the cutoff, 0..1, with its 95 % interval; both None where there is none."""

    tasks: int
    pass_at_1: float | None = None
    interval: tuple[float, float] | None = None


class Contamination(Record):
    """The tasks by the day since when their API is there: after the model's `cutoff`, not after it, or not known."""

    cutoff: date
    after: DatedPart
    before: DatedPart
    undated: DatedPart


def contamination_of(
    model: str | None, tasks: Mapping[str, Task], rates: Mapping[str, float], cutoff: date | None
) -> tuple[Check, Contamination | None]:
    """The dates of the answered tasks against the cutoff that was given, else what is known of the model."""
    try:
        day = cutoff_of(None if model and names_a_file(model) else model, cutoff)
    except ApigapError:
        told = f"nobody knows up to when {model or 'the model'} has seen anything: give the day with --cutoff"
        return Check(name=_NAME, state="unchecked", told=told), None
    sides: dict[str, list[str]] = {"after": [], "before": [], "undated": []}
    for task_id in rates:
        since = tasks[task_id].since
        released = since.released if since else None
        sides["undated" if released is None else "after" if released > day else "before"].append(task_id)
    parts = {side: part_of([(tasks[one].api_name, rates[one]) for one in ids]) for side, ids in sides.items()}
    found = Contamination(cutoff=day, **parts)
    told = (
        f"of {len(rates)} tasks {found.after.tasks} are on what came after {day}, {found.before.tasks} on what may "
        f"have been seen, {found.undated.tasks} are undated"
    )
    return Check(name=_NAME, state="sound", told=told), found


def part_of(rows: Sequence[tuple[str, float]]) -> DatedPart:
    """The figures of tasks: of each its API, and the share of its samples that pass."""
    if not rows:
        return DatedPart(tasks=0)
    interval = clustered_wilson([rate for _, rate in rows], [api for api, _ in rows])
    return DatedPart(tasks=len(rows), pass_at_1=interval.estimate, interval=(interval.low, interval.high))
