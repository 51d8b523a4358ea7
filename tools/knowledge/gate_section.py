"""The section on the gate `reading`: what a model as reader keeps, and what the readers of the sheets say of that."""

from collections.abc import Mapping, Sequence

from apigap.gates.record import GateRecord
from apigap.records.store import load_records
from apigap.records.task import Task
from apigap.reporting.markdown import markdown_table
from tools.knowledge.reading_sheet import Reading
from tools.knowledge.readings import FOLDER, counted, share

Readings = Mapping[str, Mapping[str, Reading]]

_TEXT = """## Read by a model first

The gate [reading](experiments.md#gates) (`apigap filter --gates reading --reader MODEL`) was put to the same tasks. Its
reader is a strong model that is not named, asked on {days} by the printed prompts and nothing else. It answered many in
one sitting, and ran no code. It knew neither the rules of the synthesiser nor what other readers wrote, and they did
not know what it kept. Its answers are in `studies/synthesised/gate.transcripts.jsonl`, its decisions in `gate.jsonl`.

{table}

*One reader* and *the other* are the first and the second of a sheet. {verdict}
Of the {refused} that it refused {lost} were fit to both; its reasons: {reasons}.
"""


def kept_gate() -> dict[str, GateRecord]:
    """The gate's record of each task, by its id; empty where it was not asked."""
    path = FOLDER / "gate.jsonl"
    return {record.task_id: record for record in load_records(path, GateRecord)} if path.exists() else {}


def gate_section(tasks: Sequence[Task], readings: Readings, gate: Mapping[str, GateRecord], days: str) -> str:
    """The section, of the tasks that the gate read and at least two readers too; empty where there are none."""
    both = {task.task_id: found for task in tasks if len(found := _of_task(task.task_id, readings)) > 1}
    read = [task for task in tasks if task.task_id in both and task.task_id in gate]
    if not read:
        return ""
    kept = [task for task in read if gate[task.task_id].status == "passed"]
    refused = [task for task in read if gate[task.task_id].status == "failed"]
    sheets = sorted({found[0].sheet for found in both.values()})
    lines = [
        _row(f"sheet {number}", [t for t in read if both[t.task_id][0].sheet == number], kept, both)
        for number in sheets
    ]
    head = ("tasks", "read", "kept by the gate", "one reader", "the other", "both", "both, of all read")
    return _TEXT.format(
        days=days,
        table=markdown_table(head, [*lines, _row("all", read, kept, both)]),
        verdict=_verdict(kept, both),
        refused=len(refused),
        lost=sum(_all_fit(both[task.task_id]) for task in refused),
        reasons=counted(str(gate[task.task_id].evidence["of"]) for task in refused),
    )


def _of_task(task_id: str, readings: Readings) -> list[Reading]:
    return [own[task_id] for _, own in sorted(readings.items()) if task_id in own]


def _row(name: str, tasks: Sequence[Task], kept: Sequence[Task], both: Mapping[str, Sequence[Reading]]) -> list[str]:
    own = [both[task.task_id] for task in tasks if task in kept]
    each = [share(sum(found[place].fit for found in own), len(own)) for place in (0, 1)]
    every = sum(_all_fit(both[task.task_id]) for task in tasks)
    fit = share(sum(map(_all_fit, own)), len(own))
    return [name, str(len(tasks)), str(len(own)), *each, fit, share(every, len(tasks))]


def _verdict(kept: Sequence[Task], both: Mapping[str, Sequence[Reading]]) -> str:
    """A sentence that says if 85 of 100 of what the gate kept are fit to the readers of the sheets."""
    fit = [sum(both[task.task_id][place].fit for task in kept) for place in (0, 1)]
    libraries = len({task.library for task in kept})
    reached = all(100 * count >= 85 * len(kept) for count in fit)
    told = (
        f"Of the {len(kept)} tasks that it keeps, of {libraries} libraries, {fit[0]} are fit to one and {fit[1]} to the"
    )
    return f"{told} other: {'at least' if reached else 'fewer than'} 85 of 100."


def _all_fit(found: Sequence[Reading]) -> bool:
    return all(one.fit for one in found)
