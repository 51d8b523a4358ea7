"""Validation of a tasks file: references pass, in the new version alone, mutants fail, and no cheat gets through."""

import socket
import tempfile
from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from apigap.benchmarks.novelapi.task_environments import homes_of
from apigap.benchmarks.task_environment import Home
from apigap.cluster.engines import engine_of
from apigap.gates.accepted_forms import TriedForm, try_forms
from apigap.gates.battery import (
    Aims,
    Case,
    Judged,
    Skipped,
    battery,
    problem_of,
    read_signatures,
    with_references,
)
from apigap.gates.host_integrity import changes_since, machine_state
from apigap.gates.kept_answers import KeptAnswer, Replayed, counted, replay
from apigap.gates.older_version import former_environment
from apigap.gates.record import GateRecord
from apigap.gates.validity import ValidityGate
from apigap.records.base import Json
from apigap.records.configuration import ExecutionSettings, PackageSettings
from apigap.records.errors import UsageError
from apigap.records.progress import Progress
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial
from apigap.tasks.task_choice import select_tasks
from apigap.tasks.task_files import load_tasks

TIGHT = Limits(cpu_seconds=2, wall_seconds=4.0, memory=1024 * MIB, temporary=64 * MIB, silence_seconds=5.0)
"""For cases about the machine: they run into a limit on purpose."""


@dataclass(frozen=True)
class Check:
    """One case of the battery on one task."""

    task: Task
    judged: Judged

    @property
    def problem(self) -> str | None:
        """The fault, naming task and case; None when there is none."""
        if self.judged.problem is None:
            return None
        case = self.judged.case
        return f"{self.task.api_name} ({self.task.task_id}), family {case.family}, {case.name}: {self.judged.problem}"


@dataclass(frozen=True)
class FamilyCounts:
    """Counts of one family of the battery: cases, those that do not apply, outcomes, labels and problems."""

    family: int
    cases: int
    not_applicable: int
    outcomes: Mapping[str, int]
    labels: Mapping[str, int]
    problems: int


@dataclass
class Validation:
    """The findings of a validation."""

    tasks: int
    gates: list[GateRecord] = field(default_factory=list[GateRecord])
    checks: list[Check] = field(default_factory=list[Check])
    skipped: list[Skipped] = field(default_factory=list[Skipped])
    changes: list[str] = field(default_factory=list[str])
    forms: list[TriedForm] = field(default_factory=list[TriedForm])
    replayed: list[Replayed] = field(default_factory=list[Replayed])
    answers_left: int = 0
    """Kept answers that were not judged, since their tasks were not among those that were checked."""

    @property
    def problems(self) -> list[str]:
        """Everything that is not as it must be, in words."""
        gates = [f"{r.api_name} ({r.task_id}): {r.reason}" for r in self.gates if r.status != "passed"]
        forms = [f"{f.task.api_name} ({f.task.task_id}): {f.form.name}: {f.problem}" for f in self.forms if f.problem]
        cases = [problem for check in self.checks if (problem := check.problem)]
        answers = [problem for one in self.replayed if (problem := one.problem)]
        return [*gates, *forms, *answers, *cases, *self.changes]

    @property
    def no_verdict(self) -> dict[str, int]:
        """The problems that are none of tasks or judge, since the machine gave no verdict; counted by reason."""
        gates = [record.reason or "it was not run" for record in self.gates if record.undecided]
        cases = [check.judged.verdict for check in self.checks if check.problem]
        stopped = [str(verdict.detail.get("reason")) for verdict in cases if verdict.outcome == "infra"]
        answers = [one.reason for one in self.replayed if one.outcome == "infra" and one.problem]
        return dict(sorted(Counter([*gates, *stopped, *answers]).items()))

    @property
    def mutants(self) -> int:
        """The number of mutants of the references that were judged."""
        return sum(record.evidence.get("mutants", 0) for record in self.gates)

    @property
    def killed(self) -> int:
        """The number of them that did not pass."""
        return sum(record.evidence.get("killed", 0) for record in self.gates)

    @property
    def accepted_forms(self) -> list[TriedForm]:
        """The forms that a task leaves open."""
        return [tried for tried in self.forms if tried.form.accepted]

    @property
    def kept_from_old(self) -> int:
        """The number of references that were run in the version before, where none of a valid task passes."""
        return sum(record.evidence.get("old_version") is not None for record in self.gates)

    @property
    def families(self) -> list[FamilyCounts]:
        """The counts of every family that has a case, or one that does not apply."""
        numbers = {check.judged.case.family for check in self.checks} | {skipped.family for skipped in self.skipped}
        return [self._family(number) for number in sorted(numbers)]

    def _family(self, number: int) -> FamilyCounts:
        checks = [check for check in self.checks if check.judged.case.family == number]
        return FamilyCounts(
            family=number,
            cases=len(checks),
            not_applicable=sum(skipped.family == number for skipped in self.skipped),
            outcomes=dict(sorted(Counter(check.judged.verdict.outcome for check in checks).items())),
            labels=dict(sorted(Counter(check.judged.label for check in checks if check.judged.label).items())),
            problems=sum(check.problem is not None for check in checks),
        )

    def as_json(self) -> dict[str, Json]:
        """For machines: counts, then every problem with the code that shows it."""
        wrong = [check for check in self.checks if check.problem]
        return {
            "tasks": self.tasks,
            "valid": sum(record.status == "passed" for record in self.gates),
            "mutants": self.mutants,
            "killed": self.killed,
            "in_old_version": self.kept_from_old,
            "cases": len(self.checks),
            "families": [
                {name.replace("_", " "): value for name, value in asdict(row).items()} for row in self.families
            ],
            "accepted_forms": len(self.accepted_forms),
            "refused_forms": len(self.forms) - len(self.accepted_forms),
            "answers": counted(self.replayed),
            "answers_left": self.answers_left,
            "changes": self.changes,
            "no_verdict": self.no_verdict,
            "problems": self.problems,
            "code": [{"problem": check.problem, "code": check.judged.case.code} for check in wrong],
        }


def validate_file(
    path: Path,
    progress: Progress,
    execution: ExecutionSettings,
    *,
    cheats: bool = False,
    families: Collection[int] = (),
    forms: bool = False,
    answers: Sequence[KeptAnswer] = (),
    old: bool = True,
    most: int = 0,
    unsafe_local: bool = False,
    packages: PackageSettings | None = None,
) -> Validation:
    """Check every task of a file: C1, in both versions unless `old` is false, and, with `cheats`, the whole battery.

    Of the battery, `families` are those that are run, all where none is named.

    With `forms` each result is tried in every other container: those that a task leaves open must pass, others fail.
    Kept `answers` of solvers to these tasks must get the verdicts that are kept with them.
    Of more than `most` tasks (0: all) so many are checked, spread over libraries and APIs.
    Afterwards the environments, start-up files, temporary folders and processes of this machine must be as before.

    Raises:
        UsageError: for `cheats` without isolation: they delete files and kill processes.
        CorruptRecord: when the file is none of tasks.
        EnvironmentFailure: when a library cannot be installed.
    """
    if cheats and unsafe_local:
        raise UsageError("--cheats runs programs that delete files and kill processes: not with --unsafe-local")
    tasks = select_tasks(load_tasks(path), most)
    found = Validation(len(tasks))
    with (
        engine_of(execution, unsafe_local, packages=packages) as engine,
        Engine(execution.workers, TIGHT, unsafe_local, execution.backend) as tight,
        _port() as port,
    ):
        homes = homes_of(tasks, engine)
        environments = [home.environment for home in homes.values()]
        before = machine_state(environments)
        for (library, version), home in homes.items():
            own = [task for task in tasks if (task.library, task.version) == (library, version)]
            run = _Run(found, home, engine, tight, progress, path, port)
            run.gate(own, library, version, old)
            if forms:
                run.form(own, f"{library} {version}")
            if answers:
                run.replay(own, answers, f"{library} {version}")
            if cheats:
                run.cheat(own, f"{library} {version}", families)
    found.answers_left = len(answers) - len(found.replayed)
    found.changes.extend(changes_since(before, environments))
    return found


class _Run:
    """The validation of one release's tasks."""

    def __init__(
        self, found: Validation, home: Home, engine: Engine, tight: Engine, progress: Progress, path: Path, port: int
    ) -> None:
        self.found = found
        self.home = home
        self.engine = engine
        self.tight = tight
        self.progress = progress
        self.aims = Aims(
            home=Path.home(),
            temporary=Path(tempfile.gettempdir()),
            environment=home.environment.root,
            secrets=tuple(secret.resolve() for secret in (path, Path(".git/HEAD"), Path(".git/config"))),
            port=port,
            seconds=TIGHT.wall_seconds,
        )

    def gate(self, tasks: Sequence[Task], library: str, version: str, old: bool) -> None:
        """References and mutants, and with `old` the references in the version before."""
        step = self.progress.step(f"{library} {version}: references and mutants")
        step(0, len(tasks))
        done = len(self.found.gates)
        for before in sorted({task.old_version or "" for task in tasks}):
            own = [task for task in tasks if (task.old_version or "") == before]
            former = former_environment(own, before, self.engine) if old and before else None
            gate = ValidityGate(self.engine, self.home.environment, former, self.home.preload)
            for records in gate.batches(own):
                self.found.gates.extend(records)
                step(len(self.found.gates) - done, len(tasks))

    def form(self, tasks: Sequence[Task], title: str) -> None:
        """The results of the references in other containers."""
        step = self.progress.step(f"{title}: results in other containers")
        step(0, 1)
        self.found.forms += try_forms(tasks, self.engine, self.home.environment, self.home.preload)
        step(1, 1)

    def replay(self, tasks: Sequence[Task], answers: Sequence[KeptAnswer], title: str) -> None:
        """The kept answers to these tasks."""
        step = self.progress.step(f"{title}: answers of solvers")
        step(0, 1)
        self.found.replayed += replay(tasks, answers, self.engine, self.home.environment, self.home.preload)
        step(1, 1)

    def cheat(self, tasks: Sequence[Task], title: str, families: Collection[int]) -> None:
        """The battery or some of its families: what is about the machine once, all else on every task."""
        signatures = read_signatures(self.engine, self.home.environment, [name for task in tasks for name in task.apis])
        light: list[tuple[Task, Case]] = []
        heavy: list[tuple[Task, Case]] = []
        facets = [(number, task, facet) for number, task in enumerate(tasks) for facet in task.facets]
        for number, task, facet in facets:
            made = battery(facet, self.aims, signatures.get(facet.api_name)).only(families)
            self.found.skipped.extend(made.skipped)
            for case in with_references(task, made.cases):
                if not case.heavy:
                    light.append((task, case))
                elif number == 0 and facet.api_name == task.api_name:
                    heavy.append((task, case))
        self._judge(self.engine, light, f"{title}: cheats and unusual forms")
        self._judge(self.tight, heavy, f"{title}: attacks on the machine")

    def _judge(self, engine: Engine, rows: Sequence[tuple[Task, Case]], title: str) -> None:
        step = self.progress.step(title)
        step(0, len(rows))
        done: list[int] = []

        def ready(number: int, verdict: Verdict) -> None:
            done.append(number)
            step(len(done), len(rows))

        trials = [Trial(task, case.code) for task, case in rows]
        verdicts = judge_trials(engine, self.home.environment, trials, preload=self.home.preload, on_result=ready)
        for (task, case), verdict in zip(rows, verdicts, strict=True):
            self.found.checks.append(Check(task, problem_of(task, case, verdict)))


@contextmanager
def _port() -> Generator[int]:
    """A port of this machine that answers; no answer to a task may reach it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
