"""Runs of programs that several steps of an author ask for: each program is run once, and its record given again."""

from collections.abc import Sequence

from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_OWN_ENDS = ("completed", "raised")
_OWN_LIMITS = ("cpu", "memory")


class RememberedRuns:
    """Runs in one environment. For an author's own programs alone: no answer is judged by a run that is remembered."""

    def __init__(self, engine: Engine, environment: Environment, preload: Sequence[str]) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload
        self._known: dict[Program, RunRecord] = {}

    def run(self, programs: Sequence[Program]) -> list[RunRecord]:
        """The record of each program, in order; what is asked for twice, here or before, is run once."""
        missing = [program for program in dict.fromkeys(programs) if program not in self._known]
        found = dict(zip(missing, self._engine.run(self._environment, missing, preload=self._preload), strict=True))
        self._known.update((program, run) for program, run in found.items() if is_own_end(run))
        return [found[program] if program in found else self._known[program] for program in programs]

    def forget(self) -> None:
        """Drop all records: what comes next has nothing to do with what was before."""
        self._known.clear()


def is_own_end(run: RunRecord) -> bool:
    """Tell whether the end is the program's own; any other may be the machine's, and another run may end otherwise."""
    return run.status in _OWN_ENDS or is_endless(run)


def is_endless(run: RunRecord) -> bool:
    """Tell whether the program took all the processor time or memory that it may."""
    return run.status == "limit" and run.limit in _OWN_LIMITS
