"""The starter benchmark: written sources become tasks that are validated before they are kept."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from apigap.benchmarks.task_environment import warm_names
from apigap.discovery.discover import environment_at
from apigap.discovery.distribution import modules_of
from apigap.gates.battery import read_signatures
from apigap.gates.battery.signature import neighbours
from apigap.gates.validity import ValidityGate
from apigap.packages.environments import EnvironmentStore
from apigap.packages.workshop import environment_store
from apigap.records.base import content_hash
from apigap.records.errors import UsageError
from apigap.records.names import did_you_mean
from apigap.records.paths import cache_home
from apigap.records.progress import Progress
from apigap.records.store import write_records, write_text
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.hand_written import WrittenTasks, finish, read_written

STARTER = Path(__file__).parent


@dataclass(frozen=True)
class Built:
    """The tasks of one source that hold, and what is wrong with the others."""

    library: str
    tasks: tuple[Task, ...]
    problems: tuple[str, ...]


def starter_files() -> list[Path]:
    """The task files of the starter benchmark, by library."""
    return sorted(STARTER.glob("*.jsonl"))


def library_path(library: str) -> Path:
    """The tasks file of one library, however its name is spelt.

    Raises:
        UsageError: for a library that the starter benchmark does not have; the message has the nearest ones.
    """
    files = {path.stem: path for path in starter_files()}
    wanted = str(canonicalize_name(library))
    if wanted not in files:
        hint = did_you_mean(wanted, files, f"it has them for {', '.join(files)}")
        raise UsageError(f"the starter benchmark has no tasks for {library}; {hint}")
    return files[wanted]


def tasks_path(name: Path) -> Path:
    """The tasks file that `name` means: `starter` and `starter/LIBRARY` are this package's, all else is a path.

    The whole benchmark is put together in the cache, under the hash of what it holds.

    Raises:
        UsageError: for a library that the starter benchmark does not have.
    """
    if name.parts[:1] != (STARTER.name,) or len(name.parts) > 2 or name.is_file():
        return name
    if len(name.parts) == 2:
        return library_path(name.parts[1])
    text = "".join(path.read_text(encoding="utf-8") for path in starter_files())
    whole = cache_home() / "starter" / f"starter-{content_hash(text)}.jsonl"
    if not whole.exists():
        write_text(whole, text)
    return whole


def build(source: Path, engine: Engine, progress: Progress, out: Path | None = None) -> Built:
    """Run the references of a source, check every task by C1 in both versions, and keep those that hold in `out`.

    Raises:
        CorruptRecord: when the source cannot be read.
        EnvironmentFailure: when a version of the library cannot be installed.
    """
    written = read_written(source)
    store = environment_store(engine)
    environment = environment_at(written.library, written.version, store)
    preload = warm_names(
        modules_of(environment.library, environment.site_packages).tops, [task.api for task in written.task]
    )
    step = progress.step(f"{written.library} {written.version}: {len(written.task)} written tasks")
    step(0, 2)
    finished = finish(written, engine, environment, preload)
    step(1, 2)
    problems = [f"task {one.number} ({one.api_name}): {one.problem}" for one in finished if one.problem]
    made = [(one.number, one.task) for one in finished if one.task is not None]
    kept, failed = _validated(written, made, engine, store, preload)
    step(2, 2)
    if out is not None and kept:
        write_records(out, kept)
    return Built(written.library, tuple(kept), (*problems, *failed))


def _validated(
    written: WrittenTasks,
    made: Sequence[tuple[int, Task]],
    engine: Engine,
    store: EnvironmentStore,
    preload: Sequence[str],
) -> tuple[list[Task], list[str]]:
    """The tasks that C1 lets pass, and why it stopped the others."""
    environment = environment_at(written.library, written.version, store)
    old = environment_at(written.library, written.old_version, store) if written.old_version else None
    signatures = read_signatures(engine, environment, sorted({task.api_name for _, task in made}))
    candidates = neighbours(written.library, written.version, signatures)
    gate = ValidityGate(engine, environment, old, preload, candidates)
    kept: list[Task] = []
    failed: list[str] = []
    for (number, task), record in zip(made, gate.check([task for _, task in made]), strict=True):
        if record.status == "passed":
            kept.append(task)
        else:
            failed.append(f"task {number} ({task.api_name}): {record.reason}")
    return kept, failed


def counts(tasks: Sequence[Task]) -> list[dict[str, object]]:
    """Per library: APIs, tasks, and how many of each difficulty and change."""
    rows: list[dict[str, object]] = []
    for library in sorted({task.library for task in tasks}):
        own = [task for task in tasks if task.library == library]
        by = Counter[str](word for task in own for word in (task.difficulty, task.change))
        kinds = {word: by[word] for word in ("easy", "medium", "hard", "added", "modified")}
        rows.append({"library": library, "apis": len({t.api_name for t in own}), "tasks": len(own), **kinds})
    return rows
