"""The battery on the tasks of one release: cases that are made, judged, and kept as they come."""

import socket
import tempfile
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from apigap.benchmarks.task_environment import Home
from apigap.gates.battery.build import battery
from apigap.gates.battery.case import Aims, Case, Skipped
from apigap.gates.battery.check import problem_of, with_references
from apigap.gates.battery.checked import CheckedCase, Key
from apigap.gates.battery.signature import read_signatures
from apigap.records.progress import Progress
from apigap.records.store import Journal
from apigap.records.task import Task
from apigap.sandbox.engine import Engine
from apigap.sandbox.limits import MIB, Limits
from apigap.sandbox.verdict.judge import Verdict, judge_trials
from apigap.sandbox.verdict.trials import Trial

TIGHT = Limits(cpu_seconds=2, wall_seconds=4.0, memory=1024 * MIB, temporary=64 * MIB, silence_seconds=5.0)
"""For cases about the machine: they run into a limit on purpose."""


class Row(NamedTuple):
    """A case on one API of a task."""

    task: Task
    api_name: str
    case: Case

    @property
    def key(self) -> Key:
        """The key of its record."""
        return self.task.task_id, self.api_name, self.case.family, self.case.name


@dataclass(frozen=True)
class BatteryRun:
    """The battery, or some of its `families`. `tight` is an engine with the limits `TIGHT`, for attacks on the machine.

    `secrets` are files that no answer may read. `journal` has the cases that are judged.
    """

    engine: Engine
    tight: Engine
    journal: Journal[CheckedCase]
    progress: Progress
    families: Collection[int] = ()
    secrets: Sequence[Path] = ()

    def check(self, tasks: Sequence[Task], home: Home, title: str) -> tuple[list[CheckedCase], list[Skipped]]:
        """The cases of these tasks, judged where the journal has none of them, and what cannot be made.

        Attacks on the machine are made of the first task alone.
        """
        with _port() as port:
            light, heavy, skipped = self._rows(tasks, home, port)
            self._judge(self.engine, home, light, f"{title}: cheats and unusual forms")
            self._judge(self.tight, home, heavy, f"{title}: attacks on the machine")
        known = {record.key: record for record in self.journal.done}
        return [known[row.key] for row in (*light, *heavy)], skipped

    def _rows(self, tasks: Sequence[Task], home: Home, port: int) -> tuple[list[Row], list[Row], list[Skipped]]:
        signatures = read_signatures(self.engine, home.environment, [name for task in tasks for name in task.apis])
        aims = self._aims(home, port)
        skipped: list[Skipped] = []
        light: list[Row] = []
        heavy: list[Row] = []
        facets = [(number, task, facet) for number, task in enumerate(tasks) for facet in task.facets]
        for number, task, facet in facets:
            made = battery(facet, aims, signatures.get(facet.api_name)).only(self.families)
            skipped.extend(made.skipped)
            for case in with_references(task, made.cases):
                row = Row(task, facet.api_name, case)
                if not case.heavy:
                    light.append(row)
                elif number == 0 and facet.api_name == task.api_name:
                    heavy.append(row)
        return light, heavy, skipped

    def _aims(self, home: Home, port: int) -> Aims:
        return Aims(
            home=Path.home(),
            temporary=Path(tempfile.gettempdir()),
            environment=home.environment.root,
            secrets=tuple(self.secrets),
            port=port,
            seconds=TIGHT.wall_seconds,
        )

    def _judge(self, engine: Engine, home: Home, rows: Sequence[Row], title: str) -> None:
        waiting = list(_waiting(rows, {record.key for record in self.journal.done}))
        step = self.progress.step(title)
        done = len(rows) - len(waiting)
        step(done, len(rows))

        def ready(number: int, verdict: Verdict) -> None:
            nonlocal done
            task, api_name, case = waiting[number]
            self.journal.append(CheckedCase.of(task, api_name, problem_of(task, case, verdict)))
            done += 1
            step(done, len(rows))

        trials = [Trial(row.task, row.case.code) for row in waiting]
        judge_trials(engine, home.environment, trials, preload=home.preload, on_result=ready)


def _waiting(rows: Sequence[Row], known: Collection[Key]) -> Iterator[Row]:
    """The rows that are not known. A reference that shows what the case before it left runs after that case again."""
    for row, after in zip_longest(rows, rows[1:]):
        is_shown = after is not None and (row.case.contained or row.case.exits) and after.key not in known
        if is_shown or row.key not in known:
            yield row


@contextmanager
def _port() -> Generator[int]:
    """A port of this machine that answers; no answer to a task may reach it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]
