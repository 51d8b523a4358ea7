"""Knowledge bundles for the starter benchmark's APIs, made on the user's machine and compared with a lock.

Bundles quote their libraries, so they are not shipped. What is shipped are their hashes: who makes them anew sees
whether they are those that others used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from apigap.discovery.pythons import python_of_tasks
from apigap.gates.provenance import execution_in_force
from apigap.knowledge.bundle_files import bundles_folder
from apigap.knowledge.version import knowledge_hash
from apigap.packages.workshop import environment_store
from apigap.records.base import content_hash
from apigap.records.candidate import Candidate
from apigap.records.configuration import Settings
from apigap.records.knowledge import KnowledgeBundle
from apigap.records.progress import Progress
from apigap.records.store import load_records, read_bytes, write_records, write_text
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.stages.driver import Stages
from apigap.stages.files import named_files, target_of
from apigap.starter.bundle_lock import BundleLock, ReleaseLock
from apigap.starter.candidates import starter_candidates
from apigap.tasks.disjoint import lines_with
from apigap.tasks.starter_files import STARTER

LOCK = STARTER / "bundles.lock.json"


@dataclass(frozen=True)
class StarterBundles:
    """The bundles of one library. `differing` names the APIs whose bundle is not the lock's, None without an entry.

    `without` are APIs of tasks that have no bundle, `shared` the exemplars that hold a line of a task's solution.
    """

    path: Path
    release: ReleaseLock
    locked: ReleaseLock | None
    bundles: tuple[KnowledgeBundle, ...]
    without: tuple[str, ...]
    shared: tuple[str, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The APIs whose bundle is not what the lock says, sorted."""
        ours, theirs = self.release.bundles, self.locked.bundles if self.locked else {}
        return tuple(sorted(name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)))

    @property
    def is_of_other_code(self) -> bool:
        """True where the lock was made by other code, which may well make other bundles."""
        return self.locked is not None and self.locked.knowledge != self.release.knowledge


def make_bundles(
    path: Path, settings: Settings, engine: Engine, progress: Progress, folder: Path | None = None
) -> StarterBundles:
    """The bundles of one library's task file in `folder`/LIBRARY.jsonl; finished ones are not made again.

    Without `folder` they go to the cache, where the edition has a folder of its own.

    Raises:
        EnvironmentFailure: when a version of the library cannot be installed.
    """
    library, tasks = path.stem, load_records(path, Task)
    wanted = {name for task in tasks for name in task.apis}
    folder = folder or bundles_folder() / path.parent.name
    # other code or other settings begin anew, in a place of their own
    code, terms = [knowledge_hash(), evaluator_hash()], execution_in_force(settings.execution, engine)
    key = content_hash([code, terms, settings.knowledge.model_dump(mode="json"), [t.task_id for t in tasks]], 8)
    work = folder / "work" / f"{tasks[0].library}-{tasks[0].version}-{key}"
    candidates = work / "candidates.jsonl"
    store = environment_store(engine, python=python_of_tasks(tasks))  # as the lock's
    if not candidates.exists():
        step = progress.step(f"{library}: what the release says of {len(wanted)} APIs")
        step(0, 1)
        write_records(candidates, starter_candidates(tasks, engine, store))
        step(1, 1)
    names = {candidate.api_name for candidate in load_records(candidates, Candidate)}
    files = named_files(candidates, knowledge=work / "bundles.jsonl", tasks=work / "tasks.jsonl")
    stages = Stages(files, settings, engine, progress, store=store)
    bundles = stages.run(target_of(candidates), first=2, last=2).bundles
    made = folder / f"{library}.jsonl"
    write_records(made, bundles)
    return StarterBundles(
        path=made,
        release=_release(path.parent.name, tasks, bundles),
        locked=read_lock().of(path.parent.name, tasks[0].library),
        bundles=tuple(bundles),
        without=tuple(sorted(wanted - names)),
        shared=tuple(shared_lines(bundles, tasks)),
    )


def read_lock(path: Path = LOCK) -> BundleLock:
    """The hashes that this version of apigap was published with."""
    return BundleLock.model_validate_json(read_bytes(path)) if path.exists() else BundleLock()


def write_lock(made: StarterBundles, path: Path = LOCK) -> StarterBundles:
    """Take over the hashes of one library, from which its bundles then do not differ."""
    write_text(path, read_lock(path).replaced(made.release).model_dump_json(indent=1) + "\n")
    return replace(made, locked=made.release)


def shared_lines(bundles: Sequence[KnowledgeBundle], tasks: Sequence[Task]) -> Iterator[str]:
    """Statements with the API that stand in an exemplar and in a task's solution as well, whatever their layout."""
    for bundle in bundles:
        leaf = bundle.api_name.rpartition(".")[2]
        for task in tasks:
            if bundle.api_name in task.apis:
                solution = lines_with(task.masked_region, leaf)
                for exemplar in bundle.exemplars:
                    for line in sorted(solution & lines_with(exemplar.code, leaf)):
                        yield f"{bundle.api_name}: {line!r} is in {exemplar.source} and in task {task.task_id}"


def _release(edition: str, tasks: Sequence[Task], bundles: Sequence[KnowledgeBundle]) -> ReleaseLock:
    return ReleaseLock(
        edition=edition,
        library=tasks[0].library,
        version=tasks[0].version,
        old_version=tasks[0].old_version,
        knowledge=knowledge_hash(),
        bundles={bundle.api_name: content_hash(bundle.model_dump(mode="json")) for bundle in bundles},
    )
