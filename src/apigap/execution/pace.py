"""How long a task's own reference takes decides how long an answer may take.

The limits are wide for nearly every task. Only where an answer reaches one of time is the reference timed, once per
task; where it needs a good part of the limit itself, the answer is run again with a multiple of the reference's time.
"""

import math
from collections.abc import Callable

from apigap.execution.limits import Limits
from apigap.records.run import Program, RunRecord
from apigap.records.task import Task

FACTOR = 5.0
"""How many times the reference's time an answer may take."""
MOST = 6
"""The limits are never stretched further than this; a reference that is slower than that cannot be judged here."""
PatientRunner = Callable[[int], Callable[[Program], RunRecord]]


class Pace:
    """Runs programs with as much time as their task's reference shows to be needed; `runner` gives one by patience."""

    def __init__(self, runner: PatientRunner, limits: Limits) -> None:
        self._runner = runner
        self._limits = limits
        self._known: dict[str, int] = {}

    def run(self, task: Task, program: Program) -> RunRecord:
        """The record of a program that answers `task`."""
        record = self._runner(1)(program)
        if record.limit not in ("cpu", "wall"):
            return record
        patience = self._patience(task, program)
        return record if patience == 1 else self._runner(patience)(program)

    def _patience(self, task: Task, program: Program) -> int:
        """How many times the limits the task needs, by its reference in the same scenario."""
        if task.task_id not in self._known:
            reference = program.model_copy(update={"completion": task.masked_region})
            record = self._runner(MOST)(reference)
            needed = FACTOR * record.seconds / self._limits.cpu_seconds
            late = record.limit in ("cpu", "wall")
            self._known[task.task_id] = MOST if late else min(MOST, max(1, math.ceil(needed)))
        return self._known[task.task_id]
