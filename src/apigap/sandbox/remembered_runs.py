"""Runs of programs that several steps of an author ask for: each program is run once, and its record given again."""

from collections.abc import Sequence

from apigap.records.run import Program, RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

_OWN_ENDS = ("completed", "raised")
"""Ends that are the program's own; any other may be the machine's, and another run may end otherwise."""


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
        self._known.update((program, run) for program, run in found.items() if run.status in _OWN_ENDS)
        return [found[program] if program in found else self._known[program] for program in programs]

    def forget(self) -> None:
        """Drop all records: what comes next has nothing to do with what was before."""
        self._known.clear()
