"""Validation of a tasks file: references pass, in the new version alone, mutants fail, and no cheat gets through."""

import tempfile
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from apigap.benchmarks.novelapi.judge import evaluator_hash
from apigap.benchmarks.novelapi.task_environments import homes_of, locks_of
from apigap.benchmarks.task_environment import Home
from apigap.cluster.engines import engine_of
from apigap.gates.accepted_forms import TriedForm, try_forms
from apigap.gates.battery import TIGHT, BatteryRun, CheckedCase, Skipped, battery_hash
from apigap.gates.host_integrity import changes_since, machine_state
from apigap.gates.kept_answers import KeptAnswer, Replayed, replay
from apigap.gates.older_version import former_environment
from apigap.gates.provenance import execution_in_force
from apigap.gates.record import GateRecord
from apigap.gates.validation import Validation
from apigap.gates.validity import ValidityGate
from apigap.gates.validity_records import decide_validity
from apigap.records.base import Json, content_hash
from apigap.records.configuration import ExecutionSettings, PackageSettings
from apigap.records.errors import UsageError
from apigap.records.manifest import Stage
from apigap.records.progress import Progress
from apigap.records.store import Journal
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.tasks.task_choice import select_tasks
from apigap.tasks.task_files import load_tasks

Homes = Mapping[tuple[str, str], Home]


@dataclass(frozen=True)
class Wanted:
    """The checks that are wanted beside those of the references and their mutants.

    With `cheats` the whole battery, or its `families` alone where some are named. With `forms` each result in every
    other container: those that a task leaves open must pass, others fail. Kept `answers` of solvers to these tasks must
    get the verdicts that are kept with them. With `old` the references run in the version before, too. Of more than
    `most` tasks (0: all) so many are checked, spread over libraries and APIs.
    """

    cheats: bool = False
    families: Collection[int] = ()
    forms: bool = False
    answers: Sequence[KeptAnswer] = ()
    old: bool = True
    most: int = 0


def validate_file(
    path: Path,
    progress: Progress,
    execution: ExecutionSettings,
    wanted: Wanted | None = None,
    *,
    out: Path | None = None,
    unsafe_local: bool = False,
    packages: PackageSettings | None = None,
) -> Validation:
    """Check every task of a file: C1, in both versions, and what else is `wanted`.

    What is found of references and cases is kept in the folder `out` as it comes, and the same call goes on behind the
    last of it. Afterwards the environments, start-up files, temporary folders and processes of this machine must be as
    they were when the call began.

    Raises:
        UsageError: for `cheats` without isolation: they delete files and kill processes; when `out` has findings on
            other tasks, or of another evaluator.
        CorruptRecord: when the file is none of tasks.
        EnvironmentFailure: when a library cannot be installed.
    """
    wanted = wanted or Wanted()
    if wanted.cheats and unsafe_local:
        raise UsageError("--cheats runs programs that delete files and kill processes: not with --unsafe-local")
    tasks = select_tasks(load_tasks(path), wanted.most)
    with tempfile.TemporaryDirectory() as spare:
        folder = out or Path(spare)
        with (
            engine_of(execution, unsafe_local, packages=packages) as engine,
            Engine(execution.workers, TIGHT, unsafe_local, execution.backend) as tight,
        ):
            run = _Run(folder, tasks, homes_of(tasks, engine), wanted, engine, progress)
            stage = Stage(folder / "manifest.json", "validation", run.made_from(execution))
            environments = [home.environment for home in run.homes.values()]
            before = machine_state(environments)
            found = Validation(len(tasks), run.gates())
            for title, home, own in run.releases():
                if wanted.forms:
                    found.forms += run.form(own, home, title)
                if wanted.answers:
                    found.replayed += run.replay(own, home, title)
            if wanted.cheats:
                found.checks, found.skipped = run.cheat(tight, path)
        found.changes.extend(changes_since(before, environments))
        found.answers_left = len(wanted.answers) - len(found.replayed)
        if not found.no_verdict:
            stage.finish({"tasks": found.tasks, "cases": len(found.checks), "problems": len(found.problems)})
    return found


@dataclass(frozen=True)
class _Run:
    """One validation, of which `folder` keeps what takes long."""

    folder: Path
    tasks: Sequence[Task]
    homes: Homes
    wanted: Wanted
    engine: Engine
    progress: Progress

    def made_from(self, execution: ExecutionSettings) -> dict[str, Json]:
        """The inputs that decide the findings that are kept; other families or forms are further findings."""
        return {
            "tasks": content_hash([task.task_id for task in self.tasks]),
            "old version": self.wanted.old,
            "environments": locks_of(self.homes),
            "execution": execution_in_force(execution, self.engine),
            "evaluator": evaluator_hash(),
            "battery": battery_hash(),
        }

    def releases(self) -> Iterator[tuple[str, Home, list[Task]]]:
        """Each release's title, home and tasks."""
        for (library, version), home in self.homes.items():
            own = [task for task in self.tasks if (task.library, task.version) == (library, version)]
            yield f"{library} {version}", home, own

    def gates(self) -> list[GateRecord]:
        """References and mutants, and where it is wanted the references in the version before."""
        path, title = self.folder / "gates.jsonl", "references and mutants"
        return decide_validity(path, self.tasks, self._gate, self.progress, title)

    def _gate(self, tasks: Sequence[Task]) -> ValidityGate:
        library, version, before = tasks[0].library, tasks[0].version, tasks[0].old_version
        home = self.homes[library, version]
        former = former_environment(tasks, before, self.engine) if self.wanted.old and before else None
        return ValidityGate(self.engine, home.environment, former, home.preload)

    def form(self, tasks: Sequence[Task], home: Home, title: str) -> list[TriedForm]:
        """The results of the references in other containers."""
        with self._told(f"{title}: results in other containers"):
            return try_forms(tasks, self.engine, home.environment, home.preload)

    def replay(self, tasks: Sequence[Task], home: Home, title: str) -> list[Replayed]:
        """The kept answers to these tasks."""
        with self._told(f"{title}: answers of solvers"):
            return replay(tasks, self.wanted.answers, self.engine, home.environment, home.preload)

    def cheat(self, tight: Engine, tasks_file: Path) -> tuple[list[CheckedCase], list[Skipped]]:
        """The cases of the battery on these tasks, and those that cannot be made."""
        secrets = [secret.resolve() for secret in (tasks_file, Path(".git/HEAD"), Path(".git/config"))]
        checked: list[CheckedCase] = []
        skipped: list[Skipped] = []
        with Journal(self.folder / "cases.jsonl", CheckedCase, again=lambda case: case.outcome == "infra") as journal:
            battery = BatteryRun(self.engine, tight, journal, self.progress, self.wanted.families, secrets)
            for title, home, own in self.releases():
                of_release, not_made = battery.check(own, home, title)
                checked += of_release
                skipped += not_made
        return checked, skipped

    @contextmanager
    def _told(self, title: str) -> Generator[None]:
        step = self.progress.step(title)
        step(0, 1)
        yield
        step(1, 1)
