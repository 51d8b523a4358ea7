"""Verdicts that were reached before: the same answer to the same task, by the same evaluator, is not run again."""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from apigap.records.base import content_hash
from apigap.records.errors import InfrastructureError
from apigap.records.paths import cache_home
from apigap.records.store import write_text
from apigap.sandbox.engine import Engine
from apigap.sandbox.environment import Environment
from apigap.sandbox.run_outcome import can_come_from_a_neighbour
from apigap.sandbox.verdict.evaluator import evaluator_hash
from apigap.sandbox.verdict.evidence import Former
from apigap.sandbox.verdict.judge import tell_verdicts
from apigap.sandbox.verdict.travelling import VerdictRecord
from apigap.sandbox.verdict.trials import Trial
from apigap.sandbox.verdict.verdict import OnVerdict, Verdict

_LARGEST = 1 << 20


class StoredVerdict(VerdictRecord):
    """A verdict on disk; `key` says what it is the verdict on."""

    key: str


class VerdictCache:
    """Verdicts by task, code, environments, limits, isolation and evaluator; one small file each.

    A verdict that infrastructure prevented is never kept, nor one that a limit or a forged report decided, which
    another machine or neighbour could have brought about, nor one with very large observations. A file that cannot
    be read counts as not there.
    """

    def __init__(self, engine: Engine, folder: Path | None = None) -> None:
        self._folder = (folder or cache_home() / "verdicts") / evaluator_hash()
        self._common = [engine.limits.model_dump(mode="json"), engine.profile.model_dump(mode="json")]

    def key(self, environment: Environment, former: Former | None, trial: Trial) -> str:
        """A hash over all that a verdict depends on."""
        locks = [environment.lock, former.environment.lock if former else None]
        return content_hash([trial.task.task_id, trial.code, locks, self._common], length=32)

    def find(self, key: str) -> Verdict | None:
        """The verdict that is known, marked in its detail; None where there is none."""
        try:
            found = StoredVerdict.from_line(self._path(key).read_bytes())
        except (OSError, ValidationError):
            return None
        if found.key != key:
            return None
        return replace(found.verdict, detail={**found.detail, "cached": True})

    def keep(self, key: str, verdict: Verdict) -> None:
        """Remember a verdict; where that is not possible the next run judges again."""
        if verdict.outcome == "infra" or _depends_on_the_host(verdict):
            return
        stored = StoredVerdict(key=key, **dict(VerdictRecord.of(verdict)))
        line = stored.to_line() + "\n"
        if len(line) <= _LARGEST:
            with contextlib.suppress(InfrastructureError):
                write_text(self._path(key), line, sync=False)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _depends_on_the_host(verdict: Verdict) -> bool:
    runs = [*verdict.runs, *([verdict.recorded] if verdict.recorded else [])]
    return any(can_come_from_a_neighbour(run) for run in runs)


def judge_once(
    cache: VerdictCache | None,
    engine: Engine,
    environment: Environment,
    trials: Sequence[Trial],
    *,
    preload: Sequence[str] = (),
    former: Former | None = None,
    on_result: OnVerdict,
) -> None:
    """As `tell_verdicts`, but what `cache` knows is not run again; `on_result` is told of that first."""
    keys = [cache.key(environment, former, trial) for trial in trials] if cache else [""] * len(trials)
    left: list[int] = []
    for place, key in enumerate(keys):
        known = cache.find(key) if cache else None
        if known is None:
            left.append(place)
        else:
            on_result(place, known)

    def judged(number: int, verdict: Verdict) -> None:
        if cache:
            cache.keep(keys[left[number]], verdict)
        on_result(left[number], verdict)

    waiting = [trials[place] for place in left]
    tell_verdicts(engine, environment, waiting, preload=preload, former=former, on_result=judged)
