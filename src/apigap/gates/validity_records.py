"""C1 of many tasks, whose records are kept one by one: a run that was ended goes on behind the last of them."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from apigap.gates.record import GateRecord, not_run
from apigap.gates.validity import ValidityGate
from apigap.records.errors import EnvironmentFailure
from apigap.records.progress import Progress
from apigap.records.store import Journal, load_records
from apigap.records.task import Task

MakeGate = Callable[[Sequence[Task]], ValidityGate]


def decide_validity(
    path: Path, tasks: Sequence[Task], make_gate: MakeGate, progress: Progress, title: str
) -> list[GateRecord]:
    """The records of all `tasks`, in `path`; those that are undecided there are made anew.

    `make_gate` is called for the tasks of each release that are not decided. Where its environment cannot be made,
    these tasks stay undecided and the next release is looked at.
    """
    step = progress.step(title)
    with Journal(path, GateRecord, again=lambda record: record.undecided) as journal:
        done = {record.task_id for record in journal.done}
        step(len(done), len(tasks))
        for waiting in _by_release([task for task in tasks if task.task_id not in done]):
            try:
                gate = make_gate(waiting)
            except EnvironmentFailure as error:
                progress.note(f"C1 waits for {waiting[0].library}: {error}")
                for record in not_run(waiting, "c1", f"it could not be judged: {error}"):
                    journal.append(record)
                continue
            for records in gate.batches(waiting):
                for record in records:
                    journal.append(record)
                step(len(journal.done), len(tasks))
        journal.finish(lambda record: (record.api_name, record.task_id))
    return load_records(path, GateRecord)


def _by_release(tasks: Sequence[Task]) -> list[list[Task]]:
    releases: defaultdict[tuple[str, str, str | None], list[Task]] = defaultdict(list)
    for task in tasks:
        releases[task.library, task.version, task.old_version].append(task)
    return list(releases.values())
