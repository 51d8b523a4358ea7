"""Time limits of an answer, from the time that the task's own reference takes.

The limits are wide for nearly every task. Only where an answer reaches one of time is the reference timed, once per
task; where it needs a good part of the limit itself, the answer is run again with a multiple of the reference's time.
"""

import math
from collections.abc import Callable, Sequence

from apigap.records.run import Program, RunRecord
from apigap.records.task import Task
from apigap.sandbox.limits import Limits

FACTOR = 5.0
"""The multiple of the reference's time that an answer may take."""
MOST = 6
"""The limits are never stretched further than this; a reference that is slower than that cannot be judged here."""
PatientRunner = Callable[[int], Callable[[Program], RunRecord]]


class AdaptiveTimeout:
    """Runs programs with as much time as their task's reference shows to be needed; `runner` gives one by patience."""

    def __init__(self, runner: PatientRunner, limits: Limits) -> None:
        self._runner = runner
        self._limits = limits
        self._known: dict[str, int] = {}
        self._idle: dict[str, float] = {}

    def run(self, task: Task, program: Program) -> RunRecord:
        """The record of a program that answers `task`."""
        record = self._runner(1)(program)
        if record.limit not in ("cpu", "wall"):
            return record
        patience = self._patience(task, program)
        return record if patience == 1 else self._runner(patience)(program)

    @property
    def cpu_seconds(self) -> float:
        """The processor time that one program may use where its task asks for no more."""
        return float(self._limits.cpu_seconds)

    @property
    def wall_seconds(self) -> float:
        """The time that one program may take where its task asks for no more."""
        return self._limits.wall_seconds

    def allowed_idle(self, task: Task, programs: Sequence[Program]) -> float:
        """Seconds that an answer may be idle in all of `programs` together.

        That is as long as one of them may take, or a multiple of what the reference is idle, whichever is more.
        """
        if task.task_id not in self._idle:
            references = [program.model_copy(update={"completion": task.masked_region}) for program in programs]
            self._idle[task.task_id] = sum(self._runner(MOST)(program).idle_seconds for program in references)
        return max(self.wall_seconds, min(FACTOR * self._idle[task.task_id], MOST * self.wall_seconds))

    def _patience(self, task: Task, program: Program) -> int:
        """The multiple of the limits that the task needs, by its reference in the same scenario."""
        if task.task_id not in self._known:
            reference = program.model_copy(update={"completion": task.masked_region})
            record = self._runner(MOST)(reference)
            needed = FACTOR * record.seconds / self._limits.cpu_seconds
            late = record.limit in ("cpu", "wall")
            self._known[task.task_id] = MOST if late else min(MOST, max(1, math.ceil(needed)))
        return self._known[task.task_id]
