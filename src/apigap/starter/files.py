"""The starter benchmark: written sources become tasks that are validated before they are kept."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import preload_of
from apigap.discovery.discover import environment_at
from apigap.gates.validity import ValidityGate
from apigap.packages.workshop import environment_store
from apigap.records.progress import Progress
from apigap.records.store import write_records
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.starter.dating import dated
from apigap.tasks.finish import Finished, finish
from apigap.tasks.further_targets import fitting_answers
from apigap.tasks.hand_written import WrittenTasks, read_written


@dataclass(frozen=True)
class Built:
    """The tasks of one source that hold, and what is wrong with the others."""

    library: str
    tasks: tuple[Task, ...]
    problems: tuple[str, ...]


def build(source: Path, engine: Engine, progress: Progress, out: Path | None = None) -> Built:
    """Run the references of a source, check every task by C1 in both versions, and keep those that hold in `out`.

    Raises:
        CorruptRecord: when the source cannot be read.
        EnvironmentFailure: when a version of the library cannot be installed.
    """
    return build_tasks(read_written(source), engine, progress, out)


def build_tasks(written: WrittenTasks, engine: Engine, progress: Progress, out: Path | None = None) -> Built:
    """`build`, of tasks that are read already."""
    store = environment_store(engine)
    environment = environment_at(written.library, written.version, store, written.python, written.beside)
    names = [name for task in written.task for name in (task.api, *task.needed)]
    preload = preload_of(names, environment, engine, written.beside)
    step = progress.step(f"{written.library} {written.version}: {len(written.task)} written tasks")
    step(0, 1)
    old = None
    if written.old_version:
        old = environment_at(written.library, written.old_version, store, written.python, written.beside)
    finished = finish(written, engine, environment, preload, old)
    finished = _with_fitting_sisters(written, finished, engine, environment, preload)
    step(1, 1)
    problems = [f"task {one.number} ({one.api_name}): {one.problem}" for one in finished if one.problem]
    made = [(one.number, one.task) for one in finished if one.task is not None]
    kept, failed = _validated(made, ValidityGate(engine, environment, old, preload), progress)
    kept = dated(kept, engine, progress)
    if out is not None and kept:
        write_records(out, kept)
    return Built(written.library, tuple(kept), (*problems, *failed))


def _with_fitting_sisters(
    written: WrittenTasks,
    finished: Sequence[Finished],
    engine: Engine,
    environment: Environment,
    preload: Sequence[str],
) -> list[Finished]:
    """The tasks, without those of which a further target, as its author uses it, is not as right as the target."""
    answers = [
        (one.task, other.api, other.solution)
        for one in finished
        if one.task is not None
        for other in written.task[one.number - 1].also
    ]
    fitting = fitting_answers(answers, engine, environment, preload)
    wrong = {task.task_id: name for (task, name, _), fits in zip(answers, fitting, strict=True) if not fits}
    return [
        replace(one, task=None, problem=f"{wrong[one.task.task_id]} does not do what it asks for")
        if one.task is not None and one.task.task_id in wrong
        else one
        for one in finished
    ]


def _validated(
    made: Sequence[tuple[int, Task]], gate: ValidityGate, progress: Progress
) -> tuple[list[Task], list[str]]:
    """The tasks that C1 lets pass, and why it stopped the others."""
    kept: list[Task] = []
    failed: list[str] = []
    step = progress.step("C1, references, no-ops and mutants")
    step(0, len(made))
    records = (record for batch in gate.batches([task for _, task in made]) for record in batch)
    for done, ((number, task), record) in enumerate(zip(made, records, strict=True), start=1):
        if record.status == "passed":
            kept.append(task)
        else:
            failed.append(f"task {number} ({task.api_name}): {record.reason}")
        step(done, len(made))
    return kept, failed


def counts(edition: str, tasks: Sequence[Task]) -> list[dict[str, object]]:
    """Per library of an edition: APIs, tasks, and how many of each difficulty and change."""
    rows: list[dict[str, object]] = []
    for library in sorted({task.library for task in tasks}):
        own = [task for task in tasks if task.library == library]
        by = Counter[str](word for task in own for word in (task.difficulty, task.change))
        kinds = {word: by[word] for word in ("easy", "medium", "hard", "added", "modified")}
        apis = len({name for task in own for name in task.apis})
        rows.append({"edition": edition, "library": library, "apis": apis, "tasks": len(own), **kinds})
    return rows
