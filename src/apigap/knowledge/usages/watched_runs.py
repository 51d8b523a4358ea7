"""Runs of usages under the watch over their APIs; where an API only waits, few of its usages are run.

A server that is started serves until it is ended, so each usage of it takes the whole limit of time, twice.
"""

from collections.abc import Sequence

from apigap.knowledge.usages.usage import Usage, program_of
from apigap.records.candidate import Candidate
from apigap.records.run import RunRecord
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment

ENOUGH_WAITING = 3
_Pair = tuple[Candidate, Usage]
_Kind = tuple[str, bool]
_NOT_RUN = RunRecord(
    status="limit",
    phase="start",
    limit="wall",
    reason=f"not run: the first {ENOUGH_WAITING} usages of its kind wait until they are ended",
)


class WatchedRuns:
    """Watched runs in one environment.

    Where the first three different usages of an API that are asked for at a time all reach the limit of waiting, no
    further ones are run, then and later; upstream's and built ones are told apart, since they call it in ways of their
    own.
    """

    def __init__(self, engine: Engine, environment: Environment, preload: Sequence[str]) -> None:
        self._engine = engine
        self._environment = environment
        self._preload = preload
        self._waiting: set[_Kind] = set()

    def run(self, pairs: Sequence[_Pair]) -> dict[tuple[str, str], RunRecord]:
        """The run of each usage with its API watched, by the API's name and the usage's code."""
        by_kind: dict[_Kind, list[_Pair]] = {}
        for candidate, usage in {_key(pair): pair for pair in pairs}.values():
            by_kind.setdefault((candidate.api_name, usage.origin == "built"), []).append((candidate, usage))
        found = {_key(pair): _NOT_RUN for pair in pairs}
        first = {kind: own[:ENOUGH_WAITING] for kind, own in by_kind.items() if kind not in self._waiting}
        found.update(self._records([pair for own in first.values() for pair in own]))
        self._waiting |= {kind for kind, own in first.items() if _only_wait([found[_key(pair)] for pair in own])}
        rest = [own[ENOUGH_WAITING:] for kind, own in by_kind.items() if kind not in self._waiting]
        found.update(self._records([pair for own in rest for pair in own]))
        return found

    def _records(self, pairs: Sequence[_Pair]) -> dict[tuple[str, str], RunRecord]:
        programs = [program_of(usage, target=candidate.api_name) for candidate, usage in pairs]
        runs = self._engine.run(self._environment, programs, preload=self._preload)
        return dict(zip(map(_key, pairs), runs, strict=True))


def _only_wait(runs: Sequence[RunRecord]) -> bool:
    return len(runs) == ENOUGH_WAITING and all(run.limit == "wall" for run in runs)


def _key(pair: _Pair) -> tuple[str, str]:
    return pair[0].api_name, pair[1].code
